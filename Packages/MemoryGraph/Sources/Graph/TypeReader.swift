import Capture

/// Knows a block by its first word: what it points at, once for each. Of some kinds every block has to be asked more.
final class TypeReader {
  private(set) var types: [BlockType] = [.unknown, .sideTable, .frames]
  static let sideTable: UInt32 = 1
  static let frames: UInt32 = 2

  /// What a first word says.
  struct Shape {
    /// A place in `types`; 0 where it says nothing.
    var type: UInt32 = 0
    var isSwift = false
    /// What blocks with this word differ in; they are asked by `variant`.
    var variation = Variation.none
    /// Bytes that an object has at least.
    var size: UInt32 = 0
  }
  enum Variation: UInt8 {
    case none
    /// A closure or a box: in nothing, but those that refer to one tell which it is.
    case context
    /// The same, of a generic function: also by what the types that it was called for make of it.
    case generic
    /// Storage of a dictionary or of a set: by its number of buckets.
    case table
    /// An error's box: by the error's type.
    case error
    /// By its state.
    case task
    /// A block of code of C's, with what it has captured: by its descriptor.
    case literal
  }
  private var shapes: [UInt64: Shape] = [:]
  /// Of those, the ones whose metadata is in no file.
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
  /// What is being looked for in them, kept for its memory.
  private var bound: [UInt64] = []
  /// By metadata, how many bindings closures of a generic function have, and what their layout follows from.
  private var captureOf: [UInt64: (bindings: Int, origin: CaptureDescriptor.Origin)] = [:]
  private let memory: MemoryImage
  private let fields: FieldReader
  private var mirror: Mirror { fields.mirror }
  let code: CodePointers
  /// Whether Swift is in the process at all.
  let hasSwift: Bool

  init(_ snapshot: Snapshot, _ images: [ELFImage]) throws(GraphError) {
    memory = snapshot.memory
    code = CodePointers(snapshot.mappings, images)
    hasSwift = images.contains(where: \.hasSwift)
    fields = FieldReader(mirror: try Mirror(snapshot.memory, images), memory: snapshot.memory)
  }

  var refusedImages: [String] { mirror.refused }

  /// - Parameter block: an example; closures tell what they hold only by an instance.
  @inline(__always)
  func shape(of word: UInt64, block: UInt64) -> Shape {
    if word < 0x10000 || word & 7 != 0 || word >> AddressSpace.bits != 0 { return Shape() }
    if let known = shapes[word] { return known }
    let isMade = code.image(at: word) == nil
    // What a program makes while it runs, such as generic classes, is in no file; of a damaged heap it has no end.
    if isMade, made >= Self.mostMade { return Shape() }
    let shape = read(word, block: block)
    if isMade, shape.type != 0 { made += 1 }
    // Blocks of C's begin with pointers of all kinds, a million of them perhaps: only what lies in a file is few.
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
      return add(type, size: size, variation: isTable ? .table : .none)
    case .localVariable:
      guard code.isCode(destroy) else { return cShape(word) }
      if let descriptor = CaptureDescriptor(ofContext: word, memory), descriptor.isGeneric {
        captureOf[word] = (descriptor.bindings, descriptor.origin)
        // As long as nothing is known of its layout, every word may be a reference.
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

  /// Whether a class's superclasses come to an end: what a damaged heap shows as one may be its own, and the mirror
  /// would follow it for ever.
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
    types.append(type)
    return Shape(type: UInt32(types.count - 1), isSwift: isSwift, variation: variation, size: size)
  }

  /// A place in `types` for blocks that no first word tells.
  func add(_ type: BlockType) -> UInt32 {
    types.append(type)
    return UInt32(types.count - 1)
  }

  /// An object of C++ or libdispatch points at a table that its library names.
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

  /// What is inside of a value of a type, told by its mangled name: none where the process has no such type.
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
    // An actor's own place holds its state and the jobs that wait for it.
    for index in type.fields.indices where type.fields[index].name == "$defaultActor" {
      type.fields[index].name = "queued jobs"
    }
    // Whoever keeps a continuation keeps its task, which nobody else can wake up.
    if name.hasSuffix("CheckedContinuationCanary") {
      type.fields = [
        BlockType.Field("continuation", offset: SwiftLayout.header),
        BlockType.Field("function", offset: SwiftLayout.header + 8, typeName: "String"),
      ]
      type.size = SwiftLayout.header + 24
    }
    return type
  }

  /// Of a closure what it has captured; of a box for one variable, or for a value, that. Which of them it is, those
  /// tell that refer to it (`ContextKinds`).
  private func contextType(_ block: UInt64) -> BlockType {
    let captures = mirror.captures(ofInstance: block)
    let names = captures.map { fields.name(of: $0) }.map { $0.isEmpty ? "?" : $0 }
    return BlockType(
      ContextKinds.unknownName(names), .swift, .closure,
      fields: captures.enumerated().flatMap { number, capture in
        fields.fields(of: capture, name: captures.count == 1 ? "captured" : "captured \(number)")
      })
  }

  private func boxType(_ metadata: UInt64) -> BlockType {
    guard let type = memory.word(metadata + SwiftLayout.boxedType), let value = mirror.value(ofMetadata: type) else {
      return BlockType("box", .swift, .box)
    }
    let offset = Int(memory.half(metadata + SwiftLayout.boxedOffset) ?? UInt32(SwiftLayout.header))
    return BlockType(
      "box of \(fields.name(of: value))", .swift, .box, fields: fields.fields(of: value, name: "", at: offset))
  }

  // MARK: Variants

  /// The type of one block, where its first word does not say all.
  func variant(_ shape: Shape, word: UInt64, block: UInt64, bytes: UInt64) -> UInt32 {
    let detail: UInt64
    switch shape.variation {
    case .none, .context: return shape.type
    case .table: detail = memory.word(block + SwiftLayout.tableScale).map { $0 & 0xFF } ?? 0
    case .error: detail = memory.word(block + SwiftLayout.errorType) ?? 0
    case .task: detail = UInt64(TaskState.allCases.firstIndex(of: TaskReader.state(block, memory))!)
    case .literal: return literal(block, bytes: Int(bytes), otherwise: shape.type)
    case .generic: return generic(shape, word: word, block: block, bytes: bytes)
    }
    let key = Variant(word: word, detail: detail)
    if let known = variants[key] { return known }
    guard variants.count < Self.mostVariants else { return shape.type }
    switch shape.variation {
    case .none, .context, .generic, .literal: break
    case .table: types.append(tableType(types[Int(shape.type)], metadata: word, block: block, bytes: bytes))
    case .error: types.append(errorType(detail))
    case .task: types.append(BlockType(TaskState.allCases[Int(detail)].typeName, .swift, .task))
    }
    variants[key] = UInt32(types.count - 1)
    return UInt32(types.count - 1)
  }

  /// The type of a block of code of C's, which each has in common with all that have its descriptor.
  ///
  /// - Parameter bytes: that the block has.
  func literal(_ block: UInt64, bytes: Int, otherwise unknown: UInt32 = 0) -> UInt32 {
    guard let descriptor = memory.word(block + DispatchLayout.descriptor),
      let size = memory.word(descriptor &+ DispatchLayout.literalSize),
      size >= DispatchLayout.captures, size <= bytes
    else { return unknown }
    let key = Variant(word: 0, detail: descriptor)
    if let known = variants[key] { return known }
    guard variants.count < Self.mostVariants else { return unknown }
    let isPrivate = memory.word(block + UInt64(DispatchLayout.captures)) == DispatchLayout.privateMagic
    let number = add(DispatchLayout.literal(size: Int(size), isPrivate: isPrivate))
    variants[key] = number
    return number
  }

  /// The type of a closure of a generic function, which all have in common that were made for the same types. What
  /// these are, its bindings tell, which stand before what it has captured, or what that leads to; where something else
  /// does, nothing is known of its layout.
  private func generic(_ shape: Shape, word: UInt64, block: UInt64, bytes: UInt64) -> UInt32 {
    guard let (count, origin) = captureOf[word], origin != .unknown, SwiftLayout.header + count * 8 <= Int(bytes) else {
      return shape.type
    }
    let end = origin == .references ? Int(min(bytes, Self.longestContext)) : SwiftLayout.header + count * 8
    guard let words = memory.copy(at: block), words.count >= end else { return shape.type }
    bound.removeAll(keepingCapacity: true)
    for (number, offset) in stride(from: SwiftLayout.header, to: end, by: 8).enumerated() {
      let held = words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
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

  /// Of the object that a word names; 0 where it names none. The process is not asked: most words are no address.
  private func classMetadata(_ object: UInt64) -> UInt64 {
    guard object & 7 == 0, let bytes = memory.copy(at: object), bytes.count >= SwiftLayout.header else { return 0 }
    let metadata = bytes.loadUnaligned(as: UInt64.self)
    guard metadata & 7 == 0, code.image(at: metadata) != nil || memory.copy(at: metadata) != nil,
      memory.word(metadata) == SwiftLayout.Kind.object.rawValue
    else { return 0 }
    return metadata
  }

  /// More are read without their layout: the mirror takes its time for each.
  private static let mostBindings = 1 << 12
  /// In bytes: what lies behind that tells no types.
  private static let longestContext: UInt64 = 1 << 10

  /// A program has some errors and some sizes of tables; more there are only in damaged memory.
  private static let mostVariants = 1 << 14

  private func errorType(_ metadata: UInt64) -> BlockType {
    guard let kind = memory.word(metadata), SwiftLayout.valueKinds.contains(kind),
      let value = mirror.value(ofMetadata: metadata), !fields.name(of: value).isEmpty
    else {
      return BlockType("error box", .swift, .error)
    }
    return BlockType(
      "error box of \(fields.name(of: value))", .swift, .error,
      fields: fields.fields(of: value, at: SwiftLayout.errorValue))
  }

  /// A dictionary's or a set's storage of one size: where its keys and its values are.
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
