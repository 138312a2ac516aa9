import Crypto

/// A blob's address: the SHA-256 of its bytes (FIPS 180-4).
public struct BlobDigest: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// Nil for any other number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Digest.sha256Bytes else { return nil }
    self.bytes = bytes
  }

  /// Nil for text that is not 64 lower-case hexadecimal digits.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8.map { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == 2 * Digest.sha256Bytes, !digits.contains(nil) else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { Digest.hex(bytes) }

  public var description: String { hex }

  public static func < (one: BlobDigest, other: BlobDigest) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

extension BlobDigest {
  /// - Parameter digest: has been given all bytes of the blob.
  init(_ digest: RunningDigest) { bytes = digest.finish() }

  init(of bytes: [UInt8]) { self.bytes = Digest.sha256(bytes) }

  /// The digest and the size of a whole file, read in pieces.
  static func read(_ file: OpenFile) throws(StoreError) -> (digest: BlobDigest, size: Int) {
    let hash = RunningDigest()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    var size = 0
    while case let count = try file.read(into: buffer), count > 0 {
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      size += count
    }
    return (BlobDigest(hash), size)
  }
}
