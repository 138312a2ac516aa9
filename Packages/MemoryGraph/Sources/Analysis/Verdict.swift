import Graph

/// The lost and over-retained blocks of a look, for comparison with a second look: in a busy program a block may just
/// be moving from one place to another. A leaked block cannot move: the second look finds it at the same address and
/// with the same cause.
public struct Verdict: Sendable {
  /// The kind and cause of a loss: few, however many blocks there are.
  struct Kind: Hashable, Sendable {
    var type: String
    var cause: String
  }
  struct Loss {
    var address: UInt64
    var kind: Kind
  }
  private var kinds = Numbering<Kind>()
  /// Indices in `kinds`, by address.
  private var lost: [UInt64: UInt32] = [:]

  public init(_ examination: Examination) {
    Self.each(examination) { _, loss in lost[loss.address] = kinds.number(of: loss.kind) }
  }

  private static func each(_ examination: Examination, _ body: (_ node: Int, Loss) -> Void) {
    for (node, finding) in examination.leaks.nodes { body(node, loss(node, finding, examination)) }
    for finding in examination.overRetained {
      for node in finding.nodes { body(node, loss(node, finding, examination.graph)) }
    }
  }

  static func loss(_ node: Int, _ finding: Int, _ examination: Examination) -> Loss {
    loss(node, examination.leaks.findings[finding], examination.graph)
  }

  private static func loss(_ node: Int, _ finding: Finding, _ graph: ObjectGraph) -> Loss {
    Loss(
      address: graph.addresses[node],
      kind: Kind(type: graph.types[Int(graph.typeOf[node])].name, cause: finding.cause))
  }

  func contains(_ loss: Loss) -> Bool { lost[loss.address].map { kinds.all[Int($0)] == loss.kind } ?? false }

  /// True if a second look is not needed.
  public var isEmpty: Bool { lost.isEmpty }

  /// The later look, reduced to findings that this one has too.
  public func confirming(_ later: Examination) -> Examination { leaving(later) { contains($0) } }

  /// The later look without the findings of this one. A leaked block stays leaked; its cause may have changed, since a
  /// block leaked later may have a word with its address.
  public func new(in later: Examination) -> Examination {
    leaving(later) { loss in lost[loss.address].map { kinds.all[Int($0)].type } != loss.kind.type }
  }

  private func leaving(_ later: Examination, _ isLeft: (Loss) -> Bool) -> Examination {
    var graph = later.graph
    Self.each(later) { node, loss in if !isLeft(loss) { graph.inTransit.insert(node) } }
    guard graph.inTransit.count > later.graph.inTransit.count else { return later }
    return Examination(graph, known: later.known, isByCounts: later.isByCounts)
  }
}
