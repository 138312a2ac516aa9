import Wire

/// JPEG (ITU-T T.81, annex B): segments that begin with markers, and entropy-coded data, in which a byte 0xFF without a
/// following 0x00 begins a marker.
struct JPEGFormat: PictureFormat {
  private enum State {
    case start, marker, filling, pixels
    /// Each with the marker of its segment.
    case length(UInt8), frame(UInt8), application(UInt8), segment(UInt8)
  }
  private var state = State.start
  private var hasSize = false
  private var hasOrientation = false

  var first: PictureFilter.Step { .take(2) }

  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch state {
    case .start:
      kept += bytes
      state = .marker
      return .take(2)
    case .marker:
      guard bytes[0] == 0xff else { throw PictureFilter.Fault(reason: Reason(.pictureBroken)) }
      return try marker(bytes[1], &kept)
    case .filling: return try marker(bytes[0], &kept)
    case .length(let marker): return try begin(marker, bytes, &kept)
    case .frame(let marker):
      // A height of 0 means that a later marker (DNL) tells it, which no browser supports.
      try PictureFilter.check(width: bytes.big(3, 2), height: bytes.big(1, 2))
      hasSize = true
      Self.write(marker, bytes, to: &kept)
      state = .marker
      return .take(2)
    case .application(let marker):
      if let needed = needed(marker, bytes) { Self.write(marker, needed, to: &kept) }
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

  private mutating func marker(
    _ marker: UInt8, _ kept: inout [UInt8]
  ) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch marker {
    case 0xd9:
      guard hasSize else { throw PictureFilter.Fault(reason: Reason(.pictureHeadless)) }
      kept += [0xff, marker]
      return .end
    // A stuffed byte of the data, and markers without a segment: TEM, RST.
    case 0x00, 0x01, 0xd0...0xd7:
      kept += [0xff, marker]
      state = .pixels
      return .seekMarker
    // Fill bytes: any number may stand before a marker.
    case 0xff:
      kept.append(0xff)
      state = .filling
      return .take(1)
    default:
      state = .length(marker)
      return .take(2)
    }
  }

  private mutating func begin(
    _ marker: UInt8, _ length: [UInt8], _ kept: inout [UInt8]
  ) throws(PictureFilter.Fault) -> PictureFilter.Step {
    let count = length.big(0, 2) - 2
    guard count >= 0 else { throw PictureFilter.Fault(reason: Reason(.pictureSegment)) }
    switch marker {
    // SOF: all of C0 to CF except DHT (C4), JPG (C8) and DAC (CC).
    case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(marker):
      guard count >= 6 else { throw PictureFilter.Fault(reason: Reason(.pictureHeadless)) }
      state = .frame(marker)
      return .take(count)
    // Kept in part: JFIF; EXIF and XMP; colour profiles; Adobe's colour transform.
    case 0xe0, 0xe1, 0xe2, 0xee:
      state = .application(marker)
      return .take(count)
    // Left out: segments of other programs and cameras, and comments.
    case 0xe3...0xef, 0xfe:
      state = .segment(marker)
      return .drop(count)
    default:
      kept += [0xff, marker] + length
      state = .segment(marker)
      return .keep(count)
    }
  }

  /// The part to keep of a segment APP0, APP1, APP2 or APP14; nil to leave it out.
  private mutating func needed(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8]? {
    switch marker {
    case 0xe0:
      guard bytes.count >= 14, bytes.starts(with: "JFIF\0".utf8) else { return nil }
      // JFIF without its thumbnail.
      return Array(bytes[..<12]) + [0, 0]
    case 0xe1:
      guard !hasOrientation, let turned = EXIF.orientation(bytes), turned != 1 else { return nil }
      hasOrientation = true
      return EXIF.segment(orientation: turned)
    case 0xe2: return bytes.starts(with: "ICC_PROFILE\0".utf8) ? bytes : nil
    default: return bytes.starts(with: "Adobe".utf8) ? bytes : nil
    }
  }

  private static func write(_ marker: UInt8, _ bytes: [UInt8], to kept: inout [UInt8]) {
    let length = bytes.count + 2
    kept += [0xff, marker, UInt8(length >> 8), UInt8(length & 255)]
    kept += bytes
  }
}

/// The one entry of EXIF (CIPA DC-008) that is needed to show a picture: its orientation.
enum EXIF {
  private static let signature = Array("Exif\0\0".utf8)
  private static let orientationTag = 0x0112

  /// The orientation, 1 to 8, in a JPEG segment; nil if it has none.
  static func orientation(_ segment: [UInt8]) -> Int? {
    guard segment.starts(with: signature) else { return nil }
    let file = Array(segment[signature.count...])
    guard file.count >= 8 else { return nil }
    let isBig: Bool
    switch Array(file[..<4]) {
    case Array("MM\0*".utf8): isBig = true
    case Array("II*\0".utf8): isBig = false
    default: return nil
    }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset + count <= file.count else { return nil }
      return isBig ? file.big(offset, count) : file.little(offset, count)
    }
    guard let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
    for entry in 0..<entries {
      // Tag, type, count, value; type 3 is a number of two bytes.
      let place = directory + 2 + 12 * entry
      guard let tag = number(place, 2), let type = number(place + 2, 2), let value = number(place + 8, 2) else { break }
      if tag == orientationTag { return type == 3 && (1...8).contains(value) ? value : nil }
    }
    return nil
  }

  /// A segment with this orientation and nothing else.
  static func segment(orientation: Int) -> [UInt8] {
    // The TIFF header, one entry, and no further directory.
    signature + Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0] + [0, 0, 0, 0]
  }
}
