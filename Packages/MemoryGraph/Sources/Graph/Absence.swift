/// The encoding of nil in an optional structure: a byte behind it, or a value that one of its parts never has (an extra
/// inhabitant), in the first part that has most of these.
public struct Absence: Equatable, Sendable {
  /// The offset from the optional's start, and the size: 1 or 8 bytes.
  var offset: Int
  var size: Int
  var value: UInt64
  /// Bytes of the whole optional.
  var extent: Int

  /// Nil if the encoding is unknown.
  init?(of optional: Mirror.Child, payload: Mirror.Child, typeName: (Mirror.Child) -> String, _ mirror: Mirror) {
    let (whole, inside) = (mirror.size(of: optional.type), mirror.size(of: payload.type))
    guard inside > 0 else { return nil }
    extent = whole
    if whole > inside {
      (offset, size, value) = (inside, 1, 1)
      return
    }
    guard case .some(let part?) = Self.best(payload, at: 0, typeName, mirror, depth: 0) else { return nil }
    (offset, size, value) = (part.offset, part.size, part.value)
  }

  private struct Part {
    var count: Int
    var offset: Int
    var size: Int
    var value: UInt64
  }

  /// Pointers are never smaller than this.
  private static let ofPointer = 4096
  private static let deepestNesting = 8

  /// The part with the most extra inhabitants, nil when none has any. The outer nil means that a part is unknown.
  private static func best(
    _ child: Mirror.Child, at offset: Int, _ typeName: (Mirror.Child) -> String, _ mirror: Mirror, depth: Int
  ) -> Part?? {
    func pointer(_ place: Int) -> Part? { Part(count: ofPointer, offset: offset + place, size: 8, value: 0) }
    let name = typeName(child)
    switch child.kind {
    case .strong, .classExistential, .errorExistential, .thickFunction, .unowned: return .some(pointer(0))
    case .opaqueExistential: return .some(pointer(SwiftLayout.existentialType))
    case .weak: return .some(nil)
    case .rawPointer: return .some(Part(count: 1, offset: offset, size: 8, value: 0))
    case .noPayloadEnum:
      let cases = mirror.children(of: child.type).count
      guard mirror.size(of: child.type) == 1 else { return nil }
      return .some(Part(count: 256 - cases, offset: offset, size: 1, value: UInt64(cases)))
    case .singlePayloadEnum:
      // An optional uses up one of its payload's extra inhabitants.
      let cases = mirror.children(of: child.type)
      guard name.hasPrefix("Optional<"), let payload = cases.first(where: { $0.type != 0 }) else { return nil }
      if mirror.size(of: payload.type) < mirror.size(of: child.type) { return .some(nil) }
      guard case .some(let part?) = best(payload, at: offset, typeName, mirror, depth: depth + 1) else { return nil }
      return part.count > 1
        ? .some(Part(count: part.count - 1, offset: part.offset, size: part.size, value: part.value + 1)) : .some(nil)
    case .structure, .tuple:
      if name == "Bool" { return .some(Part(count: 254, offset: offset, size: 1, value: 2)) }
      if name == "String" || name == "Character" { return .some(pointer(8)) }
      if ["Array<", "Dictionary<", "Set<", "ContiguousArray<"].contains(where: name.hasPrefix) {
        return .some(pointer(0))
      }
      guard depth < deepestNesting else { return nil }
      var found: Part?
      for part in mirror.children(of: child.type) where part.kind != .builtin {
        guard case .some(let best) = best(part, at: offset + part.offset, typeName, mirror, depth: depth + 1) else {
          return nil
        }
        if let best, best.count > found?.count ?? 0 { found = best }
      }
      return .some(found)
    default: return nil
    }
  }
}
