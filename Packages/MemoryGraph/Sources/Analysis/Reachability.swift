public import Graph

/// The nodes that a program can reach, and the paths to them.
public struct Reachability: Sendable {
  /// The node from which each was reached: itself if a root refers to it, -1 if unreachable.
  private let parents: [Int32]
  /// Indices in `graph.roots`, by target.
  private let roots: [Int: Int]

  /// Follows all references that keep their target alive, breadth first by certainty: first all that is reachable from
  /// variables by references that Swift declares, then from stacks, or over one word that merely looks like a
  /// reference, and so on. So paths are as certain as possible, and then short. Each reference is read at most twice.
  ///
  /// - Parameter doubts: words that are not followed.
  public init(_ graph: ObjectGraph, doubts: Doubts? = nil) {
    var parents = [Int32](repeating: -1, count: graph.count)
    var roots: [Int: Int] = [:]
    var starts: [[Int32]] = Array(repeating: [], count: Root.Strength.allCases.count)
    for (place, root) in graph.roots.enumerated() {
      let known = roots[Int(root.target)].map { graph.roots[$0].strength.rawValue } ?? .max
      guard root.strength.rawValue < known, doubts?.concern(root) != true else { continue }
      roots[Int(root.target)] = place
      starts[root.strength.rawValue].append(Int32(root.target))
    }
    starts[Root.Strength.other.rawValue] += (graph.exempt.sorted() + graph.inTransit.sorted()).map(Int32.init)
    graph.typeOf.withUnsafeBufferPointer { typeOf in
      graph.firstReference.withUnsafeBufferPointer { first in
        graph.references.withUnsafeBufferPointer { references in
          parents.withUnsafeMutableBufferPointer { parents in
            var search = Search(
              graph, doubts, typeOf: typeOf, first: first, references: references, parents: parents)
            search.run(from: starts)
          }
        }
      }
    }
    self.parents = parents
    self.roots = roots
  }

  public func isRoot(_ node: Int) -> Bool { roots[node] != nil }

  @inline(__always)
  public func contains(_ node: Int) -> Bool { parents[node] >= 0 }

  /// The node from which a node was first reached: itself if a root refers to it.
  func parent(of node: Int) -> Int { Int(parents[node]) }

  /// The most certain path to a node, and among those a short one: its root, and the steps from there; nil for an
  /// unreachable node.
  public func path(to node: Int, in graph: ObjectGraph) -> (root: Root?, steps: [Step])? {
    guard contains(node) else { return nil }
    var nodes = [node]
    while parents[nodes.last!] != nodes.last! { nodes.append(Int(parents[nodes.last!])) }
    nodes.reverse()
    let root = roots[nodes[0]].map { graph.roots[$0] }
    var steps: [Step] = []
    for (from, to) in zip(nodes, nodes.dropFirst()) {
      let references = graph.references(of: from).filter { Int($0.target) == to && $0.keepsAlive }
      let reference = references.first { graph.isSure($0, from: from) } ?? references[0]
      steps.append(Step(from: from, to: to, offset: reference.offset))
    }
    return (root, steps)
  }

  /// The distance of a node from a root: the number of uncertain references or roots on the path, then the number of
  /// steps. Unreachable nodes are farthest.
  public func distance(to node: Int, in graph: ObjectGraph) -> (unsure: Int, steps: Int) {
    guard let path = path(to: node, in: graph) else { return (.max, .max) }
    let unsure = path.steps.count { $0.strength(in: graph) != "strong" }
    return (unsure + (path.root?.strength ?? .other).rawValue, path.steps.count)
  }
}

/// One reference of a path: its source and its target.
public struct Step: Equatable, Sendable {
  public var from: Int
  public var to: Int
  /// The offset in bytes within `from`.
  public var offset: Int

  public init(from: Int, to: Int, offset: Int) {
    (self.from, self.to, self.offset) = (from, to, offset)
  }

  /// The field: "next", "[3].owner".
  public func label(in graph: ObjectGraph) -> String { graph.label(of: from, at: offset) }

  /// The kind of reference: "strong", "unmanaged", "conservative" (`ObjectGraph.strength`).
  public func strength(in graph: ObjectGraph) -> String {
    let reference = graph.references(of: from).first { $0.offset == offset && Int($0.target) == to }
    return reference.map { graph.strength(of: $0, from: from) } ?? "strong"
  }

  /// The field as written after its object: ".next", "[3].owner", " +24".
  public func suffix(in graph: ObjectGraph) -> String {
    let label = label(in: graph)
    return label.hasPrefix("[") ? label : label.hasPrefix("+") ? " \(label)" : ".\(label)"
  }
}
