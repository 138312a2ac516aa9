public import Graph

/// Words that look like references but hold nothing, judged by Swift's reference counts. If fields of other objects
/// account for all of an object's retain count, nothing else holds it. A word with its address on a stack, in a task's
/// memory or in an untyped block is then stale, or an uncounted use that is valid only as long as one of those fields
/// is reachable.
public struct Doubts: Sendable {
  /// True if fields account for all of a node's count.
  private let isFull: [Bool]
  /// True for types of which Swift's metadata describes every field.
  private let isTyped: [Bool]
  /// Of each type, the words among the first 64 where Swift declares a reference: to ask for each takes long.
  private let declared: [UInt64]

  /// - Parameter isPart: true for the nodes between which references are judged, such as all leaked ones: to them no
  ///   other node refers.
  public init(_ graph: ObjectGraph, of isPart: (Int) -> Bool = { _ in true }) {
    let isTyped = graph.types.map(\.isDescribed)
    let declared = graph.types.map { type -> UInt64 in
      type.isDescribed ? (0..<64).reduce(0) { type.declaresReference(at: $1 * 8) ? $0 | 1 << UInt64($1) : $0 } : 0
    }
    var explained = [UInt32](repeating: 0, count: graph.count)
    for node in 0..<graph.count where isTyped[Int(graph.typeOf[node])] && isPart(node) {
      let type = Int(graph.typeOf[node])
      for reference in graph.references(of: node)
      where reference.kind == .strong && Self.declares(reference, from: type, declared, in: graph) {
        explained[Int(reference.target)] += 1
      }
    }
    let isCounted = graph.types.map(\.isCounted)
    isFull = (0..<graph.count).map { node in
      let count = graph.strongCounts[node]
      return isCounted[Int(graph.typeOf[node])] && count > 0 && explained[node] >= count
    }
    self.isTyped = isTyped
    self.declared = declared
  }

  @inline(__always)
  private static func declares(
    _ reference: Reference, from type: Int, _ declared: [UInt64], in graph: ObjectGraph
  ) -> Bool {
    let word = reference.offset >> 3
    return word < 64
      ? declared[type] >> UInt64(word) & 1 == 1 : graph.types[type].declaresReference(at: reference.offset)
  }

  /// True if a root does not hold its target.
  func concern(_ root: Root) -> Bool { root.strength == .thread && isFull[Int(root.target)] }

  /// True if a reference from a node of a type does not hold its target.
  @inline(__always)
  func concern(_ reference: Reference, from type: Int, in graph: ObjectGraph) -> Bool {
    guard isFull[Int(reference.target)], reference.kind == .strong else { return false }
    return !(isTyped[type] && Self.declares(reference, from: type, declared, in: graph))
  }
}
