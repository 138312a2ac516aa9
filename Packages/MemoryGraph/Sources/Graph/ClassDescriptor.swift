import Capture

/// A class' description in the program's own metadata (swift/ABI/Metadata.h, swift/RemoteInspection/Records.h): its
/// name, and its stored properties with their offsets. The mirror lays out a class as a whole, and fails for a class
/// with a single property that it cannot lay out, such as a `Mutex`, an `Atomic`, or a non-copyable structure.
struct ClassDescriptor {
  private let memory: MemoryImage
  private let metadata: UInt64
  private let address: UInt64

  /// Nil for a class without one.
  init?(ofMetadata metadata: UInt64, _ memory: MemoryImage) {
    guard let address = memory.word(metadata &+ SwiftLayout.descriptor), address != 0, address & 3 == 0,
      let flags = memory.half(address), flags & Context.kindMask == Context.classKind
    else { return nil }
    (self.memory, self.metadata, self.address) = (memory, metadata, address)
  }

  private enum Context {
    static let kindMask: UInt32 = 31
    static let module: UInt32 = 0
    static let classKind: UInt32 = 16
    static let hasResilientSuperclass: UInt32 = 1 << 29
    /// Relative addresses in a descriptor: its parent, and its name.
    static let parent: UInt64 = 4
    static let name: UInt64 = 8
    /// A class' fields, their number, and the offset of their offsets in words from the metadata.
    static let fields: UInt64 = 16
    static let fieldCount: UInt64 = 36
    static let offsets: UInt64 = 40
  }
  private enum Fields {
    static let count: UInt64 = 12
    static let first: UInt64 = 16
    static let size: UInt64 = 12
    static let type: UInt64 = 4
    static let name: UInt64 = 8
  }
  private static let deepestNesting = 16
  private static let longestName = 1024  // bytes
  private static let mostFields: UInt32 = 1 << 12

  /// The name, such as "App.Session.Cache", without generic arguments; nil when it cannot be read.
  var name: String? {
    var parts: [String] = []
    var context = address
    for _ in 0..<Self.deepestNesting {
      guard let flags = memory.half(context) else { return nil }
      let kind = flags & Context.kindMask
      // An extension's name is that of the extended type, in code: the name of its module is used instead.
      if kind == Context.module || kind >= Context.classKind {
        guard let name = text(at: context &+ Context.name), !name.isEmpty else { return nil }
        parts.append(name)
      }
      if kind == Context.module { return parts.reversed().joined(separator: ".") }
      guard let parent = target(at: context &+ Context.parent) else { return nil }
      context = parent
    }
    return nil
  }

  /// True unless this tells other offsets than the mirror, or another size of the objects. What has no bytes may be
  /// anywhere.
  func agrees(with children: [Mirror.Child], _ mirror: Mirror) -> Bool {
    guard let offsets else { return !children.isEmpty }
    let ends = children.map { $0.offset + mirror.size(of: $0.type) }
    return offsets.count == children.count
      && zip(children, offsets).allSatisfy { $0.offset == $1 || mirror.knownSize(of: $0.type) == 0 }
      && ends.max().flatMap { UInt32(exactly: $0) } == memory.half(metadata &+ SwiftLayout.instanceSize)
  }

  /// The offsets of the stored properties of the class itself; nil when they cannot be read.
  private var offsets: [Int]? {
    guard let flags = memory.half(address), flags & Context.hasResilientSuperclass == 0,
      let count = memory.half(address &+ Context.fieldCount), count < Self.mostFields,
      let vector = memory.half(address &+ Context.offsets)
    else { return nil }
    var offsets: [Int] = []
    for number in 0..<UInt64(count) {
      guard let offset = memory.word(metadata &+ (UInt64(vector) &+ number) &* 8), offset < 1 << 28 else { return nil }
      offsets.append(Int(offset))
    }
    return offsets
  }

  /// The stored properties of the class itself, with types for the simplest only. Empty when they cannot be read.
  var fields: [BlockType.Field] {
    guard let offsets, let records = target(at: address &+ Context.fields),
      memory.half(records &+ Fields.count).map(Int.init) == offsets.count
    else { return [] }
    var fields: [BlockType.Field] = []
    for (number, offset) in offsets.enumerated() {
      let record = records &+ Fields.first &+ UInt64(number) &* Fields.size
      guard let name = text(at: record &+ Fields.name) else { return [] }
      let type = mangled(at: record &+ Fields.type) ?? ""
      let plain = Self.plain[type]
      var field = BlockType.Field(
        FieldReader.plainName(name), offset: offset, typeName: plain ?? "", kind: Self.kind(type),
        isReference: plain.map { $0.contains("String") } ?? true)
      field.isVague = plain == nil
      field.ownBytes = Scalar(typeName: plain ?? "").map { 0..<$0.size }
      fields.append(field)
    }
    return fields
  }

  /// By the end of a type's mangled name (Docs/ABI/Mangling: Xw weak, Xo unowned, Xu unowned(unsafe)).
  private static func kind(_ type: String) -> Reference.Kind {
    if type.hasSuffix("Xw") { return .weak }
    if type.hasSuffix("Xo") { return .unowned }
    return type.hasSuffix("Xu") ? .unmanaged : .strong
  }

  private static let plain: [String: String] = {
    let names = [
      "Si": "Int", "Su": "UInt", "Sb": "Bool", "Sd": "Double", "Sf": "Float", "SS": "String", "s5Int32V": "Int32",
      "s6UInt32V": "UInt32", "s5Int64V": "Int64", "s6UInt64V": "UInt64", "s5Int16V": "Int16", "s6UInt16V": "UInt16",
      "s4Int8V": "Int8", "s5UInt8V": "UInt8",
    ]
    return names.reduce(into: [:]) { result, name in
      result[name.key] = name.value
      result[name.key + "Sg"] = "Optional<\(name.value)>"
    }
  }()

  // MARK: Reading

  /// The target of a relative address; its lowest bit marks an indirect one.
  private func target(at place: UInt64) -> UInt64? {
    guard let target = memory.relative(at: place) else { return nil }
    return target & 1 == 0 ? target : memory.word(target & ~1)
  }

  private func text(at place: UInt64) -> String? {
    memory.relative(at: place).flatMap { memory.text($0, limit: Self.longestName) }
  }

  /// A mangled type, with "?" for symbolic references: bytes 1 to 23 with a relative address of four bytes, 24 to 31
  /// with a pointer of eight (Docs/ABI/Mangling, symbolic references).
  private func mangled(at place: UInt64) -> String? {
    guard let start = target(at: place) else { return nil }
    var name = ""
    var offset: UInt64 = 0
    while offset < Self.longestName {
      var byte: UInt8 = 0
      guard memory.read(start &+ offset, 1, into: &byte) else { return nil }
      switch byte {
      case 0: return name
      case 1...23: offset += 5
      case 24...31: offset += 9
      default: offset += 1
      }
      name.unicodeScalars.append(byte < 32 ? "?" : Unicode.Scalar(byte))
    }
    return nil
  }
}

extension MemoryImage {
  /// The target of a relative address of four bytes (swift/Basic/RelativePointer.h); nil where it is 0.
  func relative(at place: UInt64) -> UInt64? {
    guard let distance = half(place), distance != 0 else { return nil }
    return place &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
  }
}
