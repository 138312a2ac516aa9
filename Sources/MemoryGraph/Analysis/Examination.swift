public import Graph

/// Everything that is asked of one graph.
public struct Examination: Sendable {
  public private(set) var graph: ObjectGraph
  public let reach: Reachability
  public let leaks: Leaks
  /// Retain cycles that are still reached.
  public let cycles: [Finding]

  public init(_ graph: ObjectGraph) {
    self.graph = graph
    reach = Reachability(graph)
    leaks = Leaks(graph, reach)
    cycles = ReachableCycles.find(graph, reach)
  }

  /// Nodes of a finding whose stacks are named.
  private static let namedNodes = 120

  /// Names the calls of what is shown: those that allocated the blocks of findings, or `more`, and all in which tasks
  /// wait.
  public mutating func nameFrames(besides more: [Int] = []) {
    let shown = (leaks.findings + cycles).flatMap { finding in
      [finding.head] + finding.ring.prefix(Self.namedNodes).map(\.from) + finding.example.prefix(Self.namedNodes)
    }
    let allocations = graph.allocatedAt.isEmpty ? [] : (shown + more).map { Int(graph.allocatedAt[$0]) - 1 }
    graph.nameFrames(ofStacks: allocations + graph.suspendedAt.values.map(Int.init))
  }
}
