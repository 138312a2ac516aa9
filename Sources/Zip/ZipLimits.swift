/// The bounds of the format (APPNOTE 6.3.10, sections 4.4 and 4.5), and ours.
public enum ZipLimits {
  /// A size or offset of so much or more stands in the zip64 fields.
  static let narrowSize = 0xFFFF_FFFF
  /// So many entries or more are counted in the zip64 record.
  static let narrowCount = 0xFFFF
  /// Bytes of a name. File systems take 255; the rest is room for a number that makes it unique, and for programs that
  /// add an ending.
  public static let nameBytes = 200
  /// The longest ending of a name that is kept when the name is cut, its full stop included.
  static let endingBytes = 12
}
