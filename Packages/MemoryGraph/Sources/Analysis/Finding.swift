/// A fault, or a possible one, with all instances of the same cause.
public struct Finding: Equatable, Sendable {
  public enum Kind: String, Sendable {
    /// Objects that retain each other and that nothing else reaches.
    case leakedCycle = "retain cycle"
    /// Blocks without references that were not freed, with all that only they refer to. Other tools say ROOT LEAK, and
    /// ROOT CYCLE for a leaked retain cycle. (Abandoned memory, which is reachable but useless, is something else.)
    case rootLeak = "root leak"
    /// Objects that retain each other and are still reachable: they will leak when the last outside reference goes.
    case reachableCycle = "reachable cycle"
    /// Reachable objects whose retain counts are higher than the number of references to them.
    case overRetained = "over-retained"
  }
  /// The id within one report: "leak-1", "cycle-1", "retained-1".
  public var id = ""
  public var kind: Kind
  /// The identity of the cause, the same in every look and every run of the program.
  public var signature: String
  /// The title, such as "DummyObject.next comes back to itself".
  public var title: String
  public var instances = 1
  /// All nodes of all instances, including those that a ring retains.
  public var nodes: [Int]
  public var bytes: Int
  /// 1 when the references found account for the counts of all objects in the ring; down to 0.5 when some may be held
  /// by references not seen, or were retained by hand. 0.9 for blocks without counts.
  public var confidence: Double
  /// The confidence rounded down, so that nothing doubtful is told as 100 percent; a mean of 0.9 may be a little less.
  public var percent: Int { Int(confidence * 100 + 1e-6) }
  public var ring: [Step] = []
  /// The first instance's block without references, or the beginning of its ring.
  public var head: Int
  /// The nodes of the first instance.
  public var example: [Int]
  /// The bytes that freeing it would free if nothing else held it; 0 where not computed.
  public var retained = 0

  public var objects: Int { nodes.count }
  public var isLeak: Bool { kind == .leakedCycle || kind == .rootLeak }
}
