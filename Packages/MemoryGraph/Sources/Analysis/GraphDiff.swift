import Graph

/// The differences between two looks, at one process or at two. Types and findings are compared by name, since
/// addresses differ from run to run.
public struct GraphDiff: Sendable {
  public struct Growth: Equatable, Sendable {
    public var name: String
    public var isOwn: Bool
    public var objectsBefore = 0
    public var objects = 0
    public var bytesBefore = 0
    public var bytes = 0
    public var addedObjects: Int { objects - objectsBefore }
    public var addedBytes: Int { bytes - bytesBefore }
  }
  /// The types that have changed, by growth.
  public let types: [Growth]
  /// Findings of the later look with a cause that the earlier one does not have.
  public let new: [Finding]
  /// Findings of the earlier look with a cause that the later one does not have.
  public let vanished: [Finding]
  /// Findings of both looks with more instances in the later one.
  public let grown: [(before: Finding, now: Finding)]

  public init(from earlier: Examination, to later: Examination) {
    var growth: [String: Growth] = [:]
    func note(_ look: Examination, _ change: (inout Growth, TypeCount) -> Void) {
      for count in TypeCount.all(look.graph, look.leaks) {
        change(&growth[count.type.name, default: Growth(name: count.type.name, isOwn: count.type.isOwn)], count)
      }
    }
    note(earlier) { ($0.objectsBefore, $0.bytesBefore) = ($1.objects, $1.bytes) }
    note(later) { ($0.objects, $0.bytes) = ($1.objects, $1.bytes) }
    types = growth.values.filter { $0.addedObjects != 0 || $0.addedBytes != 0 }
      .sorted { ($1.addedBytes, $0.name) < ($0.addedBytes, $1.name) }
    let before = Dictionary(earlier.findings.map { ($0.cause, $0) }) { first, _ in first }
    let now = Dictionary(later.findings.map { ($0.cause, $0) }) { first, _ in first }
    new = later.findings.filter { before[$0.cause] == nil }
    vanished = earlier.findings.filter { now[$0.cause] == nil }
    grown = later.findings.compactMap { finding in
      before[finding.cause].flatMap { $0.instances < finding.instances ? ($0, finding) : nil }
    }
  }

  public var hasNewLeaks: Bool { new.contains(where: \.isLeak) || grown.contains(where: \.now.isLeak) }
}

extension Finding {
  /// The identity of the cause, the same in every look.
  var cause: String { "\(kind.rawValue) \(signature)" }
}
