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
    /// A captured variable, or an indirect value of Swift's.
    case box
    case error
    case task
    /// Memory of a task's asynchronous functions: its stack, so to speak.
    case frames
    /// The counts that Swift keeps outside of an object with weak references.
    case sideTable
    case c
  }
  public struct Field: Equatable, Sendable {
    /// The name, such as "next", "state.owner".
    public var name: String
    /// The offset in bytes from the object's start.
    public var offset: Int
    public var typeName: String
    public var kind: Reference.Kind
    /// True if Swift counts a reference here, so that a cycle through it is a retain cycle.
    public var isReference: Bool
    /// True for an existential (`any Protocol`): three words for the value, or for the box that contains it, and its
    /// type.
    public var isExistential = false
    /// True if Swift's metadata does not describe the contents, such as of an enumeration with several payloads, an
    /// existential, or a type without a known layout: a reference there may also be uncounted.
    public var isVague = false
    /// True for the identity of an object, such as a dictionary's key: nobody can get the object from it.
    var isIdentifier: Bool { typeName == "ObjectIdentifier" || typeName == "Optional<ObjectIdentifier>" }
    /// The bytes, from its offset, that are in no field for a part of it; nil if its size is unknown. Not stored in
    /// files, like the rest.
    var ownBytes: Range<Int>?
    var absence: Absence?
    /// The names of the cases of an enumeration without payloads, and its size in bytes.
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

  /// Equal consecutive parts of a block: an array's elements, or a dictionary's keys or values.
  public struct Elements: Equatable, Sendable {
    public enum Role: String, Sendable {
      case element
      /// A set's member, in a bucket.
      case member
      case key
      /// A dictionary's value, in the bucket of its key.
      case value
    }
    public var role: Role
    /// The offset of the first element, and the distance between two, in bytes.
    public var first: Int
    public var stride: Int
    /// The capacity; nil where they fill the block.
    public var count: Int?
    /// The parts of one element, ordered by their offsets from its start. The name of a part that fills the whole is
    /// empty.
    public var fields: [Field]

    public init(_ role: Role = .element, first: Int, stride: Int, count: Int? = nil, fields: [Field] = []) {
      (self.role, self.first, self.stride, self.count, self.fields) = (role, first, stride, count, fields)
    }

    /// The index of the element at an offset, and the offset within it; nil outside.
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
  /// Ordered by offset.
  public var fields: [Field]
  /// From the direct superclass up.
  public var superclasses: [String]
  /// Bytes up to the end of the stored properties, or of a box's value; behind them a block has a collection's storage.
  /// Nil when unknown.
  public var size: Int?
  /// The elements of a collection's storage; empty for others.
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

  /// The modules of Swift itself; types of all other modules count as the program's own.
  private static let systemModules: Set<Substring> = [
    "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Dispatch",
    "__C", "Observation", "Distributed",
  ]

  /// True for a byte that a module's name may have; those of other alphabets have their highest bit set.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// True if the type belongs to the program, not to the system.
  public var isOwn: Bool {
    guard language == .swift, kind == .object else { return false }
    // "Victim.Box<Int>", and not "Dictionary<String, Victim.Entry> storage". By bytes, since it is asked for every
    // ring.
    guard let end = name.utf8.firstIndex(where: { !Self.isOfName($0) }), end > name.startIndex,
      name.utf8[end] == UInt8(ascii: ".")
    else { return false }
    return !Self.systemModules.contains(name[..<end])
  }

  /// The description of a place: a field's name, "[3]", "[3].owner", "[bucket 5].value", or "+24" where nothing is
  /// known.
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

  /// The same description for all elements of a collection: "[…].owner".
  public func pattern(at offset: Int) -> String { label(at: offset) { _, _ in "[…]" } }

  /// - Parameter name: describes an element.
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

  /// True for the storage of a string that is too long to be stored inline.
  public var isText: Bool { name == "__StringStorage" }

  private func isInStorage(_ offset: Int) -> Bool {
    size.map { offset >= $0 } == true && (name.hasSuffix(" storage") || isBuffer)
  }

  /// True if storage follows its properties.
  private var isBuffer: Bool { superclasses.contains { $0.prefix { $0 != "<" } == "ManagedBuffer" } }

  /// The end of an object of the program's, of a value in a box, or of a block literal: the rest of the allocation is
  /// unused. Nil when there may be more after its properties, as in every class without any: such a class may have room
  /// of its own there (`ManagedBufferPointer`).
  var end: Int? {
    if kind == .c || isExecutor { return size }
    guard size ?? 0 > SwiftLayout.header else { return nil }
    let isBox = kind == .box || kind == .error || kind == .closure && !ContextKinds.hasSeveral(self)
    return isBox || isOwn && elements.isEmpty && !isBuffer ? size : nil
  }

  /// True for Swift's own executors without properties, which live as long as the process, and so do stale words in the
  /// rest of their blocks.
  private var isExecutor: Bool {
    !isOwn && kind == .object && name.hasSuffix("Executor") && size == SwiftLayout.header
  }

  /// The largest block, in bytes, with nothing behind that end: a larger one was requested with more. glibc's chunks
  /// are multiples of 16 bytes, of which 8 are its own, and include a rest that is too small for a chunk
  /// (malloc/malloc.c, MINSIZE); the shim requests a word more.
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

  private static func index(_ fields: [Field], at offset: Int) -> Int? {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  public func isReference(at offset: Int) -> Bool {
    // This is called for every reference of a process, mostly those of plain objects.
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

  /// True if Swift's metadata describes every field.
  package var isDescribed: Bool {
    switch kind {
    case .object: true
    case .closure, .box, .error: !fields.isEmpty
    case .unknown, .task, .frames, .sideTable, .c: false
    }
  }

  /// True if its objects live as long as their retain count says.
  package var isCounted: Bool { [.object, .closure, .box, .error].contains(kind) }

  package func declaresReference(at offset: Int) -> Bool {
    guard isReference(at: offset), isExact(at: offset) else { return false }
    // Where the size is unknown, as of closures in files of earlier versions, words after the last field may be stale.
    // Of a function value the second word is the reference.
    guard size == nil, elements.isEmpty, let last = fields.last else { return true }
    return offset < last.offset + 8 || offset == last.offset + 8 && last.typeName.contains("->")
  }

  /// True if Swift's metadata describes this place: an apparent strong reference there is real.
  public func isExact(at offset: Int) -> Bool { field(at: offset).map { !$0.isVague } ?? false }

  /// The strong references that an object has to itself: a task lives until it has ended, even without other
  /// references.
  public var ownReferences: UInt32 { kind == .task && name != TaskState.ended.typeName ? 1 : 0 }
}
