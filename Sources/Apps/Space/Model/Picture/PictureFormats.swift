import Wire

/// PNG (ISO/IEC 15948, section 5): a signature, then chunks from IHDR to IEND.
struct PNGFormat: PictureFormat {
  private enum State { case signature, header, chunk, data(isLast: Bool) }
  private var state = State.signature
  /// Length, name, the data of IHDR and its checksum.
  private static let headerBytes = 25

  var first: PictureStructure.Step { .take(8) }

  mutating func next(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step {
    switch state {
    case .signature:
      state = .header
      return .take(Self.headerBytes)
    case .header:
      guard bytes.big(0, 4) == 13, Array(bytes[4..<8]) == Array("IHDR".utf8) else {
        throw PictureStructure.Fault(reason: Reason(.pictureHeadless))
      }
      try PictureStructure.check(width: bytes.big(8, 4), height: bytes.big(12, 4))
      state = .chunk
      return .take(8)
    case .chunk:
      let isLast = Array(bytes[4..<8]) == Array("IEND".utf8)
      state = .data(isLast: isLast)
      return .skip(bytes.big(0, 4) + 4)
    case .data(let isLast):
      state = .chunk
      return isLast ? .end : .take(8)
    }
  }
}

/// JPEG (ITU-T T.81, annex B): segments behind markers, and between them the pixels, in which a byte 0xFF stands alone
/// only as a marker.
struct JPEGFormat: PictureFormat {
  private enum State { case start, marker, filling, length(UInt8), frame, segment(UInt8), pixels }
  private var state = State.start
  private var hasSize = false

  var first: PictureStructure.Step { .take(2) }

  mutating func next(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step {
    switch state {
    case .start:
      state = .marker
      return .take(2)
    case .marker:
      guard bytes[0] == 0xff else { throw PictureStructure.Fault(reason: Reason(.pictureBroken)) }
      return try marker(bytes[1])
    case .filling: return try marker(bytes[0])
    case .length(let marker):
      let count = bytes.big(0, 2) - 2
      guard count >= 0 else { throw PictureStructure.Fault(reason: Reason(.pictureSegment)) }
      // SOF: all of C0 to CF but the tables DHT, JPG and DAC.
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        guard count >= 6 else { throw PictureStructure.Fault(reason: Reason(.pictureHeadless)) }
        state = .frame
        return .take(count)
      }
      state = .segment(marker)
      return .skip(count)
    case .frame:
      // A height of 0 is told later, by a marker that no browser knows.
      try PictureStructure.check(width: bytes.big(3, 2), height: bytes.big(1, 2))
      hasSize = true
      state = .marker
      return .take(2)
    case .segment(let marker):
      if marker == 0xda {
        state = .pixels
        return .seekMarker
      }
      state = .marker
      return .take(2)
    case .pixels:
      state = .marker
      return .take(2)
    }
  }

  private mutating func marker(_ marker: UInt8) throws(PictureStructure.Fault) -> PictureStructure.Step {
    switch marker {
    case 0xd9:
      guard hasSize else { throw PictureStructure.Fault(reason: Reason(.pictureHeadless)) }
      return .end
    // A byte of the pixels, and marks between them.
    case 0x00, 0x01, 0xd0...0xd7:
      state = .pixels
      return .seekMarker
    // Any number of these may stand before a marker.
    case 0xff:
      state = .filling
      return .take(1)
    default:
      state = .length(marker)
      return .take(2)
    }
  }
}

/// GIF (version 89a, sections 18 to 27): a screen, then blocks up to the trailer.
struct GIFFormat: PictureFormat {
  private enum State { case screen, block, image, label, code, subBlock, data }
  private var state = State.screen

  var first: PictureStructure.Step { .take(13) }

  mutating func next(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step {
    switch state {
    case .screen:
      try PictureStructure.check(width: bytes.little(6, 2), height: bytes.little(8, 2))
      return block(behind: Self.tableBytes(bytes[10]))
    case .block: return try begin(bytes)
    case .image:
      try PictureStructure.check(width: bytes.little(4, 2), height: bytes.little(6, 2))
      state = .code
      return .skip(Self.tableBytes(bytes[8]) + 1)
    case .label, .code, .data:
      state = .subBlock
      return .take(1)
    case .subBlock:
      guard bytes[0] > 0 else { return block(behind: 0) }
      state = .data
      return .skip(Int(bytes[0]))
    }
  }

  private mutating func block(behind count: Int) -> PictureStructure.Step {
    // What is skipped comes back here with no bytes.
    state = .block
    return count > 0 ? .skip(count) : .take(1)
  }

  private mutating func begin(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step {
    switch bytes.first {
    case nil: return .take(1)
    case 0x3b: return .end
    case 0x2c:
      state = .image
      return .take(9)
    case 0x21:
      state = .label
      return .skip(1)
    default: throw PictureStructure.Fault(reason: Reason(.pictureBroken))
    }
  }

  /// Bytes of a table of colours, by the flags that announce it.
  private static func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}

/// WebP (RFC 9649, section 2): one RIFF file of a size that its head tells; the first chunk knows the pixels.
struct WebPFormat: PictureFormat {
  private var rest: Int?

  /// The file's head, the first chunk's, and as much of that as tells the size.
  var first: PictureStructure.Step { .take(30) }

  mutating func next(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step {
    guard rest == nil else { return .end }
    let left = bytes.little(4, 4) + 8 - bytes.count
    guard left >= 0 else { throw PictureStructure.Fault(reason: Reason(.pictureHeadless)) }
    rest = left
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8X":
      try PictureStructure.check(width: bytes.little(24, 3) + 1, height: bytes.little(27, 3) + 1)
    case "VP8L":
      let bits = bytes.little(21, 4)
      try PictureStructure.check(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
    case "VP8 ":
      try PictureStructure.check(width: bytes.little(26, 2) & 0x3fff, height: bytes.little(28, 2) & 0x3fff)
    default: throw PictureStructure.Fault(reason: Reason(.pictureHeadless))
    }
    return .skip(left)
  }
}
