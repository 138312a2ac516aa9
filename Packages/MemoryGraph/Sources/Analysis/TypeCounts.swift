public import Graph

public struct TypeCount: Equatable, Sendable {
  public var type: BlockType
  public var objects: Int
  public var bytes: Int
  public var leaked: Int

  /// Sorted by bytes, largest first. Types with the same name count as one.
  public static func all(_ graph: ObjectGraph, _ leaks: Leaks) -> [TypeCount] {
    var counts = graph.types.map { TypeCount(type: $0, objects: 0, bytes: 0, leaked: 0) }
    for node in 0..<graph.count {
      counts[Int(graph.typeOf[node])].objects += 1
      counts[Int(graph.typeOf[node])].bytes += graph.bytes(of: node)
    }
    for leak in leaks.nodes { counts[Int(graph.typeOf[leak.node])].leaked += 1 }
    var byName: [String: TypeCount] = [:]
    for count in counts where count.objects > 0 {
      byName[count.type.name, default: TypeCount(type: count.type, objects: 0, bytes: 0, leaked: 0)].add(count)
    }
    return byName.values.sorted { ($1.bytes, $0.type.name) < ($0.bytes, $1.type.name) }
  }

  private mutating func add(_ other: TypeCount) {
    objects += other.objects
    bytes += other.bytes
    leaked += other.leaked
  }
}
