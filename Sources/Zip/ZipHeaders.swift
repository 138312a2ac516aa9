/// The records of a zip, byte by byte (APPNOTE 6.3.10, section 4.3). The numbers are little-endian.
enum ZipHeaders {
  /// Bit 11: names are UTF-8.
  private static let flags: UInt16 = 0x800
  /// Version 2.0, or 4.5 where there are zip64 fields.
  private static func version(isWide: Bool) -> UInt16 { isWide ? 45 : 20 }
  /// An ordinary file that its owner may write and others read, as Unix tells it.
  private static let attributes: UInt32 = 0o100644 << 16

  // MARK: In front of a content

  private static func isLarge(_ entry: ZipEntry) -> Bool { entry.size >= ZipLimits.narrowSize }

  static func localBytes(_ entry: ZipEntry, name: String) -> Int { 30 + name.utf8.count + (isLarge(entry) ? 20 : 0) }

  static func local(_ entry: ZipEntry, name: String) -> [UInt8] {
    let isLarge = isLarge(entry)
    var bytes = Bytes(localBytes(entry, name: name))
    bytes.add(UInt32(0x0403_4B50))
    bytes.add(version(isWide: isLarge))
    bytes.addCommon(entry, flags, isLarge: isLarge)
    bytes.add(UInt16(name.utf8.count))
    bytes.add(UInt16(isLarge ? 20 : 0))
    bytes.add(name)
    if isLarge { bytes.addWide([entry.size, entry.size]) }
    return bytes.all
  }

  // MARK: In the directory

  /// The numbers that need the zip64 field.
  private static func wide(_ entry: ZipEntry, at start: Int) -> [Int] {
    (isLarge(entry) ? [entry.size, entry.size] : []) + (start >= ZipLimits.narrowSize ? [start] : [])
  }

  static func directoryBytes(_ entry: ZipEntry, name: String, at start: Int) -> Int {
    let wide = wide(entry, at: start).count
    return 46 + name.utf8.count + (wide > 0 ? 4 + 8 * wide : 0)
  }

  static func directory(_ entry: ZipEntry, name: String, at start: Int) -> [UInt8] {
    let wide = wide(entry, at: start)
    var bytes = Bytes(directoryBytes(entry, name: name, at: start))
    bytes.add(UInt32(0x0201_4B50))
    // Made on Unix.
    bytes.add(3 << 8 | version(isWide: !wide.isEmpty))
    bytes.add(version(isWide: !wide.isEmpty))
    bytes.addCommon(entry, flags, isLarge: isLarge(entry))
    bytes.add(UInt16(name.utf8.count))
    bytes.add(UInt16(wide.isEmpty ? 0 : 4 + 8 * wide.count))
    // No comment, the first disk, no internal attributes.
    for _ in 0..<3 { bytes.add(UInt16(0)) }
    bytes.add(attributes)
    bytes.add(UInt32(min(start, ZipLimits.narrowSize)))
    bytes.add(name)
    if !wide.isEmpty { bytes.addWide(wide) }
    return bytes.all
  }

  // MARK: At the end

  private static func isWide(count: Int, directory: Int, size: Int) -> Bool {
    count >= ZipLimits.narrowCount || directory >= ZipLimits.narrowSize || size >= ZipLimits.narrowSize
  }

  static func endBytes(count: Int, directory: Int, size: Int) -> Int {
    22 + (isWide(count: count, directory: directory, size: size) ? 56 + 20 : 0)
  }

  /// - Parameters:
  ///   - directory: where it begins.
  ///   - size: its bytes.
  static func end(count: Int, directory: Int, size: Int) -> [UInt8] {
    var bytes = Bytes(endBytes(count: count, directory: directory, size: size))
    if isWide(count: count, directory: directory, size: size) {
      bytes.add(UInt32(0x0606_4B50))
      // Bytes of this record that follow, then the versions and the disks.
      bytes.add(UInt64(44))
      bytes.add(UInt16(3 << 8 | 45))
      bytes.add(UInt16(45))
      bytes.add(UInt32(0))
      bytes.add(UInt32(0))
      for number in [count, count, size, directory] { bytes.add(UInt64(number)) }
      bytes.add(UInt32(0x0706_4B50))
      bytes.add(UInt32(0))
      bytes.add(UInt64(directory + size))
      bytes.add(UInt32(1))
    }
    bytes.add(UInt32(0x0605_4B50))
    bytes.add(UInt16(0))
    bytes.add(UInt16(0))
    for _ in 0..<2 { bytes.add(UInt16(min(count, ZipLimits.narrowCount))) }
    bytes.add(UInt32(min(size, ZipLimits.narrowSize)))
    bytes.add(UInt32(min(directory, ZipLimits.narrowSize)))
    bytes.add(UInt16(0))
    return bytes.all
  }
}

private struct Bytes {
  private(set) var all: [UInt8] = []

  init(_ count: Int) { all.reserveCapacity(count) }

  mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { all.append(contentsOf: $0) }
  }

  mutating func add(_ text: String) { all.append(contentsOf: text.utf8) }

  /// The fields that both headers have from the flags to the sizes.
  mutating func addCommon(_ entry: ZipEntry, _ flags: UInt16, isLarge: Bool) {
    let size = UInt32(isLarge ? ZipLimits.narrowSize : entry.size)
    add(flags)
    // Stored.
    add(UInt16(0))
    add(entry.dosTime.time)
    add(entry.dosTime.date)
    add(entry.crc32)
    add(size)
    add(size)
  }

  /// The zip64 field.
  mutating func addWide(_ numbers: [Int]) {
    add(UInt16(1))
    add(UInt16(8 * numbers.count))
    for number in numbers { add(UInt64(number)) }
  }
}
