public import Graph

/// What a program can still reach, and how.
public struct Reachability: Sendable {
  /// For each node the one it was first reached from: itself where a root names it, -1 where nothing reaches it.
  private let parents: [Int32]
  /// Places in `graph.roots`, by the nodes they name.
  private let roots: [Int: Int]

  /// Follows every reference that keeps its target alive, in widening circles, so that ways are as short as can be.
  public init(_ graph: ObjectGraph) {
    var parents = [Int32](repeating: -1, count: graph.count)
    var roots: [Int: Int] = [:]
    var queue: [Int32] = []
    queue.reserveCapacity(graph.count)
    for (place, root) in graph.roots.enumerated() where parents[Int(root.target)] < 0 {
      parents[Int(root.target)] = Int32(root.target)
      roots[Int(root.target)] = place
      queue.append(Int32(root.target))
    }
    for nodes in [graph.exempt, graph.inTransit] {
      for node in nodes where parents[node] < 0 {
        parents[node] = Int32(node)
        queue.append(Int32(node))
      }
    }
    var next = 0
    graph.references.withUnsafeBufferPointer { references in
      graph.firstReference.withUnsafeBufferPointer { first in
        while next < queue.count {
          let node = Int(queue[next])
          next += 1
          for place in Int(first[node])..<Int(first[node + 1]) {
            let reference = references[place]
            let target = Int(reference.target)
            guard parents[target] < 0, reference.keepsAlive else { continue }
            parents[target] = Int32(node)
            queue.append(Int32(target))
          }
        }
      }
    }
    self.parents = parents
    self.roots = roots
  }

  /// Whether a root names it.
  public func isRoot(_ node: Int) -> Bool { roots[node] != nil }

  @inline(__always)
  public func contains(_ node: Int) -> Bool { parents[node] >= 0 }

  /// The node from which a node was first reached: itself where a root names it.
  func parent(of node: Int) -> Int { Int(parents[node]) }

  /// The shortest way to a node: the root it begins at, and the steps from there; nil when nothing reaches it.
  public func path(to node: Int, in graph: ObjectGraph) -> (root: Root?, steps: [Step])? {
    guard contains(node) else { return nil }
    var nodes = [node]
    while parents[nodes.last!] != nodes.last! { nodes.append(Int(parents[nodes.last!])) }
    nodes.reverse()
    let root = roots[nodes[0]].map { graph.roots[$0] }
    var steps: [Step] = []
    for (from, to) in zip(nodes, nodes.dropFirst()) {
      let reference = graph.references(of: from).first { Int($0.target) == to && $0.keepsAlive }!
      steps.append(Step(from: from, to: to, offset: reference.offset))
    }
    return (root, steps)
  }
}

/// One reference on a way: where it goes out from, and where it leads.
public struct Step: Equatable, Sendable {
  public var from: Int
  public var to: Int
  /// In bytes, within `from`.
  public var offset: Int

  public init(from: Int, to: Int, offset: Int) {
    (self.from, self.to, self.offset) = (from, to, offset)
  }

  /// The field: "next", "[3].owner".
  public func label(in graph: ObjectGraph) -> String { graph.label(of: from, at: offset) }

  /// As it stands behind its object: ".next", "[3].owner", " +24".
  public func suffix(in graph: ObjectGraph) -> String {
    let label = label(in: graph)
    return label.hasPrefix("[") ? label : label.hasPrefix("+") ? " \(label)" : ".\(label)"
  }
}
