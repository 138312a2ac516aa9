/// A job as the program gets it: its picture is in the frame, or a descriptor that comes along.
public struct JobMessage: Equatable, Sendable {
  public var wish: PictureJob.Wish
  public var name: String?
  /// Nil: the picture is the descriptor.
  public var picture: [UInt8]?

  public init(wish: PictureJob.Wish, name: String? = nil, picture: [UInt8]? = nil) {
    (self.wish, self.name, self.picture) = (wish, name, picture)
  }

  public var frame: Frame {
    var content = ContentWriter()
    switch wish {
    case .preview: content.number(0)
    case .sizes(let edges):
      content.number(edges.count)
      for edge in edges { content.number(edge) }
    }
    content.word(name)
    content.number(picture == nil ? 0 : 1)
    content.data(picture ?? [])
    return Frame(.job, content.bytes)
  }

  public init(_ frame: Frame) throws(Frame.Fault) {
    guard frame.kind == .job else { throw .malformed }
    var content = ContentReader(frame.content)
    var edges: [Int] = []
    for _ in 0..<(try content.number(atMost: ImagingLimits.sizes)) {
      let edge = try content.number()
      guard ImagingLimits.edges.contains(edge) else { throw .malformed }
      edges.append(edge)
    }
    wish = edges.isEmpty ? .preview : .sizes(edges)
    name = try content.word()
    let isInline = try content.number(atMost: 1) == 1
    let bytes = try content.data(atMost: ImagingLimits.inlineBytes)
    guard isInline || bytes.isEmpty else { throw .malformed }
    picture = isInline ? bytes : nil
    try content.finish()
  }
}

/// The program's first message.
public struct ReadyMessage: Equatable, Sendable {
  /// The level of protection that this machine gave, in words.
  public var sandbox: String
  /// The reason why there are no videos; nil if there are.
  public var videoProblem: String?

  public init(sandbox: String, videoProblem: String?) { (self.sandbox, self.videoProblem) = (sandbox, videoProblem) }

  public var frame: Frame {
    var content = ContentWriter()
    content.word(sandbox)
    content.word(videoProblem)
    return Frame(.ready, content.bytes)
  }

  public init(_ frame: Frame) throws(Frame.Fault) {
    guard frame.kind == .ready else { throw .malformed }
    var content = ContentReader(frame.content)
    sandbox = try content.word() ?? ""
    videoProblem = try content.word()
    try content.finish()
  }
}

/// The end of a job.
public enum Outcome: Equatable, Sendable {
  case made(MadePicture)
  case failed(PictureError)

  public var frame: Frame {
    var content = ContentWriter()
    switch self {
    case .failed(let error):
      switch error {
      case .notAPicture(let words): (content.number(1), content.word(words)).1
      case .tooLarge(let words): (content.number(2), content.word(words)).1
      default: (content.number(3), content.word(error.description)).1
      }
      return Frame(.failed, content.bytes)
    case .made(let picture):
      content.number(MadePicture.Kind.allCases.firstIndex(of: picture.kind)!)
      content.number(picture.width)
      content.number(picture.height)
      content.word(picture.taken)
      content.word(picture.pair)
      content.data(Array(picture.words.title.utf8))
      content.data(Array(picture.words.caption.utf8))
      content.data(picture.placeholder)
      content.number(picture.sizes.count)
      for (edge, bytes) in picture.sizes.sorted(by: { $0.key < $1.key }) {
        content.number(edge)
        content.data(bytes)
      }
      return Frame(.made, content.bytes)
    }
  }

  /// Everything from the program is checked like everything from outside: a broken picture may have taken it over.
  public init(_ frame: Frame) throws(Frame.Fault) {
    var content = ContentReader(frame.content)
    switch frame.kind {
    case .failed:
      let kind = try content.number()
      let words = try content.word() ?? ""
      self = .failed(kind == 1 ? .notAPicture(words) : kind == 2 ? .tooLarge(words) : .helperFailed(words))
    case .made:
      var picture = MadePicture()
      picture.kind = MadePicture.Kind.allCases[try content.number(atMost: MadePicture.Kind.allCases.count - 1)]
      picture.width = try content.number(atMost: ImagingLimits.side)
      picture.height = try content.number(atMost: ImagingLimits.side)
      picture.taken = try content.word().flatMap { isCameraTime($0) ? $0 : nil }
      picture.pair = try content.word().flatMap { isContentIdentifier($0) ? $0 : nil }
      picture.words = PictureWords(
        title: try content.text(atMost: ImagingLimits.titleCharacters),
        caption: try content.text(atMost: ImagingLimits.captionCharacters))
      picture.placeholder = try content.data(atMost: ThumbHash.longest)
      for _ in 0..<(try content.number(atMost: ImagingLimits.sizes)) {
        let edge = try content.number(atMost: ImagingLimits.edges.upperBound)
        let bytes = try content.data(atMost: ImagingLimits.frameBytes)
        guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { throw .malformed }
        picture.sizes[edge] = bytes
      }
      self = .made(picture)
    case .job, .ready: throw .malformed
    }
    try content.finish()
  }
}
