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
    /// What the functions of a task keep while they wait, or call each other: its stack, so to speak.
    case frames
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
    /// Whether it holds a value of any type (`any Protocol`): three words for the value, or for the box that it is in,
    /// and its type.
    public var isExistential = false
    /// Whether Swift does not say what stands here, such as in an enumeration of several payloads, a value of any type
    /// or what cannot be laid out: a reference there may also be one that nothing counts.
    public var isVague = false
    /// Of an optional structure: how it says that there is none; kept in no file, as the next two.
    var absence: Absence?
    /// Of an enumeration that has nothing but its cases: their names, and how many bytes it takes.
    var cases: [String] = []
    var caseSize = 0

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

  /// Equal parts that follow one another in a block: an array's elements, a dictionary's keys, or its values.
  public struct Elements: Equatable, Sendable {
    public enum Role: String, Sendable {
      /// Of an array: each has its place.
      case element
      /// Of a set: each has a bucket.
      case member
      case key
      /// Of a dictionary: each is in the bucket that its key is in.
      case value
    }
    public var role: Role
    /// Where the first is, and how far they are apart, in bytes.
    public var first: Int
    public var stride: Int
    /// How many there is room for; nil where they fill the block.
    public var count: Int?
    /// What one of them is made of, in the order of their offsets, which are counted from its start. The name of what
    /// fills it whole is empty.
    public var fields: [Field]

    public init(_ role: Role = .element, first: Int, stride: Int, count: Int? = nil, fields: [Field] = []) {
      (self.role, self.first, self.stride, self.count, self.fields) = (role, first, stride, count, fields)
    }

    /// Which one an offset lies in, and where in it; nil for one outside.
    @inline(__always)
    public func place(_ offset: Int) -> (index: Int, offset: Int)? {
      guard first >= 0, offset >= first, stride > 0 else { return nil }
      let (index, rest) = (offset - first).quotientAndRemainder(dividingBy: stride)
      if let count, index >= count { return nil }
      return (index, rest)
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
  /// Of a collection's storage; none of others.
  public var elements: [Elements]

  public init(
    _ name: String, _ language: Language = .swift, _ kind: Kind = .object, fields: [Field] = [],
    superclasses: [String] = [], size: Int? = nil, elements: [Elements] = []
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
  public static let frames = BlockType("frames of a task", .swift, .frames)

  /// Swift's modules and what is made of them; everything else of Swift's is somebody's own.
  private static let systemModules: Set<Substring> = [
    "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Dispatch",
    "__C", "Observation", "Distributed",
  ]

  /// Whether the program's author has written this type.
  public var isOwn: Bool {
    guard language == .swift, kind == .object else { return false }
    // "Victim.Box<Int>", and not "Dictionary<String, Victim.Entry> storage".
    let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.dropFirst(module.count).first == "." && !Self.systemModules.contains(module)
  }

  /// What stands at a place: a field's name, "[3]", "[3].owner", "[bucket 5].value", or "+24" where nothing is known.
  public func label(at offset: Int) -> String {
    label(at: offset) { elements, index in
      switch elements.role {
      case .element: "[\(index)]"
      case .member: "[bucket \(index)]"
      case .key: "[bucket \(index)].key"
      case .value: "[bucket \(index)].value"
      }
    }
  }

  /// The same for every element of a collection: "[…].owner".
  public func pattern(at offset: Int) -> String { label(at: offset) { _, _ in "[…]" } }

  /// - Parameter name: how one of the elements is told.
  func label(at offset: Int, _ name: (Elements, Int) -> String) -> String {
    for part in elements {
      guard let (index, place) = part.place(offset) else { continue }
      let field = Self.field(part.fields, at: place)?.name ?? ""
      return name(part, index) + (field.isEmpty || field.hasPrefix("[") ? field : ".\(field)")
    }
    if kind == .frames || isInStorage(offset) { return "[…]" }
    if kind == .task, offset == Int(SwiftLayout.Task.slab) { return "frames" }
    if isText, offset == SwiftLayout.firstElement { return "text" }
    if isText, offset == Int(SwiftLayout.stringCount) { return "count" }
    guard let name = field(at: offset)?.name, !name.hasPrefix("+") else { return "+\(offset)" }
    return name.isEmpty ? "value" : name
  }

  /// Whether it is what a string is kept in that is too long to stand where it is used.
  public var isText: Bool { name == "__StringStorage" }

  private func isInStorage(_ offset: Int) -> Bool {
    size.map { offset >= $0 } == true && (name.hasSuffix(" storage") || isBuffer)
  }

  /// Whether its own storage lies behind its properties.
  private var isBuffer: Bool { superclasses.contains { $0.prefix { $0 != "<" } == "ManagedBuffer" } }

  /// Where an object of the program's, or a block literal, ends: what the allocator has given beyond that, it never
  /// uses. nil when there may be more behind its properties, as of every class that has none: such a class may have
  /// room of its own there (`ManagedBufferPointer`).
  var end: Int? {
    if kind == .c || isExecutor { return size }
    return isOwn && elements.isEmpty && !isBuffer && size ?? 0 > SwiftLayout.header ? size : nil
  }

  /// Whether it is one of Swift's own executors without properties, which live as long as the process: so does what
  /// somebody has left in the rest of their block, once and for all.
  private var isExecutor: Bool {
    !isOwn && kind == .object && name.hasSuffix("Executor") && size == SwiftLayout.header
  }

  /// In bytes, the largest block that has nothing behind that end: a larger one was asked for with more. glibc's chunks
  /// go by 16 bytes, of which 8 are its own, and keep a rest that is too small for a chunk (malloc/malloc.c, MINSIZE);
  /// our shim asks for a word more.
  var largestBytes: Int {
    guard let end, kind != .c else { return .max }
    return max(24, (end + 23) & ~15 - 8) + 16 + 8
  }

  /// The field that a word of the object, or of one of its elements, belongs to.
  public func field(at offset: Int) -> Field? {
    for part in elements { if let (_, place) = part.place(offset) { return Self.field(part.fields, at: place) } }
    return offset < size ?? .max ? Self.field(fields, at: offset) : nil
  }

  private static func field(_ fields: [Field], at offset: Int) -> Field? {
    index(fields, at: offset).map { fields[$0] }
  }

  /// The last that begins at or before an offset.
  private static func index(_ fields: [Field], at offset: Int) -> Int? {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// Whether Swift is known to count a reference at this place.
  public func isReference(at offset: Int) -> Bool {
    // It is asked for every reference of a process: most are those of plain objects.
    if elements.isEmpty, offset < size ?? .max, let index = Self.index(fields, at: offset) {
      return fields[index].isReference && fields[index].kind == .strong
    }
    if let field = field(at: offset) { return field.isReference && field.kind == .strong }
    switch kind {
    case .closure, .box, .error: return fields.isEmpty
    case .task, .frames: return true
    default: return isInStorage(offset)
    }
  }

  /// Whether Swift says what stands at this place: what looks like a strong reference there is one.
  public func isExact(at offset: Int) -> Bool { field(at: offset).map { !$0.isVague } ?? false }

  /// Strong references that an object has to itself: a task lives until it has ended, whoever forgets it.
  public var ownReferences: UInt32 { kind == .task && name != TaskState.ended.typeName ? 1 : 0 }
}
