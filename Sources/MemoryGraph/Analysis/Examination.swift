public import Graph

/// Everything that is asked of one graph.
public struct Examination: Sendable {
  public private(set) var graph: ObjectGraph
  public let reach: Reachability
  public private(set) var leaks: Leaks
  /// Retain cycles that are still reached.
  public private(set) var cycles: [Finding]

  public init(_ graph: ObjectGraph) {
    self.graph = graph
    reach = Reachability(graph)
    let counts = InboundCounts(graph)
    leaks = Leaks(graph, reach, counts)
    cycles = ReachableCycles.find(graph, reach, counts)
  }

  /// Nodes whose values are read: those of the findings that are shown.
  private static let mostNodes = 10_000
  private static let nodesOfFinding = 120

  /// Reads the values of what the findings are made of, and of some more nodes with the ways to them; keys of
  /// dictionaries are told in the titles then.
  public mutating func readValues(_ reader: ValueReader, also nodes: [Int] = []) {
    var wanted: [Int] = []
    func add(_ node: Int) {
      wanted.append(node)
      wanted += reach.path(to: node, in: graph)?.steps.suffix(Self.nodesOfFinding).map(\.from) ?? []
    }
    nodes.forEach(add)
    for finding in leaks.findings + cycles where wanted.count < Self.mostNodes {
      add(finding.head)
      wanted += finding.ring.prefix(Self.nodesOfFinding).map(\.from) + finding.example.prefix(Self.nodesOfFinding)
    }
    graph.values.merge(reader.values(of: wanted)) { $1 }
    leaks.retitle(graph)
    for index in cycles.indices { cycles[index].retitle(graph) }
  }
}

extension Finding {
  /// Tells a ring once more, with what is known now.
  mutating func retitle(_ graph: ObjectGraph) { if !ring.isEmpty { title = RingWords(ring, graph).title } }
}
