import Graph

/// Reachable retain cycles: not a leak yet, but one as soon as the last outside reference goes.
///
/// To avoid false alarms, only references count that Swift or libdispatch declares, and a ring has to contain a type of
/// the program's own.
struct ReachableCycles {
  /// Not sorted; `Examination` ranks them.
  private(set) var findings: [Finding] = []
  /// Cycles through a continuation or a job: Swift holds a waiting task so, with all that it will use.
  private(set) var waiting: [Finding] = []

  private let graph: ObjectGraph
  private let reach: Reachability
  private let counts: InboundCounts
  private let waits: WaitingTasks
  /// True for C's blocks whose references are known, such as libdispatch's.
  private let isKnown: [Bool]

  init(_ graph: ObjectGraph, _ reach: Reachability, _ counts: InboundCounts, _ waits: WaitingTasks) {
    (self.graph, self.reach, self.counts) = (graph, reach, counts)
    isKnown = graph.types.map { $0.language == .swift ? $0.kind != .sideTable : !$0.fields.isEmpty }
    self.waits = waits
    let isWaiting = waits.types.contains(true)
    findings = find(skipsWaiting: isWaiting)
    guard isWaiting else { return }
    let named = Set(findings.lazy.flatMap(\.nodes))
    waiting = find(besides: named, skipsWaiting: false)
  }

  /// - Parameters:
  ///   - others: nodes of rings that are reported already; rings with one of them are skipped.
  ///   - skipsWaiting: true to ignore the references of continuations and jobs.
  private func find(besides others: Set<Int> = [], skipsWaiting: Bool) -> [Finding] {
    let types = graph.types
    let isOwn = types.map(\.isOwn)
    let isSure = types.map(WordPlaces.init(sure:))
    func follows(_ node: Int, _ reference: Reference) -> Bool {
      // No type is copied, since this is called for every reference and types are large.
      let type = Int(graph.typeOf[node])
      return reference.kind == .strong
        && isSure[type].contains(reference.offset) ?? types[type].isReference(at: reference.offset)
        && !(skipsWaiting && waits.isWaitedFor(reference, from: node, in: graph))
        && !counts.doubt(reference, from: node, in: graph)
        // A block without known fields that refers to itself does so within its own storage.
        && (Int(reference.target) != node || types[type].field(at: reference.offset) != nil)
    }
    // What refers to nothing is in no ring, and that is most blocks.
    var part = BlockSet(count: graph.count)
    for node in 0..<graph.count
    where graph.firstReference[node] < graph.firstReference[node + 1] && isKnown[Int(graph.typeOf[node])]
      && reach.contains(node)
    { part.insert(node) }
    let components = Components(graph, areRings: true, isPart: { part.contains($0) }, follows: follows)
    var findings: [Finding] = []
    var bySignature: [String: Int] = [:]
    var signatures = RingSignatures(graph)
    for number in 0..<components.count {
      let members = components.members(of: number)
      guard members.contains(where: { isOwn[Int(graph.typeOf[Int($0)])] }),
        !members.contains(where: { others.contains(Int($0)) }),
        let ring = Ring.shortest(
          among: members, of: graph, isMember: { components.of[$0] == number }, follows: follows)?.entered(reach, graph)
      else { continue }
      let signature = signatures.signature(of: ring.steps)
      let nodes = members.map(Int.init).sorted()
      let bytes = nodes.reduce(0) { $0 + graph.bytes(of: $1) }
      let inRing = ring.steps.map(\.from)
      if let known = bySignature[signature] {
        findings[known].add(nodes, bytes, confidence: counts.confidence(inRing, graph))
      } else {
        bySignature[signature] = findings.count
        findings.append(
          Finding(
            kind: .reachableCycle, signature: signature, title: RingWords(ring.steps, graph).title, nodes: nodes,
            bytes: bytes, confidence: counts.confidence(inRing, graph), ring: ring.steps, head: inRing[0],
            example: nodes))
      }
    }
    return findings
  }
}
