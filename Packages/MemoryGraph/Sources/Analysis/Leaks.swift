import Graph

/// Unreachable blocks and their causes.
public struct Leaks: Sendable {
  /// The findings, largest first.
  public private(set) var findings: [Finding] = []
  /// Every leaked node with the index of its finding; in the order of addresses.
  public private(set) var nodes: [(node: Int, finding: Int)] = []
  public var bytes: Int { findings.reduce(0) { $0 + $1.bytes } }
  /// The cause of each instance: a block without references, or a retain cycle.
  private(set) var causes = Causes()

  /// - Parameter doubts: words that do not count as references. Between leaked blocks counts are always trusted, since
  ///   that hides nothing: it only tells which leak an object belongs to.
  init(_ graph: ObjectGraph, _ reach: Reachability, _ counts: InboundCounts, _ doubts: Doubts?) {
    func isLeaked(_ node: Int) -> Bool { !reach.contains(node) && graph.type(of: node).kind != .sideTable }
    guard (0..<graph.count).contains(where: isLeaked) else { return }
    let doubts = doubts ?? Doubts(graph, of: isLeaked)
    func follows(_ node: Int, _ reference: Reference) -> Bool {
      reference.keepsAlive && !doubts.concern(reference, from: Int(graph.typeOf[node]), in: graph)
    }
    let components = Components(graph, isPart: isLeaked, follows: follows)
    // A cause is a component without references from others; what it reaches leaked because of it.
    var isReferred = [Bool](repeating: false, count: components.count)
    for number in 0..<components.count {
      for node in components.members(of: number) {
        for reference in graph.references(of: Int(node)) where follows(Int(node), reference) {
          let other = components.of[Int(reference.target)]
          if other >= 0, other != number { isReferred[Int(other)] = true }
        }
      }
    }
    var isTaken = [Bool](repeating: false, count: graph.count)
    var bySignature: [String: Int] = [:]
    var calls = CallWords()
    var signatures = RingSignatures(graph)
    for number in (0..<components.count).reversed() where !isReferred[number] {
      let members = components.members(of: number)
      causes.append(members)
      let cause = Self.cause(members, Int32(number), components, &calls, &signatures, graph)
      let nodes = Self.reached(from: members, graph, isLeaked, follows, &isTaken)
      let bytes = nodes.reduce(0) { $0 + graph.bytes(of: $1) }
      if let known = bySignature[cause.signature] {
        findings[known].add(nodes, bytes, confidence: counts.confidence(cause.nodes, graph))
      } else {
        bySignature[cause.signature] = findings.count
        findings.append(
          Finding(
            kind: cause.ring.isEmpty ? .rootLeak : .leakedCycle, signature: cause.signature, title: cause.title(graph),
            nodes: nodes, bytes: bytes, confidence: counts.confidence(cause.nodes, graph), ring: cause.ring,
            head: cause.nodes[0], example: nodes))
      }
    }
    findings.sort { ($1.bytes, $0.title) < ($0.bytes, $1.title) }
    number()
  }

  /// Leaves out all other findings.
  mutating func keep(_ kept: [Finding]) {
    guard kept.count < findings.count else { return }
    findings = kept
    number()
  }

  private mutating func number() {
    findings = Finding.numbered(findings, "leak")
    nodes = []
    for index in findings.indices {
      findings[index].nodes.sort()
      nodes += findings[index].nodes.map { ($0, index) }
    }
    nodes.sort { $0.node < $1.node }
  }

  mutating func retitle(_ graph: ObjectGraph) {
    for index in findings.indices { findings[index].retitle(graph) }
  }

  /// The nodes of all causes, one cause after the other, in one array, since there may be as many causes as blocks.
  struct Causes {
    private(set) var nodes: [Int32] = []
    private(set) var starts: [Int] = []

    mutating func append(_ members: ArraySlice<Int32>) {
      starts.append(nodes.count)
      nodes += members
    }
    var heads: [Int] { starts.map { Int(nodes[$0]) } }
    /// The causes with more than one node: retain cycles.
    var rings: [ArraySlice<Int32>] {
      zip(starts, starts.dropFirst() + [nodes.count]).filter { $1 - $0 > 1 }.map { nodes[$0..<$1] }
    }
  }

  /// Stacks without repeated lines: optimised code has one line in several places, such as an unrolled loop.
  private struct CallWords {
    private var known: [UInt32: String] = [:]

    /// - Parameter stack: a number from `ObjectGraph.allocatedAt`.
    mutating func words(of stack: UInt32, in graph: ObjectGraph) -> String {
      if let words = known[stack] { return words }
      let words = graph.calls(ofStack: stack).map(\.words).joined(separator: ", ")
      known[stack] = words
      return words
    }
  }

  private struct Cause {
    var signature: String
    /// What nothing refers to; empty for a ring.
    var name = ""
    var ring: [Step] = []
    var nodes: [Int]

    func title(_ graph: ObjectGraph) -> String {
      ring.isEmpty ? "\(name) that nothing refers to" : RingWords(ring, graph).title
    }
  }

  private static func cause(
    _ members: ArraySlice<Int32>, _ number: Int32, _ components: Components, _ calls: inout CallWords,
    _ signatures: inout RingSignatures, _ graph: ObjectGraph
  ) -> Cause {
    let first = Int(members.first!)
    // A block that merely points into itself, as in some C libraries, is not a cycle.
    let isLoop =
      members.count > 1
      || graph.references(of: first).contains {
        Int($0.target) == first && graph.types[Int(graph.typeOf[first])].isReference(at: $0.offset)
      }
    let isMember = { (node: Int) in components.of[node] == number }
    let ring =
      !isLoop
      ? nil
      // The ring by fields that Swift declares; other apparent references do not explain it.
      : Ring.shortest(among: members, of: graph, isMember: isMember) {
        graph.types[Int(graph.typeOf[$0])].isReference(at: $1.offset)
      } ?? Ring.shortest(among: members, of: graph, isMember: isMember) { _, _ in true }
    if let ring, !ring.steps.isEmpty {
      return Cause(
        signature: signatures.signature(of: ring.steps), ring: ring.steps, nodes: ring.steps.map(\.from))
    }
    let type = graph.type(of: first)
    // Blocks allocated by the same calls have the same cause, whatever their size.
    let stack = graph.allocatedAt.isEmpty ? 0 : graph.allocatedAt[first]
    let name = type.kind == .unknown && stack == 0 ? "\(type.name) of \(graph.bytes(of: first)) bytes" : type.name
    return Cause(
      signature: "root leak \(name) \(calls.words(of: stack, in: graph))", name: name, nodes: [first])
  }

  /// All leaked nodes that a component reaches and no earlier one has taken.
  private static func reached(
    from members: ArraySlice<Int32>, _ graph: ObjectGraph, _ isLeaked: (Int) -> Bool,
    _ follows: (Int, Reference) -> Bool, _ isTaken: inout [Bool]
  ) -> [Int] {
    var found: [Int] = []
    for member in members where !isTaken[Int(member)] {
      isTaken[Int(member)] = true
      found.append(Int(member))
    }
    var next = 0
    while next < found.count {
      for reference in graph.references(of: found[next]) where follows(found[next], reference) {
        let target = Int(reference.target)
        guard !isTaken[target], isLeaked(target) else { continue }
        isTaken[target] = true
        found.append(target)
      }
      next += 1
    }
    return found
  }
}

extension Frame {
  /// The function and line, or the address where they are unknown.
  fileprivate var words: String {
    guard let function, function != Self.nameless else { return "\(image) \(address)" }
    return "\(function) \(file ?? image):\(line ?? 0)"
  }
}

extension Finding {
  mutating func add(_ more: [Int], _ moreBytes: Int, confidence other: Double) {
    confidence = (confidence * Double(instances) + other) / Double(instances + 1)
    instances += 1
    nodes += more
    bytes += moreBytes
  }
}
