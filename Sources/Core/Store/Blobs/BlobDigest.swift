import COpenSSL

/// A blob's address: the SHA-256 of its bytes (FIPS 180-4).
public struct BlobDigest: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 32 of them.
  public let bytes: [UInt8]

  /// Nil for any other number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Int(SHA256_DIGEST_LENGTH) else { return nil }
    self.bytes = bytes
  }

  /// Nil for what is not 64 lower-case hexadecimal digits.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8.map { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == 2 * Int(SHA256_DIGEST_LENGTH), !digits.contains(nil) else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  public var description: String { hex }

  public static func < (one: BlobDigest, other: BlobDigest) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

/// Computes a digest of bytes as they come.
final class ContentHash {
  private let context: OpaquePointer

  init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL cannot compute a digest")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    let code = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(code == 1, "OpenSSL cannot compute a digest")
  }

  /// To be called once.
  func finish() -> BlobDigest {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, initialized in
      let code = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
      precondition(code == 1, "OpenSSL cannot compute a digest")
      initialized = Int(SHA256_DIGEST_LENGTH)
    }
    guard let digest = BlobDigest(bytes) else { preconditionFailure("SHA-256 has 32 bytes") }
    return digest
  }

  static func digest(of bytes: [UInt8]) -> BlobDigest {
    let hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// The digest and the size of a whole file, read in pieces.
  static func digest(of file: OpenFile) throws(StoreError) -> (digest: BlobDigest, size: Int) {
    let hash = ContentHash()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    var size = 0
    while case let count = try file.read(into: buffer), count > 0 {
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      size += count
    }
    return (hash.finish(), size)
  }
}
