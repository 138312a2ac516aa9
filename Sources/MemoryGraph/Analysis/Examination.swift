public import Graph

/// Everything that is asked of one graph.
public struct Examination: Sendable {
  public let graph: ObjectGraph
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
}
