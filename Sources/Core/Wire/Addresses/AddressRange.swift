/// A range of addresses with a common prefix, in CIDR notation (RFC 4632, RFC 4291 section 2.3). IPv4 and IPv6 are
/// apart: `::/0` contains no IPv4 address.
public struct AddressRange: Hashable, Sendable {
  private let first: IPAddress
  /// The prefix's length, out of the 128 bits that `IPAddress` has for both families.
  private let length: Int

  /// Parses `10.0.0.0/8`, `fd00::/8`, or a single address.
  /// - Throws: a sentence with the reason, also for bits set behind the prefix: `10.1.2.3/8` could mean one address or
  ///   sixteen million.
  public init(_ text: some StringProtocol) throws(AddressRangeError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else {
      throw AddressRangeError("Not a range of addresses: \(text); such as 10.0.0.0/8, fd00::/8 or ::1 is accepted.")
    }
    // By the spelling, so that ::ffff:10.0.0.0/104 counts its bits as IPv6 does.
    let width = parts[0].utf8.contains(UInt8(ascii: ":")) ? 128 : 32
    var length = width
    if parts.count == 2 {
      let digits = parts[1].utf8
      guard (1...3).contains(digits.count), digits.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int(parts[1]),
        number <= width
      else {
        throw AddressRangeError("The prefix length of \(text) is \(parts[1]); 0 to \(width) is accepted.")
      }
      length = number
    }
    let bits = length + 128 - width
    let start = Self.cut(address, bits)
    guard start == address else {
      let spelled = start.family == .v4 && width == 128 ? "::ffff:\(start)" : "\(start)"
      throw AddressRangeError("\(text) has bits behind its prefix; \(spelled)/\(length) is accepted.")
    }
    first = address
    self.length = bits
  }

  public func contains(_ address: IPAddress) -> Bool {
    address.family == first.family && Self.cut(address, length) == first
  }

  /// The address with zeros after its first `count` bits.
  private static func cut(_ address: IPAddress, _ count: Int) -> IPAddress {
    // Shifting by all 64 bits gives 0.
    let (highMask, lowMask) = (UInt64.max << (64 - min(count, 64)), UInt64.max << (64 - max(count - 64, 0)))
    return IPAddress(high: address.high & highMask, low: address.low & lowMask)
  }
}

/// The reason why a text is not a range of addresses.
public struct AddressRangeError: Error, Equatable, Sendable, CustomStringConvertible {
  public var message: String
  public var description: String { message }
  init(_ message: String) { self.message = message }
}
