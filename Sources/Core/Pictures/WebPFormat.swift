import Wire

/// WebP (RFC 9649, section 2): a RIFF file whose head states its size, made of chunks; the first one states the pixels.
///
/// The head has been sent when a chunk is left out, so the size cannot change: such a chunk is replaced by one of zeros
/// with an unknown name, which readers have to skip (section 2.7).
struct WebPFormat: PictureFormat {
  private enum State { case head, size(name: String, count: Int), chunk, data }
  private var state = State.head
  /// Bytes of the file that are still to come.
  private var left = 0

  private static let needed: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
  /// The flags of VP8X for EXIF and XMP.
  private static let metadataFlags: UInt8 = 0x08 | 0x04

  /// The file's head and the first chunk's.
  var first: PictureFilter.Step { .take(20) }

  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch state {
    case .head:
      left = bytes.little(4, 4) + 8 - bytes.count
      kept += bytes
      let (name, count) = (String(decoding: bytes[12..<16], as: UTF8.self), bytes.little(16, 4))
      guard count <= left, let wanted = Self.bytesOfSize[name], count >= wanted else {
        throw PictureFilter.Fault(reason: Reason(.pictureHeadless))
      }
      state = .size(name: name, count: count)
      return .take(wanted)
    case .size(let name, let count):
      try check(name, bytes)
      var bytes = bytes
      if name == "VP8X" { bytes[0] &= ~Self.metadataFlags }
      kept += bytes
      let rest = padded(count) - bytes.count
      left -= padded(count)
      state = .data
      return .keep(rest)
    case .chunk: return try begin(bytes, &kept)
    case .data:
      guard left > 0 else { return .end }
      // Fewer bytes cannot be a chunk.
      guard left >= 8 else {
        defer { left = 0 }
        return .blank(left)
      }
      state = .chunk
      return .take(8)
    }
  }

  private mutating func begin(
    _ head: [UInt8], _ kept: inout [UInt8]
  ) throws(PictureFilter.Fault) -> PictureFilter.Step {
    left -= head.count
    guard head.little(4, 4) <= left else { throw PictureFilter.Fault(reason: Reason(.pictureBroken)) }
    let count = padded(head.little(4, 4))
    left -= count
    state = .data
    if Self.needed.contains(String(decoding: head[..<4], as: UTF8.self)) {
      kept += head
      return .keep(count)
    }
    kept += Array("JUNK".utf8) + head[4...]
    return .blank(count)
  }

  /// The bytes of a chunk with its padding to an even count, which the last one of a file may lack.
  private func padded(_ count: Int) -> Int { min(count + count % 2, left) }

  /// The bytes at the start of each kind of first chunk that hold the picture's size.
  private static let bytesOfSize = ["VP8X": 10, "VP8L": 5, "VP8 ": 10]

  private func check(_ name: String, _ bytes: [UInt8]) throws(PictureFilter.Fault) {
    switch name {
    case "VP8X":
      try PictureFilter.check(width: bytes.little(4, 3) + 1, height: bytes.little(7, 3) + 1)
    case "VP8L":
      let bits = bytes.little(1, 4)
      try PictureFilter.check(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
    default:
      try PictureFilter.check(width: bytes.little(6, 2) & 0x3fff, height: bytes.little(8, 2) & 0x3fff)
    }
  }
}
