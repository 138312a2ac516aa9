/// Something that is wrong, or may be: all that has the same cause, told once.
public struct Finding: Equatable, Sendable {
  public enum Kind: String, Sendable {
    /// Objects that keep each other and that nothing else reaches.
    case leakedCycle = "retain cycle"
    /// Blocks that nothing refers to and nobody has freed.
    case abandoned = "abandoned"
    /// Objects that keep each other and are still reached: they will leak when they are let go.
    case reachableCycle = "reachable cycle"
  }
  /// Within one report: "leak-1", "cycle-1".
  public var id = ""
  public var kind: Kind
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

  public var objects: Int { nodes.count }
  public var isLeak: Bool { kind != .reachableCycle }
}
