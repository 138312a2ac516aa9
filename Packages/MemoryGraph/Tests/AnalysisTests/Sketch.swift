import Analysis
import Graph

/// A graph made by hand, without a process:
///
///     let sketch = Sketch()
///     let (a, b) = (sketch.object("App.A"), sketch.object("App.B"))
///     sketch.refer(a, "next", b)
///     sketch.root("global variable App.a", a)
final class Sketch {
  private struct Reference {
    var from: Int
    var offset: Int
    var to: Int
    var kind: Graph.Reference.Kind
  }
  private var types: [BlockType] = [.unknown]
  private var typeOf: [UInt32] = []
  private var references: [Reference] = []
  private var roots: [Root] = []
  private var extraCounts: [Int: UInt32] = [:]
  private var uncounted: [Int: UInt32] = [:]

  /// An object of a class; its fields are added with their references.
  func object(_ type: String) -> Int {
    if !types.contains(where: { $0.name == type }) { types.append(BlockType(type)) }
    typeOf.append(UInt32(types.firstIndex { $0.name == type }!))
    return typeOf.count - 1
  }

  /// A block of unknown type.
  func block() -> Int {
    typeOf.append(0)
    return typeOf.count - 1
  }

  /// - Parameter isVague: true if Swift's metadata does not describe the field.
  func refer(
    _ from: Int, _ field: String, _ to: Int, _ kind: Graph.Reference.Kind = .strong, isVague: Bool = false
  ) {
    let type = Int(typeOf[from])
    if !types[type].fields.contains(where: { $0.name == field }), type != 0 {
      types[type].fields.append(
        BlockType.Field(field, offset: 16 + types[type].fields.count * 8, kind: kind, isReference: true))
      types[type].fields[types[type].fields.count - 1].isVague = isVague
    }
    let offset = types[type].fields.first { $0.name == field }?.offset ?? references.count * 8
    references.append(Reference(from: from, offset: offset, to: to, kind: kind))
  }

  /// Two objects that refer to each other.
  @discardableResult
  func pair(_ one: String, _ field: String, _ other: String, _ back: String) -> (Int, Int) {
    let pair = (object(one), object(other))
    refer(pair.0, field, pair.1)
    refer(pair.1, back, pair.0)
    return pair
  }

  /// Objects of one type in a ring, as in the article.
  @discardableResult
  func ring(_ count: Int, _ type: String = "App.DummyObject") -> [Int] {
    let objects = (0..<count).map { _ in object(type) }
    for (number, object) in objects.enumerated() { refer(object, "next", objects[(number + 1) % count]) }
    return objects
  }

  /// So many links one after the other, or in a ring.
  static func chain(_ count: Int, isRing: Bool) -> ObjectGraph {
    var graph = ObjectGraph()
    graph.types.append(BlockType("App.Link", fields: [BlockType.Field("next", offset: 16)]))
    graph.addresses = (0..<count).map { 0x10000 + UInt64($0) * 32 }
    graph.words = [UInt32](repeating: 4, count: count)
    graph.typeOf = [UInt32](repeating: 1, count: count)
    graph.strongCounts = graph.typeOf
    graph.unownedCounts = graph.typeOf
    graph.references = (1..<(isRing ? count + 1 : count)).map { Graph.Reference(to: $0 % count, offset: 16) }
    graph.firstReference = (0..<count).map(UInt32.init) + [UInt32(graph.references.count)]
    return graph
  }

  /// Adds a stale word after all fields.
  func leave(_ target: Int, behind node: Int) {
    let fields = types[Int(typeOf[node])].fields
    references.append(Reference(from: node, offset: 24 + fields.count * 8, to: target, kind: .strong))
  }

  func root(_ label: String, _ target: Int) { roots.append(Root(label: label, address: 0x1000, target: target)) }

  /// Adds a retain without a reference in the graph.
  func retain(_ object: Int) { extraCounts[object, default: 0] += 1 }

  /// Makes one of the references to it uncounted.
  func discount(_ object: Int) { uncounted[object, default: 0] += 1 }

  var graph: ObjectGraph {
    var graph = ObjectGraph()
    graph.types = types
    graph.typeOf = typeOf
    for node in typeOf.indices {
      graph.addresses.append(0x10000 + UInt64(node) * 0x100)
      graph.words.append(8)
      let inbound = references.count { $0.to == node && $0.kind == .strong }
      let isObject = typeOf[node] != 0
      let counted = UInt32(max(1, inbound)) + (extraCounts[node] ?? 0) - (uncounted[node] ?? 0)
      graph.strongCounts.append(isObject ? counted : 0)
      graph.unownedCounts.append(isObject ? 1 : 0)
      for reference in references where reference.from == node {
        graph.references.append(
          Graph.Reference(to: reference.to, offset: reference.offset, reference.kind))
      }
      graph.firstReference.append(UInt32(graph.references.count))
    }
    graph.roots = roots
    return graph
  }

  var examination: Examination { Examination(graph) }
}
