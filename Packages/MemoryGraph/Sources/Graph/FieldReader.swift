import Capture

/// Reads the fields of classes, closures and collections, with their nested fields.
struct FieldReader {
  let mirror: Mirror
  let memory: MemoryImage

  func name(ofMetadata metadata: UInt64) -> String? { mirror.name(ofMetadata: metadata).map(TypeNames.short) }

  /// The name of a class: the mirror's, or else its own without generic arguments.
  func name(ofClass metadata: UInt64) -> String {
    name(ofMetadata: metadata) ?? ClassDescriptor(ofMetadata: metadata, memory)?.name.map(TypeNames.short)
      ?? "class without a name"
  }
  func name(of child: Mirror.Child) -> String { mirror.name(of: child.type).map(TypeNames.short) ?? "" }

  func fields(ofHierarchy classes: [UInt64]) -> [BlockType.Field] {
    var fields: [BlockType.Field] = []
    for metadata in classes {
      let children = mirror.fields(ofClass: metadata)
      // The mirror fails for some classes, and takes some values for larger or smaller than they are.
      if let own = ClassDescriptor(ofMetadata: metadata, memory), !own.agrees(with: children, mirror) {
        fields += own.fields
      } else {
        for child in children { add(child, to: &fields) }
      }
    }
    return fields
  }

  /// The fields within one value: an element of an array, or the content of a box.
  ///
  /// - Parameter name: the name of the value as a whole, which the names of its parts begin with.
  func fields(of value: Mirror.Child, name: String = "", at offset: Int = 0) -> [BlockType.Field] {
    var fields: [BlockType.Field] = []
    add(value, name: name, base: offset, to: &fields)
    return fields
  }

  /// Adds a field and its nested fields, with offsets from the object's start. Parts of the standard library's own
  /// structures get the name of the field that they are in.
  private func add(
    _ child: Mirror.Child, name: String? = nil, base: Int = 0, depth: Int = 0, to fields: inout [BlockType.Field]
  ) {
    let name = name ?? Self.plainName(child.name)
    let place = base + child.offset
    let typeName = self.name(of: child)
    let isOpaque = Self.opaque.contains { typeName.hasPrefix($0) } || name == Self.wrapped
    var field = BlockType.Field(
      name, offset: place, typeName: typeName, kind: kind(child),
      isReference: isOpaque || !Self.plainKinds.contains(child.kind))
    field.isExistential = child.kind == .opaqueExistential
    setCases(child, &field)
    var parts: [Mirror.Child] = []
    var content = child.kind
    // A value that is readable as a whole is one field.
    let scalar = Scalar(typeName: typeName)
    if let scalar { field.isReference = scalar.holdsReferences }
    if depth < Self.deepestNesting, !isOpaque, scalar == nil {
      switch child.kind {
      case .structure, .tuple: parts = mirror.children(of: child.type)
      case .singlePayloadEnum:
        // The one case with a payload; an Optional's has no name of its own.
        guard let payload = payload(of: child) else { break }
        content = payload.kind
        let holdsMore = Self.compositeKinds.contains(content)
        field.isReference = !holdsMore && !Self.plainKinds.contains(content)
        field.kind = kind(payload)
        field.isExistential = payload.kind == .opaqueExistential
        if holdsMore {
          parts = [payload]
          if typeName.hasPrefix("Optional<") {
            field.absence = Absence(of: child, payload: payload, typeName: self.name(of:), mirror)
          }
        }
      default: break
      }
    }
    field.isVague = parts.isEmpty && !isOpaque && scalar == nil && !Self.exactKinds.contains(content)
    field.ownBytes = ownBytes(of: child, besides: parts)
    fields.append(field)
    if child.kind == .array { addElements(child, name, typeName, at: place, to: &fields) }
    let isEnumeration = child.kind == .singlePayloadEnum
    let isStandard =
      !typeName.prefix { $0 != "<" }.contains(".") && !typeName.hasPrefix("(") || typeName.hasPrefix("Unmanaged<")
    let labels = child.kind == .tuple ? Self.labels(ofTuple: typeName) : []
    for (number, part) in parts.enumerated() where part.kind != .builtin {
      let isUnnamed = isEnumeration || isStandard || part.name.isEmpty && parts.count == 1
      let label = labels.count == parts.count ? labels[number] : part.name
      let own = label.isEmpty ? "\(number)" : label
      add(
        part, name: isUnnamed ? name : name.isEmpty ? own : "\(name).\(own)", base: place, depth: depth + 1,
        to: &fields)
    }
  }

  /// The bytes of a value that are in none of its parts, from its start: all of them where it has no parts, and the tag
  /// behind the payload of an enumeration. Nil if its size is unknown.
  private func ownBytes(of child: Mirror.Child, besides parts: [Mirror.Child]) -> Range<Int>? {
    guard let size = mirror.knownSize(of: child.type) else { return nil }
    if parts.isEmpty || parts.contains(where: { $0.kind == .builtin }) { return 0..<size }
    guard child.kind == .singlePayloadEnum else { return size..<size }
    return mirror.knownSize(of: parts[0].type).map { min($0, size)..<size }
  }

  private func payload(of enumeration: Mirror.Child) -> Mirror.Child? {
    mirror.children(of: enumeration.type).first { $0.type != 0 }
  }

  /// Sets the names of the cases of an enumeration without payloads; of an optional one, the last is that for nil.
  private func setCases(_ child: Mirror.Child, _ field: inout BlockType.Field) {
    var (type, none) = (child.type, [String]())
    if child.kind == .singlePayloadEnum, field.typeName.hasPrefix("Optional<"),
      let payload = payload(of: child), payload.kind == .noPayloadEnum
    {
      (type, none) = (payload.type, ["nil"])
    } else if child.kind != .noPayloadEnum {
      return
    }
    let names = mirror.children(of: type).map(\.name)
    guard !names.contains("") else { return }
    field.cases = names.map { "." + $0 } + none
    field.caseSize = mirror.size(of: child.type)
  }

  /// Adds the elements of an `InlineArray`: "Builtin.FixedArray<4, App.Session>".
  private func addElements(
    _ child: Mirror.Child, _ name: String, _ typeName: String, at place: Int, to fields: inout [BlockType.Field]
  ) {
    let words = typeName.drop { $0 != "<" }.dropFirst().dropLast().split(separator: ", ", maxSplits: 1)
    guard words.count == 2, let count = Int(words[0]), (1...Self.mostElements).contains(count) else { return }
    let stride = mirror.size(of: child.type) / count
    fields.removeLast()
    for index in 0..<count {
      var field = BlockType.Field("\(name)[\(index)]", offset: place + index * stride, typeName: String(words[1]))
      field.isVague = true
      field.ownBytes = 0..<stride
      fields.append(field)
    }
  }

  private static let mostElements = 256

  /// The labels of a tuple: "(name: String, value: App.Value)" has "name" and "value"; a missing label is empty.
  static func labels(ofTuple name: String) -> [String] {
    var labels = [""]
    var depth = 0
    var isLabel = true
    for character in name.dropFirst().dropLast() {
      switch character {
      case "(", "<", "[": depth += 1
      case ")", ">", "]": depth -= 1
      case "," where depth == 0:
        if isLabel { labels[labels.count - 1] = "" }
        labels.append("")
        isLabel = true
        continue
      case ":" where depth == 0:
        isLabel = false
        continue
      default: break
      }
      if isLabel, character != " " { labels[labels.count - 1].append(character) }
    }
    if isLabel { labels[labels.count - 1] = "" }
    return labels
  }

  /// The name of a lazy property without the compiler's prefix.
  static func plainName(_ name: String) -> String {
    let prefix = "$__lazy_storage_$_"
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  private func kind(_ child: Mirror.Child) -> Reference.Kind {
    switch child.kind {
    // For `any Protocol` of classes, the object in it has the type.
    case .classExistential:
      mirror.children(of: child.type).first { $0.name == "object" && $0.kind != child.kind }.map(kind) ?? .strong
    case .weak: .weak
    case .unowned: .unowned
    case .unmanaged: .unmanaged
    default: .strong
    }
  }

  /// Kinds without a counted reference of their own: the parts of a structure are fields.
  private static let plainKinds: Set<Mirror.Kind> = [
    .builtin, .rawPointer, .noPayloadEnum, .metatype, .structure, .tuple,
  ]
  /// Kinds of payloads that have parts of their own.
  private static let compositeKinds: Set<Mirror.Kind> = [.structure, .tuple, .singlePayloadEnum]
  /// Kinds that Swift's metadata describes completely.
  private static let exactKinds: Set<Mirror.Kind> = [
    .builtin, .rawPointer, .noPayloadEnum, .metatype, .strong, .unowned, .weak, .unmanaged, .thickFunction,
    .classExistential, .errorExistential,
  ]
  /// Types whose fields are not shown: their names tell enough.
  private static let opaque = [
    "Array<", "ContiguousArray<", "ArraySlice<", "Dictionary<", "Set<", "String", "Substring", "UnsafeContinuation<",
  ]
  /// The field of a Dispatch object with libdispatch's object: a retained pointer.
  private static let wrapped = "__wrapped"
  private static let deepestNesting = 6
}
