import Graph

/// The strongly connected components of a part of a graph (Tarjan, 1972).
struct Components {
  /// The component of each node; -1 for a node outside of the part.
  private(set) var of: [Int32]
  /// The nodes of all components, one component after the other, sinks first.
  private var nodes: [Int32] = []
  /// The beginning of each component in `nodes`, and the end of the last. Most have one node, for which a list each
  /// would be too much.
  private var starts: [Int32] = [0]

  var count: Int { starts.count - 1 }
  func members(of component: Int) -> ArraySlice<Int32> { nodes[Int(starts[component])..<Int(starts[component + 1])] }

  /// - Parameters:
  ///   - isPart: true for nodes of the part.
  ///   - follows: true for references that count.
  init(
    _ graph: ObjectGraph, isPart: (Int) -> Bool, follows: (_ from: Int, _ reference: Reference) -> Bool
  ) {
    of = [Int32](repeating: -1, count: graph.count)
    // Most nodes are a component each. Memory that is not used costs nothing; growing arrays are copied.
    nodes.reserveCapacity(graph.count)
    starts.reserveCapacity(graph.count + 1)
    var order = [Int32](repeating: -1, count: graph.count)
    var lowest = [Int32](repeating: 0, count: graph.count)
    var counter: Int32 = 0
    var stack: [Int32] = []
    // The recursion as an explicit stack: a chain of a million objects would be as deep.
    var calls: [(node: Int32, next: UInt32)] = []
    for start in 0..<graph.count where order[start] < 0 && isPart(start) {
      calls.append((Int32(start), graph.firstReference[start]))
      while let (current, next) = calls.last {
        let node = Int(current)
        if order[node] < 0 {
          (order[node], lowest[node]) = (counter, counter)
          counter += 1
          stack.append(current)
        }
        if next < graph.firstReference[node + 1] {
          calls[calls.count - 1].next = next + 1
          let reference = graph.references[Int(next)]
          let target = Int(reference.target)
          guard reference.keepsAlive, isPart(target), follows(node, reference) else { continue }
          if order[target] < 0 {
            calls.append((Int32(target), graph.firstReference[target]))
          } else if of[target] < 0 {
            lowest[node] = min(lowest[node], order[target])
          }
        } else {
          calls.removeLast()
          if let caller = calls.last?.node { lowest[Int(caller)] = min(lowest[Int(caller)], lowest[node]) }
          if lowest[node] == order[node] { close(node, &stack) }
        }
      }
    }
  }

  private mutating func close(_ node: Int, _ stack: inout [Int32]) {
    let component = Int32(count)
    while true {
      let member = stack.removeLast()
      of[Int(member)] = component
      nodes.append(member)
      if member == node { break }
    }
    starts.append(Int32(nodes.count))
  }
}
