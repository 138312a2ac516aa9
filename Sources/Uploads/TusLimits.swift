/// The bounds of what a client may tell about an upload.
public enum TusLimits {
  /// Bytes of Upload-Metadata: a name of 255 bytes and some short values, in base64.
  public static let metadataBytes = 4_096
  /// Values in it.
  public static let metadataValues = 16
  /// Bytes of a key.
  static let keyBytes = 64
  /// Digits of a length or an offset: the largest number of 64 bits has 19.
  static let digits = 18
}
