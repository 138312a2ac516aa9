public import Graph

/// Words that only look like references, by Swift's counts: an object that fields of others hold as often as it has
/// been retained is held by nobody else. A word on a stack, in a task's memory or in an untyped block that names it has
/// been left there; or it is used without a count, which is right only as long as one of those fields is reached.
public struct Doubts: Sendable {
  /// Whether fields explain all of a node's count.
  private let isFull: [Bool]
  /// By types, whether Swift says of each place what stands there.
  private let isTyped: [Bool]

  public init(_ graph: ObjectGraph) {
    let isTyped = graph.types.map { type in
      switch type.kind {
      case .object: true
      case .closure, .box, .error: !type.fields.isEmpty
      case .unknown, .task, .frames, .sideTable, .c: false
      }
    }
    var explained = [UInt32](repeating: 0, count: graph.count)
    for node in 0..<graph.count where isTyped[Int(graph.typeOf[node])] {
      let type = graph.type(of: node)
      for reference in graph.references(of: node)
      where reference.kind == .strong && Self.isSaid(type, reference.offset) {
        explained[Int(reference.target)] += 1
      }
    }
    let isCounted = graph.types.map { [.object, .closure, .box, .error].contains($0.kind) }
    isFull = (0..<graph.count).map { node in
      let count = graph.strongCounts[node]
      return isCounted[Int(graph.typeOf[node])] && count > 0 && explained[node] >= count
    }
    self.isTyped = isTyped
  }

  /// Whether a root does not hold what it names.
  func concern(_ root: Root) -> Bool { root.strength == .thread && isFull[Int(root.target)] }

  /// Whether a reference that goes out from a node of a type does not hold its target.
  @inline(__always)
  func concern(_ reference: Reference, from type: Int, in graph: ObjectGraph) -> Bool {
    guard isFull[Int(reference.target)], reference.kind == .strong else { return false }
    return !(isTyped[type] && Self.isSaid(graph.types[type], reference.offset))
  }

  /// Whether Swift says that there is a reference at a place, and not only what might stand there.
  private static func isSaid(_ type: BlockType, _ offset: Int) -> Bool {
    guard type.isReference(at: offset), type.isExact(at: offset) else { return false }
    // Where a closure ends nobody says: behind its last field others may have left something. Of a function the second
    // word is the reference.
    guard type.size == nil, type.elements.isEmpty, let last = type.fields.last else { return true }
    return offset < last.offset + 8 || offset == last.offset + 8 && last.typeName.contains("->")
  }
}
