public import Wire

/// Checks a picture while it arrives in pieces, and returns it without metadata.
///
/// Refused are truncated pictures, and small files that would unfold to huge pictures in every browser. Left out is all
/// that is not needed to show the picture: where, when and with what it was taken (EXIF, XMP, IPTC), texts, thumbnails,
/// and bytes after its end. Colour profiles are kept.
public struct PictureFilter {
  /// The reason why a picture is refused, as a whole sentence.
  public struct Fault: Error, Equatable {
    public var reason: Reason
  }

  /// The next step that a format asks for.
  enum Step {
    /// Pass so many bytes at once to the format, which decides what is kept of them.
    case take(Int)
    /// Keep so many bytes.
    case keep(Int)
    /// Leave out so many bytes.
    case drop(Int)
    /// Keep as many zeros in place of so many bytes.
    case blank(Int)
    /// Keep all bytes before the next byte 0xFF.
    case seekMarker
    case end
  }

  public private(set) var type: PictureType?
  private var beginning: [UInt8] = []
  /// True once the first bytes were examined, which may have shown that this is no picture.
  private var isBegun = false
  private var format: (any PictureFormat)?
  private var step = Step.take(PictureType.signatureBytes)
  private var taken: [UInt8] = []
  private var kept: [UInt8] = []

  public init() {}

  /// Takes the next piece.
  /// - Returns: the bytes to keep so far.
  public mutating func feed(_ piece: [UInt8]) throws(Fault) -> [UInt8] {
    if isBegun {
      try follow(piece[...])
    } else {
      beginning += piece
      if beginning.count >= PictureType.signatureBytes { try begin() }
    }
    defer { kept = [] }
    return kept
  }

  /// Ends the picture.
  /// - Returns: the kind of picture, nil if it is none, and the last bytes to keep.
  /// - Throws: when the picture is truncated.
  public mutating func finish() throws(Fault) -> (type: PictureType?, rest: [UInt8]) {
    if !isBegun { try begin() }
    if format != nil {
      guard case .end = step else { throw Fault(reason: Reason(.pictureCutOff)) }
    }
    return (type, kept)
  }

  private mutating func begin() throws(Fault) {
    isBegun = true
    type = PictureType(beginning: beginning)
    let bytes = beginning
    beginning = []
    switch type {
    case .png: format = PNGFormat()
    case .jpeg: format = JPEGFormat()
    case .gif: format = GIFFormat()
    case .webp: format = WebPFormat()
    // A drawing has no size in pixels; other files are of an unknown kind.
    case .svg, nil: format = nil
    }
    step = format?.first ?? .end
    try follow(bytes[...])
  }

  private mutating func follow(_ piece: ArraySlice<UInt8>) throws(Fault) {
    guard format != nil else {
      kept += piece
      return
    }
    var rest = piece
    while true {
      switch step {
      case .end: return
      case .keep(let count):
        kept += rest.prefix(count)
        guard try pass(count, of: &rest, { .keep($0) }) else { return }
      case .drop(let count): guard try pass(count, of: &rest, { .drop($0) }) else { return }
      case .blank(let count):
        kept += repeatElement(0, count: min(count, rest.count))
        guard try pass(count, of: &rest, { .blank($0) }) else { return }
      case .seekMarker:
        let marker = rest.firstIndex(of: 0xff)
        kept += rest[..<(marker ?? rest.endIndex)]
        guard let marker else { return }
        rest = rest[marker...]
        try proceed([])
      case .take(let count):
        let wanted = count - taken.count
        taken += rest.prefix(wanted)
        rest = rest.dropFirst(wanted)
        if taken.count < count { return }
        let bytes = taken
        taken = []
        try proceed(bytes)
      }
    }
  }

  /// - Returns: true if so many bytes were there; if not, the step continues with the next piece.
  private mutating func pass(
    _ count: Int, of rest: inout ArraySlice<UInt8>, _ again: (Int) -> Step
  ) throws(Fault) -> Bool {
    let passed = min(count, rest.count)
    rest = rest.dropFirst(passed)
    guard passed == count else {
      step = again(count - passed)
      return false
    }
    try proceed([])
    return true
  }

  private mutating func proceed(_ bytes: [UInt8]) throws(Fault) {
    guard var following = format else { return }
    step = try following.next(bytes, &kept)
    format = following
  }

  static func check(width: Int, height: Int) throws(Fault) {
    guard width > 0, height > 0 else { throw Fault(reason: Reason(.pictureEmpty)) }
    guard max(width, height) <= PictureLimits.side, width * height <= PictureLimits.pixels else {
      throw Fault(
        reason: Reason(
          .pictureTooLarge,
          [
            "width": .number(width), "height": .number(height),
            "millions": .number(PictureLimits.pixels / 1_000_000), "side": .number(PictureLimits.side),
          ]))
    }
  }
}

/// Knows the order of a picture's parts, and which of them are needed to show it.
protocol PictureFormat {
  var first: PictureFilter.Step { get }
  /// The next step.
  /// - Parameters:
  ///   - bytes: those of a step `take`; empty after all other steps.
  ///   - kept: receives those of them that are kept.
  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step
}

extension [UInt8] {
  /// A big-endian number of so many bytes.
  func big(_ offset: Int, _ count: Int) -> Int { self[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) } }
  /// A little-endian number of so many bytes.
  func little(_ offset: Int, _ count: Int) -> Int {
    self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The reasons why a picture is refused.
extension Reason.Kind {
  static let pictureCutOff = Self("picture-cut-off", "The picture breaks off.")
  static let pictureEmpty = Self("picture-empty", "The picture has no pixels.")
  static let pictureBroken = Self("picture-broken", "The picture is broken inside.")
  static let pictureHeadless = Self("picture-headless", "The picture has no header.")
  static let pictureSegment = Self("picture-segment", "The picture has a segment without a length.")
  static let pictureTooLarge = Self(
    "picture-too-large",
    "The picture has {width} × {height} pixels; up to {millions} million are accepted, and {side} on a side.")
}
