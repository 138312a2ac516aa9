/// Tells closures from boxes, which begin with metadata of the same kind: in front of a reference to what a closure has
/// captured stands its function.
struct ContextKinds {
  /// For each type, whether a reference with a function, or without one, was seen.
  private var hasFunction: [Bool]
  private var hasNone: [Bool]
  private let isContext: [Bool]

  init(_ types: [BlockType]) {
    hasFunction = [Bool](repeating: false, count: types.count)
    hasNone = hasFunction
    isContext = types.map { $0.kind == .closure }
  }

  @inline(__always)
  func isWanted(_ type: UInt32) -> Bool { isContext[Int(type)] && !hasFunction[Int(type)] }

  mutating func add(_ type: UInt32, hasFunction: Bool) {
    if hasFunction { self.hasFunction[Int(type)] = true } else { hasNone[Int(type)] = true }
  }

  private static let before = "closure or box of "
  static func unknownName(_ captures: [String]) -> String {
    before + (captures.isEmpty ? unknown : captures.joined(separator: ", "))
  }

  private static let unknown = "unknown content"

  /// The types as they are known now.
  func told(_ types: [BlockType]) -> [BlockType] {
    types.enumerated().map { index, type in
      guard type.kind == .closure, let content = type.name.dropPrefix(Self.before) else { return type }
      var type = type
      if hasFunction[index] {
        type.name = content == Self.unknown ? "closure" : "closure capturing \(content)"
      } else if hasNone[index], !type.fields.contains(where: { $0.name.hasPrefix("captured ") }) {
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
