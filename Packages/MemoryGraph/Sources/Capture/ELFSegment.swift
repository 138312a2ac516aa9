import Glibc

/// A loaded part of a program or library, by its program headers (PT_LOAD of elf(5)).
package struct ELFSegment {
  package var fileOffset: UInt64
  package var address: UInt64
  package var fileSize: UInt64
  package var memorySize: UInt64
  package var isExecutable = false

  /// The first bytes of such a file.
  package static let magic: UInt32 = 0x464C_457F

  /// - Parameter bytes: the beginning of a file, with the table of its program headers.
  /// - Returns: nil if it is not a 64-bit ELF file, or its table is elsewhere.
  package static func all(_ bytes: UnsafeRawBufferPointer) -> [ELFSegment]? {
    guard bytes.count >= 64, bytes.half(0) == magic, bytes[4] == 2 else { return nil }
    let table = Int(truncatingIfNeeded: bytes.word(32))
    let count = Int(bytes.quarter(56))
    guard table >= 0, table <= bytes.count - count * 56 else { return nil }
    return (0..<count).compactMap { index in
      let entry = table + index * 56
      guard bytes.half(entry) == 1 else { return nil }
      func word(_ place: Int) -> UInt64 { bytes.word(entry + place) }
      return ELFSegment(
        fileOffset: word(8), address: word(16), fileSize: word(32), memorySize: word(40),
        isExecutable: word(0) >> 32 & 1 != 0)
    }
  }

  /// True if a program's bytes at an offset of its file are code.
  static func isExecutable(_ path: String, at offset: UInt64) -> Bool {
    let file = openMapped(path)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = max(0, pread(file, &head, head.count, 0))
    let segments = head.withUnsafeBytes { all(UnsafeRawBufferPointer(rebasing: $0[..<count])) } ?? []
    return segments.contains { segment in
      // Mappings begin at pages.
      let start = segment.fileOffset & ~4095
      return segment.isExecutable && offset >= start && offset < segment.fileOffset &+ segment.fileSize
    }
  }
}
