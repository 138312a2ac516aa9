/// Puts lines together that senders tell in datagrams, each of which may end anywhere: bridges and multiplexers send
/// what a serial line has told so far.
package struct DatagramLines: Sendable {
  /// The line that a sender has begun and not ended yet.
  private var begun: [[UInt8]: [UInt8]] = [:]

  package init() {}

  /// - Parameter sender: its address; lines of two senders do not mix.
  /// - Returns: the lines that are complete now, with their ends.
  package mutating func take(_ datagram: some Collection<UInt8>, from sender: [UInt8]) -> [UInt8] {
    var bytes = begun[sender] ?? []
    // Some senders leave the end of a datagram's last line out; another line that begins has ended it.
    if !bytes.isEmpty, let first = datagram.first, Self.beginnings.contains(first) { bytes.append(Self.feed) }
    bytes += datagram
    if Self.isWhole(bytes) || bytes.count > AgentWatchLimits.datagramBytes { bytes.append(Self.feed) }
    let end = bytes.lastIndex { $0 == Self.feed || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
    if begun.count >= AgentWatchLimits.datagramSenders { begun.removeAll() }
    begun[sender] = end < bytes.count ? Array(bytes[end...]) : nil
    return Array(bytes[..<end])
  }

  private static let feed = UInt8(ascii: "\n")
  /// The first bytes of a sentence, of one of AIS, and of a tag block before one.
  private static let beginnings = [UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\")]

  /// True if they end with a checksum, which is the last of a sentence.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let star = bytes.suffix(3).first, bytes.count > 3, star == UInt8(ascii: "*") else { return false }
    return bytes.suffix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }
}
