import Graph

/// The reference that held a block until it was lost.
public struct Vanished: Equatable, Sendable {
  /// As the program's author writes it: "ViewController.listOfObjects", or a root, "stack of thread 12".
  public var reference: String
  /// Whose field it was; nil when a root itself named the block.
  public var holder: UInt64?
  /// The root from which the holder was reached.
  public var root: String
}

extension Examination {
  /// Which reference let go of some of the nodes that a later look finds lost: of the shortest way to one of them,
  /// here, the first step whose end the later look does not reach any more. nil when none of them was there and
  /// reached: they were made and lost in between.
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
        // The way breaks at its root, or at an object that has gone itself.
        if fallback == nil { fallback = Vanished(reference: root, root: root) }
        continue
      }
      return Vanished(
        reference: graph.type(of: step.from).shortName + step.suffix(in: graph),
        holder: graph.addresses[step.from], root: root)
    }
    return fallback
  }

  /// Nodes of a finding that are asked: the first that was held by somebody answers for all.
  private static let asked = 64
}

extension ObjectGraph {
  /// The same block in another graph of the same process: at the same place, of the same type and size.
  func same(_ node: Int, in other: ObjectGraph) -> Int? {
    guard let there = other.node(at: addresses[node]), other.addresses[there] == addresses[node],
      other.words[there] == words[node], other.type(of: there).name == type(of: node).name
    else { return nil }
    return there
  }
}
