import Graph

/// Retain cycles that are still reached: no leak yet, and one as soon as they are let go.
///
/// To be quiet about what is harmless, only references count that Swift or libdispatch is known to keep, and a ring has
/// to go through a type of the program's own.
enum ReachableCycles {
  /// In no order; `Examination` ranks them.
  static func find(_ graph: ObjectGraph, _ reach: Reachability, _ counts: InboundCounts) -> [Finding] {
    let types = graph.types
    // Of C's blocks those whose references are known, such as libdispatch's.
    let isKnown = types.map { $0.language == .swift ? $0.kind != .sideTable : !$0.fields.isEmpty }
    func follows(_ node: Int, _ reference: Reference) -> Bool {
      types[Int(graph.typeOf[node])].isReference(at: reference.offset) && reference.kind == .strong
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
