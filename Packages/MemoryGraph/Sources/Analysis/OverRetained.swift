public import Graph

/// Reachable objects with a retain count higher than the number of references to them: a manual retain without its
/// release. They will leak.
///
/// To avoid false alarms, only the program's own types count, and only objects that no root refers to: a running call
/// holds the objects it uses, and of the words outside of the heap only one per object was kept.
public enum OverRetained {
  /// Sorted by number of objects, largest first.
  public static func find(_ graph: ObjectGraph, _ reach: Reachability) -> [Finding] {
    let isOwn = graph.types.map(\.isOwn)
    guard isOwn.contains(true) else { return [] }
    var references = [UInt32](repeating: 0, count: graph.count)
    for reference in graph.references where reference.keepsAlive { references[Int(reference.target)] += 1 }
    var found: [UInt32: [Int]] = [:]
    var living = [Int](repeating: 0, count: graph.types.count)
    for node in 0..<graph.count where isOwn[Int(graph.typeOf[node])] && reach.contains(node) {
      living[Int(graph.typeOf[node])] += 1
      guard graph.strongCounts[node] > references[node], !reach.isRoot(node), !graph.exempt.contains(node),
        !graph.inTransit.contains(node)
      else { continue }
      found[graph.typeOf[node], default: []].append(node)
    }
    var findings = found.map { type, nodes in
      let name = graph.types[Int(type)].name
      // If this holds for all objects of a type, their owner may refer to them in a way that is not recognised, such as
      // with tag bits.
      let areAll = nodes.count > 1 && nodes.count == living[Int(type)]
      var finding = Finding(
        kind: .overRetained, signature: "over-retained \(name)",
        title: "\(graph.types[Int(type)].shortName) is retained more often than it is referred to", nodes: nodes,
        bytes: nodes.reduce(0) { $0 + graph.bytes(of: $1) }, confidence: areAll ? 0.5 : 0.7, head: nodes[0],
        example: [nodes[0]])
      finding.instances = nodes.count
      return finding
    }
    findings.sort { ($1.objects, $0.title) < ($0.objects, $1.title) }
    return findings
  }
}
