import Crypto

/// The protocol: tus 1.0.0 (tus.io/protocols/resumable-upload), with the extensions creation, creation-with-upload,
/// checksum, expiration and termination.
public enum Tus {
  public static let version = "1.0.0"
  public static let extensions = "creation,creation-with-upload,checksum,expiration,termination"
  public static let contentType = "application/offset+octet-stream"
  /// The first must be SHA-1 (section Checksum).
  static let checksums: KeyValuePairs<String, RunningDigest.Kind> = ["sha1": .sha1, "sha256": .sha256]
}

/// The offer of a server.
public struct UploadOffer: Sendable {
  /// The largest upload, in bytes.
  public var maxSize: Int

  public init(maxSize: Int) { self.maxSize = maxSize }
}
