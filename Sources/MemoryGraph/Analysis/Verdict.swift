import Graph

/// What a look has found lost, so that a second look can tell what is: in a busy program a block may be on its way from
/// one place to another just when it is looked at. What has leaked cannot move any more: it is lost again, at the same
/// place and from the same cause.
public struct Verdict: Sendable {
  struct Loss: Hashable {
    var address: UInt64
    var type: String
    var cause: String
  }
  let lost: Set<Loss>

  public init(_ examination: Examination) {
    lost = Set(examination.leaks.nodes.map { Self.loss($0.node, $0.finding, examination) })
  }

  /// The later look, without what was not lost in the earlier one.
  public func confirming(_ later: Examination) -> Examination {
    let new = later.leaks.nodes.filter { !lost.contains(Self.loss($0.node, $0.finding, later)) }
    guard !new.isEmpty else { return later }
    var graph = later.graph
    graph.inTransit.formUnion(new.map(\.node))
    return Examination(graph, known: later.known)
  }

  static func loss(_ node: Int, _ finding: Int, _ examination: Examination) -> Loss {
    Loss(
      address: examination.graph.addresses[node], type: examination.graph.type(of: node).name,
      cause: examination.leaks.findings[finding].signature)
  }
}
