import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) equals its IPv4
/// address: a socket for both families reports it so, and no rule can be evaded by spelling.
public struct IPAddress: Hashable, Sendable {
  public enum Family: Sendable {
    case v4
    case v6
  }

  /// The 128 bits as an IPv6 address; an IPv4 address is kept in its mapped form.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses what `inet_pton` accepts: `192.0.2.1`, `2001:db8::1`; nil for anything else, such as a zone (`%eth0`), a
  /// port, brackets or the short forms of `inet_aton` (`127.1`).
  public init?(_ text: some StringProtocol) {
    // inet_pton takes a C string: a zero byte would end the text early.
    guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
    let text = String(text)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self = withUnsafeBytes(of: &v4) { IPAddress(bytes: $0)! }
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self = withUnsafeBytes(of: &v6) { IPAddress(bytes: $0)! }
    } else {
      return nil
    }
  }

  /// - Parameter bytes: 4 or 16 bytes in network order, as `in_addr` and `in6_addr` hold them; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in bytes.prefix(17) {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
    switch bytes.count {
    case 4: self.init(high: 0, low: Self.mappedPrefix | low)
    case 16: self.init(high: high, low: low)
    default: return nil
    }
  }

  public var family: Family { isMapped ? .v4 : .v6 }

  /// The address that stands for one subscriber: of IPv4 the address itself, of IPv6 its /64, in which each device
  /// chooses as many addresses as it likes (RFC 6177, RFC 8981).
  public var subscriber: IPAddress { isMapped ? self : IPAddress(high: high, low: 0) }

  /// The addresses that one subscriber has at most: of IPv4 the address itself, of IPv6 a /48 (RFC 6177).
  public var network: IPAddress { isMapped ? self : IPAddress(high: high & ~0xffff, low: 0) }

  /// True for this machine's own addresses (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
  public var isLoopback: Bool { isMapped ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

  /// 4 or 16 bytes in network order.
  public var bytes: [UInt8] {
    let all = [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian, Array.init) }
    return isMapped ? Array(all[12...]) : all
  }

  /// The 32 bits of an IPv4 address; nil for IPv6.
  var v4: UInt32? { isMapped ? UInt32(truncatingIfNeeded: low) : nil }

  private static let mappedPrefix: UInt64 = 0xffff_0000_0000
  private var isMapped: Bool { high == 0 && low >> 32 == 0xffff }
}

extension IPAddress: CustomStringConvertible {
  /// The usual spelling: dotted decimal, or RFC 5952 as `inet_ntop` writes it.
  public var description: String {
    let bytes = bytes
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let text = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
    guard let text else { preconditionFailure("inet_ntop refuses an address") }
    return String(cString: text)
  }
}

extension IPAddress {
  /// True if the address can belong to a host on the public Internet. False for the ranges in the IANA registries of
  /// special-purpose addresses (RFC 6890 and its successors), for multicast, and for IPv6 outside of 2000::/3, where
  /// nothing is assigned. An IPv6 address that contains an IPv4 one (NAT64, 6to4) is as public as that one.
  ///
  /// The few global addresses inside of 192.0.0.0/24 and 2001::/23 belong to protocols, not to servers, and count as
  /// not public.
  public var isPublic: Bool {
    if let v4 { return Self.isPublic(v4) }
    // 64:ff9b::/96, the well-known prefix of NAT64 (RFC 6052): the gateway forwards to the IPv4 address.
    if high == 0x0064_ff9b_0000_0000, low >> 32 == 0 { return Self.isPublic(UInt32(truncatingIfNeeded: low)) }
    // 2002::/16, 6to4 (RFC 3056): the same, with the IPv4 address in the 32 bits that follow.
    if high >> 48 == 0x2002 { return Self.isPublic(UInt32(truncatingIfNeeded: high >> 16)) }
    // This excludes ::, ::1, 64:ff9b:1::/48, 100::/64, 5f00::/16, fc00::/7, fe80::/10, fec0::/10, ff00::/8.
    guard high >> 61 == 1 else { return false }
    return !Self.specialV6.contains { high >> UInt64(64 - $0.length) == $0.bits >> UInt64(64 - $0.length) }
  }

  private static func isPublic(_ address: UInt32) -> Bool {
    !specialV4.contains { address >> (32 - $0.length) == $0.bits >> (32 - $0.length) }
  }

  private static let specialV4: [(bits: UInt32, length: UInt32)] = [
    (0x0000_0000, 8),  // 0/8, this network (RFC 791)
    (0x0a00_0000, 8),  // 10/8, private (RFC 1918)
    (0x6440_0000, 10),  // 100.64/10, carriers' NAT (RFC 6598)
    (0x7f00_0000, 8),  // 127/8, loopback (RFC 1122)
    (0xa9fe_0000, 16),  // 169.254/16, link-local (RFC 3927); clouds' metadata services at 169.254.169.254
    (0xac10_0000, 12),  // 172.16/12, private (RFC 1918)
    (0xc000_0000, 24),  // 192.0.0/24, protocol assignments (RFC 6890)
    (0xc000_0200, 24),  // 192.0.2/24, documentation (RFC 5737)
    (0xc058_6300, 24),  // 192.88.99/24, 6to4 relays, deprecated (RFC 7526)
    (0xc0a8_0000, 16),  // 192.168/16, private (RFC 1918)
    (0xc612_0000, 15),  // 198.18/15, benchmarks (RFC 2544)
    (0xc633_6400, 24),  // 198.51.100/24, documentation (RFC 5737)
    (0xcb00_7100, 24),  // 203.0.113/24, documentation (RFC 5737)
    (0xe000_0000, 4),  // 224/4, multicast (RFC 5771)
    (0xf000_0000, 4),  // 240/4, reserved (RFC 1112), with the broadcast address
  ]

  /// Special ranges within 2000::/3, by the upper 64 bits.
  private static let specialV6: [(bits: UInt64, length: Int)] = [
    (0x2001_0000_0000_0000, 23),  // 2001::/23, protocol assignments (RFC 2928) with Teredo
    (0x2001_0db8_0000_0000, 32),  // 2001:db8::/32, documentation (RFC 3849)
    (0x3fff_0000_0000_0000, 20),  // 3fff::/20, documentation (RFC 9637)
  ]
}
