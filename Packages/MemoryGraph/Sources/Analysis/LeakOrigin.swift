import Graph

/// The last reference that held a block before it leaked.
public struct Vanished: Equatable, Sendable {
  /// The reference in the program's terms: "ViewController.listOfObjects", or a root, "stack of thread 12".
  public var reference: String
  /// The object with the field; nil when a root itself referred to the block.
  public var holder: UInt64?
  /// The root that reached the holder.
  public var root: String
}

extension Examination {
  /// The reference that was removed before a later look finds the nodes leaked: on the shortest path to one of them in
  /// this look, the first step whose end the later look does not reach. Nil when none of them existed and was reachable
  /// in this look: they were allocated and leaked in between.
  func vanished(of nodes: [Int], in later: Examination) -> Vanished? {
    var fallback: Vanished?
    for node in nodes.prefix(Self.asked) {
      guard let here = later.graph.same(node, in: graph), let path = reach.path(to: here, in: graph) else { continue }
      let root = path.root?.label ?? "the C library"
      let ends = path.steps.map(\.to)
      let first = ends.firstIndex { end in
        guard let there = graph.same(end, in: later.graph) else { return true }
        return !later.reach.contains(there)
      }
      guard let first else { continue }
      let step = path.steps[first]
      let holds = graph.same(step.from, in: later.graph).map { later.reach.contains($0) } ?? false
      guard holds else {
        // The path breaks at its root, or at an object that was freed itself.
        if fallback == nil { fallback = Vanished(reference: root, root: root) }
        continue
      }
      return Vanished(
        reference: graph.type(of: step.from).shortName + step.suffix(in: graph),
        holder: graph.addresses[step.from], root: root)
    }
    return fallback
  }

  /// The most nodes of a finding that are tried: the first that had a reference stands for all.
  private static let asked = 64
}

extension ObjectGraph {
  /// The same block in another graph of the same process: at the same address, of the same type and size.
  func same(_ node: Int, in other: ObjectGraph) -> Int? {
    guard let there = other.node(at: addresses[node]), other.addresses[there] == addresses[node],
      other.words[there] == words[node], other.type(of: there).name == type(of: node).name
    else { return nil }
    return there
  }
}
