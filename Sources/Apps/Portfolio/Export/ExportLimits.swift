import Server

/// The limits of files that hold a portfolio, each with its reason.
enum ExportLimits {
  /// Characters of a passphrase: a file is guessed without anybody who counts.
  static let passphrase = 12
  /// PBKDF2's rounds: the recommendation for HMAC-SHA-256 (OWASP, 2023), some 80 ms in a browser.
  static let iterations = 600_000
  static let saltBytes = 16
  /// Bytes above which a file is slow to open on phones, and too large for most mail and chats.
  static let comfortable = 150_000_000
  /// Long edges that may be asked for, in pixels.
  static let edges = 640...2048
  /// Smaller ones that are offered for a large file.
  static let offered = [1600, 1280, 1024]
  /// Characters of the words on the cover.
  static let text = 2_000
  /// Pictures of one file: above, its index alone is slow.
  static let pictures = 5_000
  /// Files that the hub makes at once: each takes some of a processor as long as it lasts.
  static let atOnce = 2
  /// Bytes of memory for one: a picture, locked and as text.
  static let memory = 8_000_000
  static let rate = RouteRate(
    "portfolios as one file", strangers: Rate(burst: 5, perSecond: 0.1), known: Rate(burst: 5, perSecond: 0.1))
}
