import Graph

/// Retain cycles that are still reached: no leak yet, and one as soon as they are let go.
///
/// To be quiet about what is harmless, only references count that Swift or libdispatch is known to keep, and a ring has
/// to go through a type of the program's own.
struct ReachableCycles {
  /// In no order; `Examination` ranks them.
  private(set) var findings: [Finding] = []
  /// Those that a continuation, or a job, closes: so Swift keeps a task that waits, and all that it will use.
  private(set) var waiting: [Finding] = []

  private let graph: ObjectGraph
  private let reach: Reachability
  private let counts: InboundCounts
  private let waits: WaitingTasks
  /// Of C's blocks those whose references are known, such as libdispatch's.
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
  ///   - others: where one of them is in a ring, that is told already.
  ///   - skipsWaiting: whether the references of continuations and jobs do not count.
  private func find(besides others: Set<Int> = [], skipsWaiting: Bool) -> [Finding] {
    let types = graph.types
    func follows(_ node: Int, _ reference: Reference) -> Bool {
      // A type is big, and this is asked for every reference: none is copied.
      let type = Int(graph.typeOf[node])
      return types[type].isReference(at: reference.offset) && reference.kind == .strong
        && !(skipsWaiting && waits.isWaitedFor(reference, from: node, in: graph))
        && !counts.doubt(reference, from: node, in: graph)
        // What nothing is known of and leads back to the same block is its own storage.
        && (Int(reference.target) != node || types[type].field(at: reference.offset) != nil)
    }
    let components = Components(
      graph, isPart: { isKnown[Int(graph.typeOf[$0])] && reach.contains($0) }, follows: follows)
    var findings: [Finding] = []
    var bySignature: [String: Int] = [:]
    for number in 0..<components.count {
      let members = components.members(of: number)
      let first = Int(members.first!)
      guard
        members.count > 1
          || graph.references(of: first).contains(where: { Int($0.target) == first && follows(first, $0) }),
        members.contains(where: { types[Int(graph.typeOf[Int($0)])].isOwn }),
        !members.contains(where: { others.contains(Int($0)) }),
        let ring = Ring.shortest(
          among: members, of: graph, isMember: { components.of[$0] == number }, follows: follows)?.entered(reach, graph)
      else { continue }
      let words = RingWords(ring.steps, graph)
      let nodes = members.map(Int.init).sorted()
      let bytes = nodes.reduce(0) { $0 + graph.bytes(of: $1) }
      let inRing = ring.steps.map(\.from)
      if let known = bySignature[words.signature] {
        findings[known].add(nodes, bytes, confidence: counts.confidence(inRing, graph))
      } else {
        bySignature[words.signature] = findings.count
        findings.append(
          Finding(
            kind: .reachableCycle, signature: words.signature, title: words.title, nodes: nodes, bytes: bytes,
            confidence: counts.confidence(inRing, graph), ring: ring.steps, head: inRing[0], example: nodes))
      }
    }
    return findings
  }
}
