/// Something that is wrong, or may be: all that has the same cause, told once.
public struct Finding: Equatable, Sendable {
  public enum Kind: String, Sendable {
    /// Objects that keep each other and that nothing else reaches.
    case leakedCycle = "retain cycle"
    /// Blocks that nothing refers to and nobody has freed, and what they alone refer to: the field's ROOT LEAK, as a
    /// leaked retain cycle is its ROOT CYCLE. (Abandoned memory is something else there: reached, and of no use.)
    case rootLeak = "root leak"
    /// Objects that keep each other and are still reached: they will leak when they are let go.
    case reachableCycle = "reachable cycle"
    /// Objects that are still reached, and whose counts are higher than the references to them.
    case overRetained = "over-retained"
  }
  /// Within one report: "leak-1", "cycle-1", "retained-1".
  public var id = ""
  public var kind: Kind
  /// The same for the same cause, in every look and in every run of the program.
  public var signature: String
  /// Such as "DummyObject.next comes back to itself".
  public var title: String
  /// How many times the same was found.
  public var instances = 1
  /// All nodes of all instances: what a ring keeps alive belongs to it.
  public var nodes: [Int]
  public var bytes: Int
  /// 1 when the references found explain the count of every object of the ring; down to 0.5 when somebody else may
  /// hold some of them, whom we did not see, or who has retained them by hand. 0.9 for blocks without counts.
  public var confidence: Double
  /// The first instance: the ring, one step after the other.
  public var ring: [Step] = []
  /// The first instance: the block nothing refers to, or where the ring begins.
  public var head: Int
  /// Nodes of the first instance alone.
  public var example: [Int]
  /// Bytes that would go with it if nothing else held it; 0 where that was not asked for.
  public var retained = 0

  public var objects: Int { nodes.count }
  public var isLeak: Bool { kind == .leakedCycle || kind == .rootLeak }
}
