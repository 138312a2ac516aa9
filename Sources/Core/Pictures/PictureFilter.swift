public import Wire

/// Follows a picture from its first byte to the last that its format asks for, piece by piece as it comes, and gives
/// back what is to be kept of it.
///
/// What broke off on its way is refused, and so is a small file that would unfold to a wall of pixels in every browser.
/// Left out is all that is not needed to show the picture: where, when and with what it was taken (EXIF, XMP, IPTC),
/// words, small copies of it, and whatever follows behind its end. Its colours are the browser's business.
public struct PictureFilter {
  /// What is wrong with it, as a whole sentence.
  public struct Fault: Error, Equatable {
    public var reason: Reason
  }

  /// What a format wants next.
  enum Step {
    /// So many bytes at once, of which the format itself says what is kept.
    case take(Int)
    /// So many bytes that are kept.
    case keep(Int)
    /// So many bytes that are left out.
    case drop(Int)
    /// So many bytes in whose place as many zeros are kept.
    case blank(Int)
    /// What lies before the next byte 0xFF, which is kept.
    case seekMarker
    case end
  }

  public private(set) var type: PictureType?
  private var beginning: [UInt8] = []
  /// Whether its beginning has been looked at, which may have shown that it is no picture.
  private var isBegun = false
  private var format: (any PictureFormat)?
  private var step = Step.take(PictureType.signatureBytes)
  private var taken: [UInt8] = []
  private var kept: [UInt8] = []

  public init() {}

  /// - Returns: what is to be kept of all that has come, in pieces of its own.
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

  /// - Returns: what kind of picture it was, nil if it was none, and what is still to be kept.
  /// - Throws: when it broke off.
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
    // A drawing has no size in memory; of others it is not known what they are.
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

  /// - Returns: whether so many bytes were there; if not, the step goes on with the next piece.
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

/// Knows how the parts of a picture follow each other, and which of them are needed to show it.
protocol PictureFormat {
  var first: PictureFilter.Step { get }
  /// - Parameters:
  ///   - bytes: those that were to be taken; empty behind all other steps.
  ///   - kept: gets those of them that are kept.
  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step
}

extension [UInt8] {
  /// A number of so many bytes, the highest first.
  func big(_ offset: Int, _ count: Int) -> Int { self[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) } }
  /// The same, the lowest first.
  func little(_ offset: Int, _ count: Int) -> Int {
    self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// What is wrong with a picture.
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
