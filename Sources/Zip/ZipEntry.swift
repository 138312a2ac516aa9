public import CivilTime

/// A file in a zip.
public struct ZipEntry: Sendable {
  /// Any text; see `ZipNames` for what becomes of it.
  public var name: String
  /// Bytes.
  public var size: Int
  /// Of the content (ISO 3309).
  public var crc32: UInt32
  /// The time of the last change. Zip has wall time in steps of two seconds, of the years 1980 to 2107.
  public var modified: WallTime

  public init(name: String, size: Int, crc32: UInt32, modified: WallTime) {
    self.name = name
    self.size = size
    self.crc32 = crc32
    self.modified = modified
  }

  /// The time as MS-DOS has it: hour, minute and double seconds, then year since 1980, month and day.
  var dosTime: (time: UInt16, date: UInt16) {
    let (date, second) = (modified.date, modified.secondOfDay)
    guard date.year >= 1980 else { return (0, 0x21) }
    guard date.year <= 2107 else { return (0xBF7D, 0xFF9F) }
    return (
      UInt16(second / 3600 << 11 | second / 60 % 60 << 5 | second % 60 / 2),
      UInt16((date.year - 1980) << 9 | date.month << 5 | date.day)
    )
  }
}
