import Capture

/// Finds a block's type by its first word, examined once for each value. Blocks of some types have to be examined one
/// by one.
final class TypeReader {
  private(set) var types: [BlockType] = [.unknown, .sideTable, .frames]
  static let sideTable: UInt32 = 1
  static let frames: UInt32 = 2

  struct Shape {
    /// An index in `types`; 0 if it has no meaning.
    var type: UInt32 = 0
    var isSwift = false
    /// The difference between blocks with this word, resolved by `variant`.
    var variation = Variation.none
    /// The least bytes of an object.
    var size: UInt32 = 0
  }
  enum Variation: UInt8 {
    case none
    /// A closure or a box: of one type, but only references to it tell which of the two.
    case context
    /// The same in a generic function: the layout also depends on its generic arguments.
    case generic
    /// Storage of a dictionary or of a set: by its number of buckets.
    case table
    /// An error's box: by the error's type.
    case error
    /// A task: by its state.
    case task
    /// A block literal of C: by its descriptor.
    case literal
  }
  /// The functions that free objects of the program's own classes, by the types' indices.
  private(set) var deinits: [UInt32: UInt64] = [:]
  private var shapes: [UInt64: Shape] = [:]
  /// The last of them, by some bits of the word: the lookup in the table above is slow for millions of blocks.
  private var recent = [(word: UInt64, shape: Shape)](repeating: (0, Shape()), count: 1 << 10)
  /// The number of those whose metadata is not in a file.
  private var made = 0
  private static let mostMade = 1 << 15
  private struct Variant: Hashable {
    let word: UInt64
    let detail: UInt64
  }
  private var variants: [Variant: UInt32] = [:]
  private struct Binding: Hashable {
    let context: UInt64
    let types: [UInt64]
  }
  private var bindings: [Binding: UInt32] = [:]
  /// The bindings being looked up, kept to reuse its memory.
  private var bound: [UInt64] = []
  /// The number of bindings and the origin of the layout of a generic function's closures, by metadata.
  private var captureOf: [UInt64: (bindings: Int, origin: CaptureDescriptor.Origin)] = [:]
  private let memory: MemoryImage
  private let fields: FieldReader
  private var mirror: Mirror { fields.mirror }
  let code: CodePointers
  let hasSwift: Bool

  init(_ snapshot: Snapshot, _ images: [ELFImage]) throws(GraphError) {
    memory = snapshot.memory
    code = CodePointers(snapshot.mappings, images)
    hasSwift = images.contains(where: \.hasSwift)
    fields = FieldReader(mirror: try Mirror(snapshot.memory, images), memory: snapshot.memory)
  }

  var refusedImages: [String] { mirror.refused }

  /// - Parameter block: an example; a closure's contents are known only by an instance.
  @inline(__always)
  func shape(of word: UInt64, block: UInt64) -> Shape {
    if word < 0x10000 || word & 7 != 0 || word >> AddressSpace.bits != 0 { return Shape() }
    let place = Int(word >> 4 & 0x3FF)
    if recent[place].word == word { return recent[place].shape }
    if let known = shapes[word] {
      recent[place] = (word, known)
      return known
    }
    let isMade = code.image(at: word) == nil
    // Metadata made at run time, such as of generic classes, is not in a file; a damaged heap could have any number.
    if isMade, made >= Self.mostMade { return Shape() }
    let shape = read(word, block: block)
    if isMade, shape.type != 0 { made += 1 }
    // Blocks of C begin with all kinds of pointers, perhaps a million: only those into files are few.
    if shape.type != 0 || !isMade { shapes[word] = shape }
    return shape
  }

  private func read(_ word: UInt64, block: UInt64) -> Shape {
    guard let kind = memory.word(word), let known = SwiftLayout.Kind(rawValue: kind), hasSwift,
      let destroy = memory.word(word - SwiftLayout.destroy)
    else { return cShape(word) }
    switch known {
    case .object:
      guard code.isCode(destroy), let size = memory.half(word + SwiftLayout.instanceSize),
        (16..<1 << 28).contains(size),
        let whole = memory.half(word + SwiftLayout.classSize), whole < 1 << 20,
        let point = memory.half(word + SwiftLayout.addressPoint), point >= 16, point <= whole, hasEnd(word)
      else { return cShape(word) }
      let type = classType(word, size: Int(size))
      let isTable = Self.tables.contains { type.name.hasPrefix($0) && type.name.hasSuffix(" storage") }
      let shape = add(type, size: size, variation: isTable ? .table : .none)
      if type.isOwn { deinits[shape.type] = destroy }
      return shape
    case .localVariable:
      guard code.isCode(destroy) else { return cShape(word) }
      if let descriptor = CaptureDescriptor(ofContext: word, memory), descriptor.isGeneric {
        captureOf[word] = (descriptor.bindings, descriptor.origin)
        // While its layout is unknown, every word may be a reference.
        return add(BlockType(ContextKinds.unknownName([]), .swift, .closure), size: 16, variation: .generic)
      }
      return add(contextType(block), size: 16, variation: .context)
    case .genericBox:
      guard code.isCode(destroy) || destroy == 0 else { return cShape(word) }
      return add(boxType(word), size: 16)
    case .error: return add(BlockType("error box", .swift, .error), size: 32, variation: .error)
    case .task: return add(BlockType("task", .swift, .task), size: 128, variation: .task)
    case .job: return add(BlockType("job", .swift, .task), size: 16)
    }
  }

  /// True if a class' chain of superclasses ends: in a damaged heap it may loop, and the mirror would follow it for
  /// ever.
  private func hasEnd(_ metadata: UInt64) -> Bool {
    var metadata = metadata
    for _ in 0..<Self.deepestHierarchy {
      guard let superclass = memory.word(metadata &+ SwiftLayout.superclass) else { return true }
      if superclass == 0 { return true }
      metadata = superclass
    }
    return false
  }

  private func add(
    _ type: BlockType, size: UInt32, variation: Variation = .none, isSwift: Bool = true
  ) -> Shape {
    Shape(type: add(type), isSwift: isSwift, variation: variation, size: size)
  }

  /// Adds a type for blocks that are not recognised by their first word, and returns its index.
  func add(_ type: BlockType) -> UInt32 {
    types.append(type)
    return UInt32(types.count - 1)
  }

  /// The shape of an object of C++ or libdispatch, which begins with the address of a vtable with a symbol.
  private func cShape(_ word: UInt64) -> Shape {
    guard let symbol = code.image(at: word)?.symbol(at: word)?.name else { return Shape() }
    if symbol == "_NSConcreteMallocBlock" {
      return add(BlockType("block literal", .c, .c), size: 32, variation: .literal, isSwift: false)
    }
    guard
      symbol.hasPrefix("_ZTV") || symbol.hasPrefix("_dispatch") || symbol.hasPrefix("OS_dispatch")
        || symbol.contains("Block")
    else { return Shape() }
    return add(BlockType(SymbolNames.type(symbol), .c, .c), size: 8, isSwift: false)
  }

  // MARK: Swift's types

  /// The fields of a type by its mangled name; empty if the process has no such type.
  func fields(ofMangled name: String) -> [BlockType.Field] {
    mirror.value(ofMangled: name).map { fields.fields(of: $0) } ?? []
  }

  private func classType(_ metadata: UInt64, size: Int) -> BlockType {
    let name = fields.name(ofClass: metadata)
    if name.hasPrefix("_ContiguousArrayStorage<"), let element = mirror.argument(0, ofClass: metadata) {
      return BlockType(
        "Array<\(fields.name(of: element.part))> storage", .swift, .object, size: size,
        elements: [
          BlockType.Elements(
            first: SwiftLayout.firstElement, stride: element.stride, fields: fields.fields(of: element.part))
        ])
    }
    var classes = [metadata]
    while let superclass = memory.word(classes.last! &+ SwiftLayout.superclass), superclass != 0,
      classes.count <= Self.deepestHierarchy
    { classes.append(superclass) }
    var type = BlockType(
      name, .swift, .object, fields: fields.fields(ofHierarchy: classes),
      superclasses: classes.dropFirst().map(fields.name(ofClass:)), size: size)
    for (prefix, collection) in [("_DictionaryStorage<", Self.tables[0]), ("_SetStorage<", Self.tables[1])]
    where name.hasPrefix(prefix) {
      type.name = collection + name.dropFirst(prefix.count) + " storage"
    }
    // An actor's `$defaultActor` contains its state and the jobs that wait for it.
    for index in type.fields.indices where type.fields[index].name == "$defaultActor" {
      type.fields[index].name = "queued jobs"
    }
    // A continuation's owner keeps its task alive, which nothing else can resume.
    if name.hasSuffix("CheckedContinuationCanary") {
      type.fields = [
        BlockType.Field("continuation", offset: SwiftLayout.header),
        BlockType.Field("function", offset: SwiftLayout.header + 8, typeName: "String"),
      ]
      type.size = SwiftLayout.header + 24
    }
    return type
  }

  /// The type of a closure's context with the captured values, or of a box for one variable or value. References to it
  /// tell which of the two (`ContextKinds`).
  private func contextType(_ block: UInt64) -> BlockType {
    let (captures, end) = mirror.captures(ofInstance: block)
    let names = captures.map { fields.name(of: $0) }.map { $0.isEmpty ? "?" : $0 }
    return BlockType(
      ContextKinds.unknownName(names), .swift, .closure,
      fields: captures.enumerated().flatMap { number, capture in
        fields.fields(of: capture, name: captures.count == 1 ? "captured" : "captured \(number)")
      }, size: captures.isEmpty ? nil : end)
  }

  private func boxType(_ metadata: UInt64) -> BlockType {
    guard let type = memory.word(metadata + SwiftLayout.boxedType), let value = mirror.value(ofMetadata: type) else {
      return BlockType("box", .swift, .box)
    }
    let offset = Int(memory.half(metadata + SwiftLayout.boxedOffset) ?? UInt32(SwiftLayout.header))
    return boxed(value, "box of \(fields.name(of: value))", .box, at: offset, size: size(ofValue: type))
  }

  /// The type of a box for a value: without fields where the value is not as large as the mirror tells.
  private func boxed(
    _ value: Mirror.Child, _ name: String, _ kind: BlockType.Kind, at offset: Int, size: Int?
  ) -> BlockType {
    guard let size, mirror.knownSize(of: value.type) == size else { return BlockType(name, .swift, kind) }
    return BlockType(name, .swift, kind, fields: fields.fields(of: value, at: offset), size: offset + size)
  }

  /// The bytes of a type's values; nil if unknown.
  private func size(ofValue metadata: UInt64) -> Int? {
    memory.word(metadata &- SwiftLayout.valueWitnesses).flatMap { memory.word($0 &+ SwiftLayout.valueSize) }
      .flatMap { $0 < SwiftLayout.largestValue ? Int($0) : nil }
  }

  // MARK: Variants

  /// The type of one block whose first word is not sufficient.
  func variant(_ shape: Shape, word: UInt64, block: UInt64, bytes: UInt64) -> UInt32 {
    func shared(by detail: UInt64, _ make: () -> BlockType) -> UInt32 {
      number(of: Variant(word: word, detail: detail), otherwise: shape.type, make)
    }
    switch shape.variation {
    case .none, .context: return shape.type
    case .literal: return literal(block, bytes: Int(bytes), otherwise: shape.type)
    case .generic: return generic(shape, word: word, block: block, bytes: bytes)
    case .table:
      return shared(by: memory.word(block + SwiftLayout.tableScale).map { $0 & 0xFF } ?? 0) {
        tableType(types[Int(shape.type)], metadata: word, block: block, bytes: bytes)
      }
    case .error:
      let metadata = memory.word(block + SwiftLayout.errorType) ?? 0
      return shared(by: metadata) { errorType(metadata) }
    case .task:
      let state = TaskReader.state(block, memory)
      return shared(by: UInt64(TaskState.allCases.firstIndex(of: state)!)) {
        BlockType(state.typeName, .swift, .task)
      }
    }
  }

  /// The type of all blocks of one kind, made for the first of them.
  private func number(of key: Variant, otherwise unknown: UInt32, _ make: () -> BlockType) -> UInt32 {
    if let known = variants[key] { return known }
    guard variants.count < Self.mostVariants else { return unknown }
    let number = add(make())
    variants[key] = number
    return number
  }

  /// The type of a block literal of C, shared by all with its descriptor.
  ///
  /// - Parameter bytes: the size of the block.
  func literal(_ block: UInt64, bytes: Int, otherwise unknown: UInt32 = 0) -> UInt32 {
    guard let descriptor = memory.word(block + DispatchLayout.descriptor),
      let size = memory.word(descriptor &+ DispatchLayout.literalSize),
      size >= DispatchLayout.captures, size <= bytes
    else { return unknown }
    return number(of: Variant(word: 0, detail: descriptor), otherwise: unknown) {
      let isPrivate = memory.word(block + UInt64(DispatchLayout.captures)) == DispatchLayout.privateMagic
      return DispatchLayout.literal(size: Int(size), isPrivate: isPrivate)
    }
  }

  /// The type of a generic function's closure, shared by all with the same generic arguments. The arguments follow from
  /// its bindings, which precede the captured values, or from the captured objects; if from anything else, the layout
  /// is unknown.
  private func generic(_ shape: Shape, word: UInt64, block: UInt64, bytes: UInt64) -> UInt32 {
    guard let (count, origin) = captureOf[word], origin != .unknown, SwiftLayout.header + count * 8 <= Int(bytes) else {
      return shape.type
    }
    let end = origin == .references ? Int(min(bytes, Self.longestContext)) : SwiftLayout.header + count * 8
    guard let words = memory.copy(at: block), words.count >= end else { return shape.type }
    bound.removeAll(keepingCapacity: true)
    for (number, offset) in stride(from: SwiftLayout.header, to: end, by: 8).enumerated() {
      let held = words.word(offset)
      bound.append(number < count ? held : classMetadata(held))
    }
    let key = Binding(context: word, types: bound)
    if let known = bindings[key] { return known }
    guard bindings.count < Self.mostBindings else { return shape.type }
    let type = contextType(block)
    let number = type.fields.isEmpty ? shape.type : add(type)
    bindings[key] = number
    return number
  }

  /// The metadata of the object that a word refers to; 0 if none. Without reading the process, since most words are not
  /// addresses.
  private func classMetadata(_ object: UInt64) -> UInt64 {
    guard object & 7 == 0, let bytes = memory.copy(at: object), bytes.count >= SwiftLayout.header else { return 0 }
    let metadata = bytes.word(0)
    guard metadata & 7 == 0, code.image(at: metadata) != nil || memory.copy(at: metadata) != nil,
      memory.word(metadata) == SwiftLayout.Kind.object.rawValue
    else { return 0 }
    return metadata
  }

  /// The most closures laid out: further ones have no layout, since the mirror takes its time for each.
  private static let mostBindings = 1 << 12
  /// The most bytes of a context that are examined for types.
  private static let longestContext: UInt64 = 1 << 10

  /// The most variants: a program has few kinds of errors and sizes of tables; more exist in damaged memory only.
  private static let mostVariants = 1 << 14

  private func errorType(_ metadata: UInt64) -> BlockType {
    guard let kind = memory.word(metadata), SwiftLayout.valueKinds.contains(kind),
      let value = mirror.value(ofMetadata: metadata), !fields.name(of: value).isEmpty
    else {
      return BlockType("error box", .swift, .error)
    }
    let name = "error box of \(fields.name(of: value))"
    return boxed(value, name, .error, at: SwiftLayout.errorValue, size: size(ofValue: metadata))
  }

  /// The type of a dictionary's or a set's storage of one size, with the offsets of its keys and values.
  private func tableType(_ type: BlockType, metadata: UInt64, block: UInt64, bytes: UInt64) -> BlockType {
    guard let scale = memory.half(block + SwiftLayout.tableScale).map({ $0 & 0xFF }),
      scale < SwiftLayout.largestTableScale
    else { return type }
    let isSet = type.name.hasPrefix(Self.tables[1])
    var type = type
    func add(_ role: BlockType.Elements.Role, _ pointer: UInt64, _ argument: Int) {
      guard let start = memory.word(block + pointer), let element = mirror.argument(argument, ofClass: metadata),
        element.stride > 0, start >= block, start - block <= bytes,
        (bytes - (start - block)) / UInt64(element.stride) >= 1 << scale
      else { return }
      type.elements.append(
        BlockType.Elements(
          role, first: Int(start - block), stride: element.stride, count: 1 << scale,
          fields: fields.fields(of: element.part)))
    }
    add(isSet ? .member : .key, SwiftLayout.tableKeys, 0)
    if !isSet { add(.value, SwiftLayout.tableValues, 1) }
    return type
  }

  private static let tables = ["Dictionary<", "Set<"]
  private static let deepestHierarchy = 64
}
