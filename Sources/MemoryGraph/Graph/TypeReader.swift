import CRemoteMirror
import Capture

/// Knows a block by its first word: what it points at, once for each.
final class TypeReader {
  private(set) var types: [BlockType] = [.unknown, .sideTable]
  static let sideTable: UInt32 = 1

  /// What a first word says.
  struct Shape {
    /// A place in `types`; 0 where it says nothing.
    var type: UInt32 = 0
    var isSwift = false
    /// Bytes that an object has at least.
    var size: UInt32 = 0
  }
  private var shapes: [UInt64: Shape] = [:]
  private let memory: MemoryImage
  private let images: [ELFImage]
  private let mirror: Mirror
  private let code: [Range<UInt64>]
  /// Whether Swift is in the process at all.
  let hasSwift: Bool

  init(_ snapshot: Snapshot, _ images: [ELFImage]) throws(GraphError) {
    memory = snapshot.memory
    self.images = images
    code = snapshot.mappings.filter(\.isExecutable).map { $0.start..<$0.end }
    hasSwift = images.contains(where: \.hasSwift)
    mirror = try Mirror(snapshot.memory, images)
  }

  var refusedImages: [String] { mirror.refused }

  /// - Parameter block: an example; closures tell what they hold only by an instance.
  @inline(__always)
  func shape(of word: UInt64, block: UInt64) -> Shape {
    if word < 0x10000 || word & 7 != 0 || word >> 47 != 0 { return Shape() }
    if let known = shapes[word] { return known }
    let shape = read(word, block: block)
    shapes[word] = shape
    return shape
  }

  private func isCode(_ address: UInt64) -> Bool { code.contains { $0.contains(address) } }
  private func image(_ address: UInt64) -> ELFImage? { images.first { $0.start <= address && address < $0.end } }

  private func read(_ word: UInt64, block: UInt64) -> Shape {
    guard let kind = memory.word(word), let known = SwiftLayout.Kind(rawValue: kind), hasSwift,
      let destroy = memory.word(word - SwiftLayout.destroy)
    else { return cShape(word) }
    switch known {
    case .object:
      guard isCode(destroy), let size = memory.half(word + SwiftLayout.instanceSize), (16..<1 << 28).contains(size),
        let whole = memory.half(word + SwiftLayout.classSize), whole < 1 << 20,
        let point = memory.half(word + SwiftLayout.addressPoint), point >= 16, point <= whole
      else { return cShape(word) }
      return add(classType(word, size: Int(size)), size: size)
    case .localVariable:
      guard isCode(destroy) else { return cShape(word) }
      return add(closureType(block), size: 16)
    case .genericBox:
      guard isCode(destroy) || destroy == 0 else { return cShape(word) }
      let content = memory.word(word + SwiftLayout.boxedType).flatMap { mirror.name(ofMetadata: $0) } ?? "?"
      return add(BlockType("box of \(TypeNames.short(content))", .swift, .box), size: 16)
    case .error: return add(BlockType("error box", .swift, .error), size: 16)
    case .task: return add(BlockType("task", .swift, .task), size: 16)
    case .job: return add(BlockType("job", .swift, .task), size: 16)
    }
  }

  private func add(_ type: BlockType, size: UInt32, isSwift: Bool = true) -> Shape {
    types.append(type)
    return Shape(type: UInt32(types.count - 1), isSwift: isSwift, size: size)
  }

  /// An object of C++ or libdispatch points at a table that its library names.
  private func cShape(_ word: UInt64) -> Shape {
    guard let symbol = image(word)?.symbol(at: word),
      symbol.hasPrefix("_ZTV") || symbol.hasPrefix("_dispatch") || symbol.hasPrefix("OS_dispatch")
        || symbol.contains("Block")
    else { return Shape() }
    return add(BlockType(symbol, .c, .c), size: 8, isSwift: false)
  }

  // MARK: Swift's types

  private func classType(_ metadata: UInt64, size: Int) -> BlockType {
    let name = mirror.name(ofMetadata: metadata).map(TypeNames.short) ?? "class at \(hexadecimal(metadata))"
    var fields: [BlockType.Field] = []
    var superclasses: [String] = []
    for child in mirror.fields(ofClass: metadata) { flatten(child, into: &fields) }
    var superclass = memory.word(metadata + SwiftLayout.superclass) ?? 0
    while superclass != 0, superclasses.count < Self.deepestHierarchy {
      superclasses.append(mirror.name(ofMetadata: superclass).map(TypeNames.short) ?? hexadecimal(superclass))
      for child in mirror.fields(ofClass: superclass) { flatten(child, into: &fields) }
      superclass = memory.word(superclass &+ SwiftLayout.superclass) ?? 0
    }
    for (prefix, collection) in [("_DictionaryStorage<", "Dictionary<"), ("_SetStorage<", "Set<")]
    where name.hasPrefix(prefix) {
      let name = collection + name.dropFirst(prefix.count) + " storage"
      return BlockType(name, .swift, .object, fields: fields, superclasses: superclasses, size: size)
    }
    guard name.hasPrefix("_ContiguousArrayStorage<"), let element = mirror.element(ofStorage: metadata) else {
      return BlockType(name, .swift, .object, fields: fields, superclasses: superclasses, size: size)
    }
    var parts: [BlockType.Field] = []
    let inside = mirror.children(of: element.type)
    // An element that is one reference has no parts to name.
    if inside.count > 1, inside[0].name != "object" { for child in inside { flatten(child, into: &parts) } }
    let content = mirror.name(of: element.type).map(TypeNames.short) ?? "?"
    return BlockType(
      "Array<\(content)> storage", .swift, .object, fields: parts, size: size,
      elements: (Self.firstElement, element.stride))
  }

  /// What a closure holds. Captured variables have boxes of the same kind, with one thing in them.
  private func closureType(_ block: UInt64) -> BlockType {
    var fields: [BlockType.Field] = []
    let captures = mirror.captures(ofInstance: block)
    for (number, capture) in captures.enumerated() {
      flatten(capture, name: captures.count == 1 ? "captured" : "captured \(number)", into: &fields)
    }
    let names = captures.map { mirror.name(of: $0.type).map(TypeNames.short) ?? "?" }
    let name = names.isEmpty ? "closure or box" : "closure or box of \(names.joined(separator: ", "))"
    return BlockType(name, .swift, .closure, fields: fields)
  }

  /// A field and what is inside of it, with places counted from the object's start. What the standard library's own
  /// structures are made of has the name of the field that they are.
  private func flatten(
    _ child: Mirror.Child, name: String? = nil, base: Int = 0, depth: Int = 0, into fields: inout [BlockType.Field]
  ) {
    let name = name ?? child.name
    let place = base + child.offset
    let typeName = mirror.name(of: child.type).map(TypeNames.short) ?? ""
    let isOpaque = Self.opaque.contains { typeName.hasPrefix($0) }
    var field = BlockType.Field(
      name, offset: place, typeName: typeName, kind: kind(child),
      isReference: isOpaque || !Self.plainKinds.contains(child.kind))
    var parts: [Mirror.Child] = []
    if depth < Self.deepestNesting, !isOpaque {
      switch child.kind {
      case Int(cremotemirror_struct), Int(cremotemirror_tuple): parts = mirror.children(of: child.type)
      case Int(cremotemirror_single_payload_enum):
        // The one case that holds something; an Optional's has no name of its own.
        guard let payload = mirror.children(of: child.type).first(where: { $0.type != 0 }) else { break }
        field.isReference = !Self.plainKinds.contains(payload.kind)
        field.kind = kind(payload)
        let holdsMore = payload.kind == Int(cremotemirror_struct) || payload.kind == Int(cremotemirror_tuple)
        if holdsMore { parts = [payload] }
      default: break
      }
    }
    fields.append(field)
    let isEnumeration = child.kind == Int(cremotemirror_single_payload_enum)
    let isStandard = !typeName.contains(".") || typeName.hasPrefix("Unmanaged<")
    for part in parts where part.kind != Int(cremotemirror_builtin) {
      flatten(
        part, name: isEnumeration || isStandard || part.name.isEmpty ? name : "\(name).\(part.name)", base: place,
        depth: depth + 1, into: &fields)
    }
  }

  private func kind(_ child: Mirror.Child) -> Reference.Kind {
    switch child.kind {
    // Of `any Protocol` for classes, the object it holds says it.
    case Int(cremotemirror_class_existential):
      mirror.children(of: child.type).first { $0.name == "object" && $0.kind != child.kind }.map(kind) ?? .strong
    case Int(cremotemirror_weak): .weak
    case Int(cremotemirror_unowned): .unowned
    case Int(cremotemirror_unmanaged): .unmanaged
    default: .strong
    }
  }

  /// What holds no reference that Swift counts, or none by itself: the parts of a structure are fields of their own.
  private static let plainKinds: Set<Int> = [
    Int(cremotemirror_builtin), Int(cremotemirror_raw_pointer),
    Int(cremotemirror_no_payload_enum), Int(cremotemirror_metatype), Int(cremotemirror_struct),
    Int(cremotemirror_tuple),
  ]
  /// Types whose insides are nobody's business: their name says enough.
  private static let opaque = [
    "Array<", "ContiguousArray<", "ArraySlice<", "Dictionary<", "Set<", "String", "Substring",
  ]
  private static let deepestNesting = 6
  private static let deepestHierarchy = 64
  /// Behind an array's header, count and capacity.
  private static let firstElement = 32
}
