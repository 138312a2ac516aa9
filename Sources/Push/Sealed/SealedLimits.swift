import Notifications

/// The limits of this module.
public enum SealedLimits {
  /// Bytes in steps of which the private part of a content is padded: of a short message the length tells nothing.
  public static let contentStep = 256
  /// Bytes in steps of which a file is padded.
  public static let fileStep = 16 << 10
  /// Bytes of the private part with its padding: what fits into a box of `NotificationLimits.boxBytes` characters.
  public static let contentBytes =
    (NotificationLimits.boxBytes / 4 * 3 - SealedContent.overhead) / contentStep * contentStep
  /// Bytes of a file before it is sealed. A device opens it as a whole, in memory.
  public static let fileBytes = NotificationLimits.imageBytes
  /// Bytes of a sealed file.
  public static let sealedFileBytes = NotificationLimits.sealedBytes
  /// Keys of a ring: one a month for years, so that old messages can still be read.
  public static let keys = 64
  /// Ids of revoked keys that a ring remembers.
  public static let revoked = 256
  /// Bytes of a ring's file: 150 for each key.
  public static let ringBytes = 64 << 10
  /// Bytes of a link with a key.
  public static let linkBytes = 2_000
}
