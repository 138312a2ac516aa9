import Graph

/// The strongly connected components of a part of a graph (Tarjan, 1972, with one number for each node: Pearce, 2016).
struct Components {
  /// The component of each node; -1 for a node outside of the part, and `Int32.max` for one in no ring, where only
  /// rings are asked for. During the search an open node has -2 minus the number of the oldest open node that it is
  /// known to reach.
  private(set) var of: [Int32]
  /// The nodes of all components, one component after the other, sinks first.
  private var nodes: [Int32] = []
  /// The beginning of each component in `nodes`, and the end of the last. Most have one node, for which a list each
  /// would be too much.
  private var starts: [Int32] = [0]
  private var opened: Int32 = 0
  private var calls: [Call] = []
  /// Open nodes that are not known to reach older ones.
  private var isOldest: BlockSet
  /// Nodes that are done and belong to the component of an older one.
  private var done: [Int32] = []
  /// True if a component of one node needs a reference to itself.
  private let areRings: Bool
  private var loops: BlockSet

  var count: Int { starts.count - 1 }
  func members(of component: Int) -> ArraySlice<Int32> { nodes[Int(starts[component])..<Int(starts[component + 1])] }

  /// A node whose references are being followed. The recursion is an explicit stack: a chain of a million objects would
  /// be as deep.
  private struct Call {
    let node: Int32
    var next: UInt32
  }

  /// - Parameters:
  ///   - areRings: true to leave out single nodes without a reference to themselves.
  ///   - isPart: true for nodes of the part.
  ///   - follows: true for references that count.
  init(
    _ graph: ObjectGraph, areRings: Bool = false, isPart: (Int) -> Bool,
    follows: (_ from: Int, _ reference: Reference) -> Bool
  ) {
    of = [Int32](repeating: -1, count: graph.count)
    isOldest = BlockSet(count: graph.count)
    loops = isOldest
    self.areRings = areRings
    if !areRings {
      // Most nodes are a component each. Memory that is not used costs nothing; growing arrays are copied.
      nodes.reserveCapacity(graph.count)
      starts.reserveCapacity(graph.count + 1)
    }
    for start in 0..<graph.count where of[start] == -1 && isPart(start) {
      open(start, graph)
      while let call = calls.last {
        let node = Int(call.node)
        var next = Int(call.next)
        let end = Int(graph.firstReference[node + 1])
        var found = -1
        while next < end, found < 0 {
          let reference = graph.references[next]
          next += 1
          let target = Int(reference.target)
          guard of[target] < 0, reference.keepsAlive, of[target] != -1 || isPart(target), follows(node, reference)
          else { continue }
          if of[target] == -1 { found = target } else { join(node, target) }
          if target == node { loops.insert(node) }
        }
        if found >= 0 {
          calls[calls.count - 1].next = UInt32(next)
          open(found, graph)
          continue
        }
        calls.removeLast()
        if isOldest.contains(node) { close(node) } else { done.append(call.node) }
        if let caller = calls.last, of[node] < 0 { join(Int(caller.node), node) }
      }
    }
  }

  private mutating func open(_ node: Int, _ graph: ObjectGraph) {
    of[node] = -2 - opened
    opened += 1
    isOldest.insert(node)
    calls.append(Call(node: Int32(node), next: graph.firstReference[node]))
  }

  /// Notes that a node reaches an open one.
  @inline(__always)
  private mutating func join(_ node: Int, _ other: Int) {
    guard of[other] > of[node] else { return }
    of[node] = of[other]
    isOldest.remove(node)
  }

  private mutating func close(_ node: Int) {
    if areRings, !loops.contains(node), done.last.map({ of[Int($0)] > of[node] }) ?? true {
      of[node] = .max
      return
    }
    let component = Int32(count)
    while let member = done.last, of[Int(member)] <= of[node] {
      done.removeLast()
      of[Int(member)] = component
      nodes.append(member)
    }
    of[node] = component
    nodes.append(Int32(node))
    starts.append(Int32(nodes.count))
  }
}
