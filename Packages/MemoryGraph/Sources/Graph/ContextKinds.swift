/// Distinguishes closures from boxes, whose metadata is of the same kind: a reference to a closure's context follows
/// the address of its function.
struct ContextKinds {
  /// True for types to which a reference with a function, or one without, was seen.
  private var hasFunction: [Bool]
  private var hasNone: [Bool]

  init(_ types: [BlockType]) {
    hasFunction = [Bool](repeating: false, count: types.count)
    hasNone = hasFunction
  }

  mutating func add(_ type: UInt32, isFunction: () -> Bool) {
    if hasFunction[Int(type)] { return }
    if isFunction() { hasFunction[Int(type)] = true } else { hasNone[Int(type)] = true }
  }

  private static let before = "closure or box of "
  private static let unknown = "unknown content"

  static func unknownName(_ captures: [String]) -> String {
    before + (captures.isEmpty ? unknown : captures.joined(separator: ", "))
  }

  /// True for the context of a closure that has captured several values, so that it is no box.
  static func hasSeveral(_ type: BlockType) -> Bool { type.fields.contains { $0.name.hasPrefix("captured ") } }

  func told(_ types: [BlockType]) -> [BlockType] {
    types.enumerated().map { index, type in
      guard type.kind == .closure, let content = type.name.dropPrefix(Self.before) else { return type }
      var type = type
      if hasFunction[index] {
        type.name = content == Self.unknown ? "closure" : "closure capturing \(content)"
      } else if hasNone[index], !Self.hasSeveral(type) {
        type.kind = .box
        type.name = content == Self.unknown ? "box" : "box of \(content)"
        for field in type.fields.indices {
          type.fields[field].name = type.fields[field].name.dropPrefix("captured.").map(String.init) ?? ""
        }
      }
      return type
    }
  }
}

extension String {
  fileprivate func dropPrefix(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
