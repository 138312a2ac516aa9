package import Wire

/// Follows a picture from its first byte to the last that its format asks for, piece by piece as it comes: so what
/// broke off on its way is not kept, and neither is a small file that would unfold to a wall of pixels in every
/// browser. Its colours are the browser's business. What follows behind the end is nobody's.
package struct PictureStructure {
  /// What is wrong with it, as a whole sentence.
  package struct Fault: Error, Equatable {
    package var reason: Reason
  }

  /// What a format wants next.
  enum Step {
    /// So many bytes at once.
    case take(Int)
    /// So many bytes that say nothing about the structure.
    case skip(Int)
    /// What lies before the next byte 0xFF.
    case seekMarker
    case end
  }

  package private(set) var type: PictureType?
  private var beginning: [UInt8] = []
  /// Whether its beginning has been looked at, which may have shown that it is no picture.
  private var isBegun = false
  private var format: (any PictureFormat)?
  private var step = Step.take(PictureType.signatureBytes)
  private var taken: [UInt8] = []

  package init() {}

  package mutating func feed(_ piece: [UInt8]) throws(Fault) {
    guard !isBegun else { return try follow(piece[...]) }
    beginning += piece
    if beginning.count >= PictureType.signatureBytes { try begin() }
  }

  /// - Returns: what kind of picture it was.
  /// - Throws: when it broke off, or is none.
  package mutating func finish() throws(Fault) -> PictureType? {
    if !isBegun { try begin() }
    guard let type, format != nil else { return type }
    guard case .end = step else { throw Fault(reason: Reason(.pictureCutOff)) }
    return type
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
    case .svg, nil: return
    }
    step = format?.first ?? .end
    try follow(bytes[...])
  }

  private mutating func follow(_ piece: ArraySlice<UInt8>) throws(Fault) {
    var rest = piece
    while format != nil {
      switch step {
      case .end: return
      case .skip(let count):
        let skipped = min(count, rest.count)
        rest = rest.dropFirst(skipped)
        if skipped < count {
          step = .skip(count - skipped)
          return
        }
        try proceed([])
      case .seekMarker:
        guard let marker = rest.firstIndex(of: 0xff) else { return }
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

  private mutating func proceed(_ bytes: [UInt8]) throws(Fault) {
    guard var following = format else { return }
    step = try following.next(bytes)
    format = following
  }

  static func check(width: Int, height: Int) throws(Fault) {
    guard width > 0, height > 0 else { throw Fault(reason: Reason(.pictureEmpty)) }
    guard max(width, height) <= SpaceLimits.pictureSide, width * height <= SpaceLimits.picturePixels else {
      throw Fault(
        reason: Reason(
          .pictureTooLarge,
          [
            "width": .number(width), "height": .number(height),
            "millions": .number(SpaceLimits.picturePixels / 1_000_000), "side": .number(SpaceLimits.pictureSide),
          ]))
    }
  }
}

/// Knows how the parts of a picture follow each other.
protocol PictureFormat {
  var first: PictureStructure.Step { get }
  /// - Parameter bytes: those that were to be taken; empty behind what was skipped.
  mutating func next(_ bytes: [UInt8]) throws(PictureStructure.Fault) -> PictureStructure.Step
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
