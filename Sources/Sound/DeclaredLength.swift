/// The length of the sound as the header of a file says it. libsndfile reads what is there without a word when a file
/// was cut, and half a word would be spoken.
package struct DeclaredLength {
  package var bytes: Int
  package var present: Int

  var isCut: Bool { present < bytes }

  /// Nil for files of other kinds, and for those of a program that did not know the length when it began to write.
  package init?(_ file: UnsafeRawBufferPointer) {
    guard file.count >= 24 else { return nil }
    let found: DeclaredLength? =
      switch (Self.text(file, 0), Self.text(file, 8)) {
      case ("RIFF", "WAVE"): Self.chunk("data", file, from: 12, wide: false, bigEndian: false)
      case ("FORM", "AIFF"), ("FORM", "AIFC"): Self.chunk("SSND", file, from: 12, wide: false, bigEndian: true)
      case ("caff", _): Self.chunk("data", file, from: 8, wide: true, bigEndian: true)
      case (".snd", _):
        DeclaredLength(
          Self.number(file, 8, 4, bigEndian: true), file.count - Self.number(file, 4, 4, bigEndian: true))
      default: nil
      }
    // Writers into a pipe leave the greatest number there, or nearly; a CAF file has -1.
    guard let found, (1..<0x7FFF_0000).contains(found.bytes) else { return nil }
    self = found
  }

  private init(_ bytes: Int, _ present: Int) { (self.bytes, self.present) = (bytes, max(0, present)) }

  private static func chunk(
    _ name: String, _ file: UnsafeRawBufferPointer, from start: Int, wide: Bool, bigEndian: Bool
  ) -> DeclaredLength? {
    var position = start
    let width = wide ? 8 : 4
    while position + 4 + width <= file.count {
      let size = number(file, position + 4, width, bigEndian: bigEndian)
      let start = position + 4 + width
      if text(file, position) == name { return DeclaredLength(size, file.count - start) }
      guard size >= 0, size < file.count - start else { return nil }
      position = start + size + (wide ? 0 : size & 1)
    }
    return nil
  }

  private static func text(_ file: UnsafeRawBufferPointer, _ at: Int) -> String {
    String(decoding: file[at..<at + 4], as: UTF8.self)
  }

  private static func number(_ file: UnsafeRawBufferPointer, _ at: Int, _ width: Int, bigEndian: Bool) -> Int {
    let bytes = file[at..<at + width]
    let bits =
      bigEndian ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    return Int(truncatingIfNeeded: bits)
  }
}
