/// The length of the sound as the header of a WAV or CAF file says it. libsndfile reads what is there without a word
/// when a file was cut, and half a word would be spoken.
struct DeclaredLength {
  var bytes: Int
  var present: Int

  var isCut: Bool { present < bytes }

  /// Nil for other files, and for those that were written by a program that did not know the length in advance.
  init?(_ file: UnsafeRawBufferPointer) {
    func text(_ at: Int) -> String { String(decoding: file[at..<at + 4], as: UTF8.self) }
    guard file.count >= 12 else { return nil }
    let isWAV = text(0) == "RIFF" && text(8) == "WAVE"
    guard isWAV || text(0) == "caff" else { return nil }
    var position = isWAV ? 12 : 8
    let head = isWAV ? 8 : 12
    while position + head <= file.count {
      let size: Int
      if isWAV {
        size = (0..<4).reduce(0) { $0 | Int(file[position + 4 + $1]) << ($1 * 8) }
      } else {
        let wide = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(file[position + 4 + $1]) }
        size = Int(truncatingIfNeeded: wide)
      }
      let start = position + head
      if text(position) == "data" {
        // Writers into a pipe leave the greatest number there, or nearly; a CAF file has -1.
        guard size > 0, size < (isWAV ? 0x7FFF_0000 : Int.max / 2) else { return nil }
        (bytes, present) = (size, file.count - start)
        return
      }
      guard size >= 0, size <= file.count - start else { return nil }
      position = start + size + (isWAV ? size & 1 : 0)
    }
    return nil
  }
}
