/// What a block of the heap is.
public struct BlockType: Equatable, Sendable {
  public enum Language: String, Sendable {
    case swift = "Swift"
    case c = "C"
    case unknown
  }
  public enum Kind: String, Sendable {
    case unknown
    case object
    case closure
    /// A variable that a closure has captured, or a value behind a pointer of Swift's own.
    case box
    case error
    case task
    /// What Swift keeps beside an object that is referred to weakly.
    case sideTable
    case c
  }
  public struct Field: Equatable, Sendable {
    /// Such as "next", "state.owner".
    public var name: String
    /// In bytes from the object's start.
    public var offset: Int
    public var typeName: String
    public var kind: Reference.Kind
    /// Whether Swift counts a reference here, so that a cycle through it is one of Swift's.
    public var isReference: Bool

    public init(
      _ name: String, offset: Int, typeName: String = "", kind: Reference.Kind = .strong, isReference: Bool = true
    ) {
      self.name = name
      self.offset = offset
      self.typeName = typeName
      self.kind = kind
      self.isReference = isReference
    }
  }

  public var name: String
  public var language: Language
  public var kind: Kind
  /// In the order of their offsets.
  public var fields: [Field]
  /// From the nearest superclass up.
  public var superclasses: [String]
  /// Bytes of the stored properties; what lies behind them in a block is the storage of a collection. nil when unknown.
  public var size: Int?
  /// Of a type whose references follow one another, such as an array's storage: where they begin, and how far apart
  /// they are, in bytes.
  public var elements: (first: Int, stride: Int)?

  public init(
    _ name: String, _ language: Language = .swift, _ kind: Kind = .object, fields: [Field] = [],
    superclasses: [String] = [], size: Int? = nil, elements: (first: Int, stride: Int)? = nil
  ) {
    self.size = size
    self.name = name
    self.language = language
    self.kind = kind
    self.fields = fields.sorted { $0.offset < $1.offset }
    self.superclasses = superclasses
    self.elements = elements
  }

  public static let unknown = BlockType("untyped block", .unknown, .unknown)
  public static let sideTable = BlockType("side table of weak references", .swift, .sideTable)

  public static func == (a: BlockType, b: BlockType) -> Bool {
    a.name == b.name && a.language == b.language && a.kind == b.kind && a.fields == b.fields
      && a.superclasses == b.superclasses && a.size == b.size && a.elements?.first == b.elements?.first
      && a.elements?.stride == b.elements?.stride
  }

  /// Swift's modules and what is made of them; everything else of Swift's is somebody's own.
  private static let systemModules: Set<Substring> = [
    "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "Dispatch", "__C", "Observation", "Distributed",
  ]

  /// Whether the program's author has written this type.
  public var isOwn: Bool {
    guard language == .swift, kind == .object else { return false }
    // "Victim.Box<Int>", and not "Dictionary<String, Victim.Entry> storage".
    let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.dropFirst(module.count).first == "." && !Self.systemModules.contains(module)
  }

  /// What stands at a place: a field's name, "[3]", "[3].owner", or "+24" where nothing is known.
  public func label(at offset: Int) -> String {
    guard let elements, offset >= elements.first, elements.stride > 0 else {
      if isInStorage(offset) { return "[…]" }
      return field(at: offset)?.name ?? "+\(offset)"
    }
    let (index, place) = (offset - elements.first).quotientAndRemainder(dividingBy: elements.stride)
    return "[\(index)]" + (field(at: place).map { ".\($0.name)" } ?? "")
  }

  private func isInStorage(_ offset: Int) -> Bool {
    size.map { offset >= $0 } == true && name.hasSuffix(" storage")
  }

  /// The field that a word of the object, or of one of its elements, belongs to.
  public func field(at offset: Int) -> Field? { fields.last { $0.offset <= offset } }

  /// Whether Swift is known to count a reference at this place.
  public func isReference(at offset: Int) -> Bool {
    if kind == .closure && fields.isEmpty || isInStorage(offset) { return true }
    guard let elements else { return field(at: offset).map { $0.isReference && $0.kind == .strong } ?? false }
    guard offset >= elements.first else { return false }
    guard !fields.isEmpty else { return true }
    return field(at: (offset - elements.first) % elements.stride).map { $0.isReference && $0.kind == .strong } ?? false
  }
}
