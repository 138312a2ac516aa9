import Wire

/// PNG (W3C Recommendation, third edition, section 5): a signature, then chunks from IHDR to IEND.
struct PNGFormat: PictureFormat {
  private enum State { case signature, header, chunk, data(isLast: Bool) }
  private var state = State.signature
  /// Bytes of IHDR as a whole: length, name, data and checksum.
  private static let headerBytes = 25

  /// The ancillary chunks that are kept: those for colours and animation. Critical chunks, whose names begin with a
  /// capital, are kept anyway. Left out are texts (tEXt, zTXt, iTXt, also with XMP), EXIF (eXIf), and unknown chunks.
  private static let needed: Set<String> = [
    "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL",
    "fcTL", "fdAT",
  ]

  var first: PictureFilter.Step { .take(8) }

  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch state {
    case .signature:
      kept += bytes
      state = .header
      return .take(Self.headerBytes)
    case .header:
      guard bytes.big(0, 4) == 13, Array(bytes[4..<8]) == Array("IHDR".utf8) else {
        throw PictureFilter.Fault(reason: Reason(.pictureHeadless))
      }
      try PictureFilter.check(width: bytes.big(8, 4), height: bytes.big(12, 4))
      kept += bytes
      state = .chunk
      return .take(8)
    case .chunk:
      let name = String(decoding: bytes[4..<8], as: UTF8.self)
      state = .data(isLast: name == "IEND")
      // The data and its checksum.
      let count = bytes.big(0, 4) + 4
      guard bytes[4] & 0x20 == 0 || Self.needed.contains(name) else { return .drop(count) }
      kept += bytes
      return .keep(count)
    case .data(let isLast):
      state = .chunk
      return isLast ? .end : .take(8)
    }
  }
}

/// A PNG's width and height in pixels (section 11.2.1); nil if the bytes are too few.
/// - Parameter head: the first `pngHeadBytes` of a file that is a PNG.
public func pngSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
  head.count >= pngHeadBytes ? (head.big(16, 4), head.big(20, 4)) : nil
}

/// Bytes of the signature and of IHDR up to the height.
public let pngHeadBytes = 24
