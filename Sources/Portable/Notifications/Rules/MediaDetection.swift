extension MediaType {
  /// The type by what the file contains; nil if it is none of those accepted.
  /// - Parameter bytes: the beginning of the file.
  /// - Parameter hint: decides on an MPEG-4 file whose tracks are not within these bytes: audio if the hint says so.
  public init?(of bytes: [UInt8], hint: MediaHint? = nil) {
    let file = MediaBytes(bytes: bytes)
    if file.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if file.has(NotificationLimits.sealedFileStart) {
      self = .sealed
    } else if file.has("GIF87a") || file.has("GIF89a") {
      self = .gif
    } else if file.has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if file.has("FORM"), file.has("AIFF", at: 8) || file.has("AIFC", at: 8) {
      self = .aiff
    } else if file.has("RIFF"), file.has("WAVE", at: 8) {
      self = .wav
    } else if file.has("RIFF"), file.has("AVI ", at: 8) {
      self = .avi
    } else if file.has("ftyp", at: 4) {
      switch file.tracksOfMPEG4 {
      case .sound: self = .mpeg4Audio
      case .pictures: self = .mpeg4
      case .unknown: self = hint == .mpeg4Audio ? .mpeg4Audio : .mpeg4
      case .none: return nil
      }
    } else if let isSecond = file.isMPEG2 {
      self = isSecond ? .mpeg2 : .mpeg
    } else if file.isMP3 {
      self = .mp3
    } else {
      return nil
    }
  }
}

/// The beginning of a file, read without a step outside.
private struct MediaBytes {
  let bytes: [UInt8]

  subscript(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  func has(_ other: [UInt8], at start: Int = 0) -> Bool {
    guard start + other.count <= bytes.count else { return false }
    for index in other.indices where bytes[start + index] != other[index] { return false }
    return true
  }

  func has(_ text: StaticString, at start: Int = 0) -> Bool { hasPrefix(bytes, text, at: start) }

  /// A big-endian number of 32 bits, at most the largest that an Int of 32 bits has.
  func number(at index: Int) -> Int {
    var value: UInt32 = 0
    for offset in 0..<4 { value = value << 8 | UInt32(self[index + offset]) }
    return Int(min(value, 0x7FFF_FFFF))
  }

  // MARK: MPEG-4 (ISO 14496-12)

  enum Tracks {
    case sound, pictures
    /// The list of tracks is not within these bytes.
    case unknown
  }

  /// Nil if the brand is of another kind of file, such as QuickTime or HEIC.
  var tracksOfMPEG4: Tracks? {
    let end = min(number(at: 0), 512)
    var (isKnown, isAudio) = (false, false)
    var position = 8
    while position + 4 <= min(end, bytes.count) {
      for brand: StaticString in ["M4A ", "M4B "] where has(brand, at: position) {
        isKnown = true
        // As the main brand; among those it is compatible with, films name them too.
        if position == 8 { isAudio = true }
      }
      for brand: StaticString in [
        "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "MSNV", "dash",
      ]
      where has(brand, at: position) {
        isKnown = true
      }
      // The minor version stands behind the main brand.
      position += position == 8 ? 8 : 4
    }
    guard isKnown, !has("qt  ", at: 8), !has("heic", at: 8), !has("mif1", at: 8), !has("avif", at: 8) else {
      return nil
    }
    return isAudio ? .sound : tracks
  }

  /// The tracks by their handlers (moov, trak, mdia, hdlr); pictures with sound are pictures.
  private var tracks: Tracks {
    var hasSound = false
    var (position, steps) = (0, 0)
    // Boxes that hold those looked for are entered; others are skipped.
    while position + 8 <= bytes.count, steps < 1_000 {
      steps += 1
      if has("hdlr", at: position + 4) {
        if has("vide", at: position + 16) { return .pictures }
        if has("soun", at: position + 16) { hasSound = true }
      }
      let isParent =
        has("moov", at: position + 4) || has("trak", at: position + 4) || has("mdia", at: position + 4)
      let size = number(at: position)
      // A size of 1 stands for one of 64 bits, of 0 for the rest of the file: neither has more boxes behind it here.
      if !isParent, size < 8 { break }
      position += isParent ? 8 : min(size, bytes.count)
    }
    return hasSound ? .sound : .unknown
  }

  // MARK: MPEG and MPEG-2 (ISO 11172-1, 13818-1)

  /// True for MPEG-2, false for MPEG-1, nil for neither: a program stream, a video stream, or a transport stream.
  var isMPEG2: Bool? {
    if has([0, 0, 1, 0xBA]) {
      if self[4] & 0xC0 == 0x40 { return true }
      return self[4] & 0xF0 == 0x20 ? false : nil
    }
    if has([0, 0, 1, 0xB3]) {
      // A sequence of MPEG-2 has an extension behind its header, whose two tables of 64 bytes are optional.
      for start in [12, 76, 140] where has([0, 0, 1, 0xB5], at: start) { return true }
      return false
    }
    let isTransport = self[0] == 0x47 && self[188] == 0x47 && self[376] == 0x47
    return isTransport && bytes.count > 376 ? true : nil
  }

  // MARK: MP3 (ISO 11172-3, layer III)

  var isMP3: Bool {
    if has("ID3"), self[3] < 0xFF, self[4] < 0xFF { return bytes.count >= 10 }
    guard let length = frameLength(at: 0) else { return false }
    // Two bytes may be anything; a second frame behind the first is no chance.
    return length + 4 > bytes.count || frameLength(at: length) != nil
  }

  /// Bytes of the frame of layer III that begins at a place; nil if none does.
  private func frameLength(at start: Int) -> Int? {
    guard start + 4 <= bytes.count, self[start] == 0xFF, self[start + 1] & 0xE6 == 0xE2 else { return nil }
    let (version, rate, frequency) = (
      Int(self[start + 1] >> 3 & 3), Int(self[start + 2] >> 4), Int(self[start + 2] >> 2 & 3)
    )
    guard version != 1, rate > 0, rate < 15, frequency < 3 else { return nil }
    let isFirst = version == 3
    let kilobits =
      isFirst
      ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][rate]
      : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][rate]
    let hertz = [44_100, 48_000, 32_000][frequency] / (isFirst ? 1 : version == 2 ? 2 : 4)
    return (isFirst ? 144_000 : 72_000) * kilobits / hertz + Int(self[start + 2] >> 1 & 1)
  }
}
