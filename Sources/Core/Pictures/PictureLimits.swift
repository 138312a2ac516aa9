/// The limits of this module.
enum PictureLimits {
  /// Pixels of a picture, and of each side: a browser needs four bytes for each, whatever the file's size. The largest
  /// camera has 151 million.
  static let pixels = 160_000_000
  static let side = 32_767
}
