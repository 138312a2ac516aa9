public import Graph

public struct Examination: Sendable {
  public private(set) var graph: ObjectGraph
  public let known: KnownPatterns
  /// True if words that merely look like references are judged by reference counts (`Doubts`).
  public let isByCounts: Bool
  public let reach: Reachability
  public private(set) var leaks: Leaks
  /// Reachable retain cycles: those that retain most and consist mostly of the program's own types first.
  public private(set) var cycles: [Finding]
  public private(set) var overRetained: [Finding]
  /// Findings that are known to be harmless, with the pattern that they match.
  public private(set) var harmless: [(pattern: KnownPatterns.Pattern, finding: Finding)]
  /// Nil until `weigh`: it is rarely needed, and takes as long as all the rest.
  public private(set) var dominators: Dominators?

  /// - Parameter seeksCycles: false to leave reachable cycles to `findCycles`: to look for them takes as long as all
  ///   the rest, and whoever compares what two looks have found lost does not need those of the first.
  public init(
    _ graph: ObjectGraph, known: KnownPatterns = .builtIn, isByCounts: Bool = false, seeksCycles: Bool = true
  ) {
    self.graph = graph
    self.known = known
    self.isByCounts = isByCounts
    let doubts = isByCounts ? Doubts(graph) : nil
    reach = Reachability(graph, doubts: doubts)
    let waits = WaitingTasks(graph)
    let counts = InboundCounts(graph, waits)
    leaks = Leaks(graph, reach, counts, doubts)
    (cycles, overRetained, harmless) = ([], [], [])
    leaks.keep(unknown(leaks.findings))
    if seeksCycles { findCycles(counts, waits) }
    overRetained = Finding.numbered(unknown(OverRetained.find(graph, reach)), "retained")
  }

  /// Looks for reachable cycles, which were left out.
  public mutating func findCycles() {
    let waits = WaitingTasks(graph)
    findCycles(InboundCounts(graph, waits), waits)
  }

  private mutating func findCycles(_ counts: InboundCounts, _ waits: WaitingTasks) {
    let rings = ReachableCycles(graph, reach, counts, waits)
    cycles = unknown(rings.findings)
    harmless += unknown(rings.waiting).map { (KnownPatterns.waiting, $0) }
    rank()
  }

  /// The findings that match no pattern; the others are harmless.
  private mutating func unknown(_ findings: [Finding]) -> [Finding] {
    findings.filter { finding in
      guard let pattern = known.pattern(for: finding, in: graph) else { return true }
      harmless.append((pattern, finding))
      return false
    }
  }

  public var hasLosses: Bool { !leaks.nodes.isEmpty || !overRetained.isEmpty }

  public var findings: [Finding] { leaks.findings + cycles + overRetained }

  /// Computes retained sizes, and ranks the cycles by them.
  public mutating func weigh() {
    guard dominators == nil else { return }
    let dominators = Dominators(graph, leaked: leaks.causes)
    for (index, bytes) in dominators.retainedBytes(of: cycles.map(\.nodes)).enumerated() {
      cycles[index].retained = bytes
    }
    self.dominators = dominators
    rank()
  }

  private mutating func rank() {
    func weight(_ finding: Finding) -> Double {
      let own = finding.ring.count { graph.type(of: $0.from).isOwn }
      return Double(max(finding.bytes, finding.retained)) * Double(own) / Double(max(1, finding.ring.count))
    }
    let weights = cycles.map { (weight($0), $0) }
    cycles = Finding.numbered(
      weights.sorted { ($1.0, $0.1.title) < ($0.0, $1.1.title) }.map(\.1), "cycle")
  }

  // MARK: Values

  /// The most nodes whose values are read: those of the findings shown.
  private static let mostNodes = 10_000
  private static let nodesOfFinding = 120

  /// Reads the values of the findings' nodes, and of some more nodes with the paths to them; titles then contain
  /// dictionaries' keys.
  ///
  /// - Parameter readsAll: true to read all other nodes too, up to the reader's limit: the program's own objects first,
  ///   and types with few objects before those with many.
  public mutating func readValues(_ reader: ValueReader, also nodes: [Int], readsAll: Bool) {
    var wanted: [Int] = []
    func add(_ node: Int) {
      wanted.append(node)
      wanted += reach.path(to: node, in: graph)?.steps.suffix(Self.nodesOfFinding).map(\.from) ?? []
    }
    nodes.forEach(add)
    for finding in findings + harmless.map(\.finding) where wanted.count < Self.mostNodes {
      add(finding.head)
      wanted += finding.ring.prefix(Self.nodesOfFinding).map(\.from) + finding.example.prefix(Self.nodesOfFinding)
    }
    graph.values.merge(reader.values(of: wanted)) { $1 }
    if readsAll { graph.values.merge(reader.values(of: rareFirst())) { old, _ in old } }
    leaks.retitle(graph)
    for index in cycles.indices { cycles[index].retitle(graph) }
    for index in overRetained.indices { overRetained[index].retitle(graph) }
    for index in harmless.indices { harmless[index].finding.retitle(graph) }
  }

  /// All nodes, rare types first: a million objects of one type must not use up the limit before the one with the
  /// settings.
  private func rareFirst() -> [Int] {
    let counts = graph.countsOfTypes
    let order = counts.indices.sorted {
      let (one, other) = (graph.types[$0], graph.types[$1])
      return one.isOwn != other.isOwn ? one.isOwn : (counts[$0], $0) < (counts[$1], $1)
    }
    // A counting sort, since there may be millions.
    var next = counts
    var place = 0
    for type in order {
      next[type] = place
      place += counts[type]
    }
    var nodes = [Int](repeating: 0, count: graph.count)
    for node in 0..<graph.count {
      let type = Int(graph.typeOf[node])
      nodes[next[type]] = node
      next[type] += 1
    }
    return nodes
  }

  /// The most nodes of a finding whose stacks are symbolised.
  private static let namedNodes = 120

  /// Symbolises the calls that are shown: those that allocated the findings' blocks, or `more`, and those at which
  /// tasks are suspended.
  ///
  /// - Parameter process: whose files are read; 0 for those that this tool sees.
  public mutating func nameFrames(besides more: [Int], process: Int32) {
    let shown = findings.flatMap { finding in
      [finding.head] + finding.ring.prefix(Self.namedNodes).map(\.from) + finding.example.prefix(Self.namedNodes)
    }
    let allocations = graph.allocatedAt.isEmpty ? [] : (shown + more).map { Int(graph.allocatedAt[$0]) - 1 }
    graph.nameFrames(ofStacks: allocations + graph.suspendedAt.values.map(Int.init), process: process)
  }

  /// Finds where the classes that are shown are defined: those of the findings and of some more nodes, or all.
  public mutating func nameDefinitions(besides more: [Int], all: Bool, process: Int32) {
    let shown = findings.flatMap { finding in [finding.head] + finding.ring.prefix(Self.namedNodes).map(\.from) }
    let types = all ? graph.types.indices.map(UInt32.init) : (shown + more).map { graph.typeOf[$0] }
    graph.nameDefinitions(ofTypes: types, process: process)
  }
}

extension Finding {
  /// The findings with ids for one report: "leak-1".
  static func numbered(_ findings: [Finding], _ word: String) -> [Finding] {
    findings.enumerated().map { index, finding in
      var finding = finding
      finding.id = "\(word)-\(index + 1)"
      return finding
    }
  }

  /// Renews the title of a ring with the values read since.
  mutating func retitle(_ graph: ObjectGraph) { if !ring.isEmpty { title = RingWords(ring, graph).title } }
}
