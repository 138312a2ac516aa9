public import Graph

/// The dominator tree, which tells what each block alone keeps alive (semidominators of Lengauer and Tarjan, 1979, and
/// from them the nearest common ancestors: Georgiadis, 2005). A block dominates another when every path from a root to
/// it leads through the block; freeing a block frees all that it dominates.
public struct Dominators: Sendable {
  /// The immediate dominator of each node; -1 if that is the set of roots, and for unreachable nodes.
  private let owners: [Int32]
  /// The retained size of each node in bytes; 0 for nodes that neither a root nor a leak's cause reaches.
  private let sizes: [Int]
  /// The number of blocks in each retained size.
  private let counts: [Int32]

  public init(_ graph: ObjectGraph) { self.init(graph, leaked: Leaks.Causes()) }

  /// - Parameter causes: the causes of leaks, which count as roots: blocks without references, and retain cycles. Each
  ///   member of a cycle retains what all members do, since without it they would be freed, too. Dominators of
  ///   reachable nodes are not affected by leaks.
  init(_ graph: ObjectGraph, leaked causes: Leaks.Causes) {
    let walk = Walk(graph, leaked: causes.heads)
    var owners = [Int32](repeating: -1, count: graph.count)
    var sizes = [Int](repeating: 0, count: graph.count)
    var counts = [Int32](repeating: 0, count: graph.count)
    // Dominators come earlier in the order of the search.
    for place in (1..<max(1, walk.order.count)).reversed() {
      let node = Int(walk.order[place])
      sizes[node] += graph.bytes(of: node)
      counts[node] += 1
      let owner = Int(walk.dominators[place])
      guard owner > 0 else { continue }
      owners[node] = walk.order[owner]
      sizes[Int(walk.order[owner])] += sizes[node]
      counts[Int(walk.order[owner])] += counts[node]
    }
    for ring in causes.rings {
      let (whole, count) = (sizes[Int(ring.first!)], counts[Int(ring.first!)])
      for node in ring { (owners[Int(node)], sizes[Int(node)], counts[Int(node)]) = (-1, whole, count) }
    }
    (self.owners, self.sizes, self.counts) = (owners, sizes, counts)
  }

  /// The immediate dominator of a node; nil when there is none.
  public func owner(of node: Int) -> Int? { owners[node] < 0 ? nil : Int(owners[node]) }

  /// The retained size: the bytes that freeing a node would free, its own included.
  public func retainedBytes(of node: Int) -> Int { sizes[node] }

  /// The number of blocks that freeing a node would free, itself included.
  public func retainedBlocks(of node: Int) -> Int { Int(counts[node]) }

  /// The retained sizes of disjoint groups of nodes: the sum over the members that no other member of the same group
  /// dominates.
  public func retainedBytes(of groups: [[Int]]) -> [Int] {
    var groupOf = [Int32](repeating: -1, count: sizes.count)
    for (number, group) in groups.enumerated() { for node in group { groupOf[node] = Int32(number) } }
    return groups.enumerated().map { number, group in
      group.reduce(0) { bytes, node in
        owners[node] >= 0 && groupOf[Int(owners[node])] == number ? bytes : bytes + sizes[node]
      }
    }
  }

  /// The reachable nodes with the largest retained sizes, largest first. A chain of one type, such as a list, is
  /// represented by its head.
  public func largest(_ count: Int, in graph: ObjectGraph, _ reach: Reachability) -> [Int] {
    var found: [(bytes: Int, node: Int)] = []
    var least = 0
    for node in 0..<sizes.count where sizes[node] > max(least, graph.bytes(of: node)) && reach.contains(node) {
      if let owner = owner(of: node), graph.typeOf[owner] == graph.typeOf[node] { continue }
      found.append((sizes[node], node))
      guard found.count >= 4 * count else { continue }
      found.sort { ($1.bytes, $0.node) < ($0.bytes, $1.node) }
      found.removeLast(found.count - count)
      least = found[count - 1].bytes
    }
    found.sort { ($1.bytes, $0.node) < ($0.bytes, $1.node) }
    return found.prefix(count).map(\.node)
  }
}

/// A depth-first search through a graph, from a common root of all roots; all indices are positions in this search.
private struct Walk {
  /// The nodes in the order of the search; 0 is the common root.
  private(set) var order: [Int32] = []
  private(set) var dominators: [Int32] = []
  /// The position from which each was first reached.
  private var parents: [Int32] = []
  /// For each position the last of the other edges that lead there; -1 for none.
  private var lastStep: [Int32] = []

  private struct Step {
    let from: Int32
    /// Another edge to the same position; -1 for none.
    let before: Int32
  }

  init(_ graph: ObjectGraph, leaked heads: [Int]) {
    let starts = graph.roots.map { Int($0.target) } + graph.exempt.sorted() + graph.inTransit.sorted()
    let count = graph.count + 1
    let steps = UnsafeMutablePointer<Step>.allocate(capacity: graph.references.count + starts.count + heads.count)
    defer { steps.deallocate() }
    var stepCount: Int32 = 0
    // Arrays without bounds checks: most of the time is spent here and in finding dominators, mostly waiting for
    // memory.
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: 5 * count)
    defer { columns.deallocate() }
    columns.initialize(repeating: 0, count: 5 * count)
    let places = columns
    let order = columns + count
    let parents = columns + 2 * count
    let lastStep = columns + 3 * count
    // The next reference to read, for each position whose references are still being read.
    let next = columns + 4 * count
    order[0] = -1
    lastStep[0] = -1
    var met: Int32 = 1
    // Positions before this one are reachable: leaks do not dominate them.
    var firstLeaked = 0
    graph.references.withUnsafeBufferPointer { references in
      graph.firstReference.withUnsafeBufferPointer { first in
        /// Returns true if a node is reached for the first time.
        func meet(_ node: Int, from: Int32) -> Bool {
          let place = Int(places[node])
          if place != 0 {
            if place < firstLeaked { return false }
            steps[Int(stepCount)] = Step(from: from, before: lastStep[place])
            lastStep[place] = stepCount
            stepCount += 1
            return false
          }
          places[node] = met
          order[Int(met)] = Int32(truncatingIfNeeded: node)
          parents[Int(met)] = from
          lastStep[Int(met)] = -1
          next[Int(met)] = Int32(bitPattern: first[node])
          met += 1
          return true
        }
        for (number, start) in (starts + heads).enumerated() {
          if number == starts.count { firstLeaked = Int(met) }
          guard meet(start, from: 0) else { continue }
          var place = met - 1
          while place > 0 {
            var index = Int(UInt32(bitPattern: next[Int(place)]))
            let end = Int(first[Int(order[Int(place)]) + 1])
            var isNew = false
            while index < end, !isNew {
              let reference = references[index]
              index += 1
              isNew = reference.keepsAlive && meet(Int(reference.target), from: place)
            }
            next[Int(place)] = Int32(truncatingIfNeeded: index)
            place = isNew ? met - 1 : parents[Int(place)]
          }
        }
      }
    }
    self.order = Array(UnsafeBufferPointer(start: order, count: Int(met)))
    self.parents = Array(UnsafeBufferPointer(start: parents, count: Int(met)))
    self.lastStep = Array(UnsafeBufferPointer(start: lastStep, count: Int(met)))
    findDominators(steps)
  }

  /// The state of a position in the forest of processed ones.
  private struct Link {
    /// An ancestor; the positions in between are summed up in `least`.
    var above: Int32
    /// The least semidominator of this position and those up to before `above`.
    var least: Int32
  }

  private mutating func findDominators(_ steps: UnsafePointer<Step>) {
    let count = order.count
    let links = UnsafeMutablePointer<Link>.allocate(capacity: count)
    defer { links.deallocate() }
    // Positions not processed yet are their own semidominators.
    for place in 0..<count { links[place] = Link(above: parents[place], least: Int32(truncatingIfNeeded: place)) }
    dominators = parents
    let chain = UnsafeMutablePointer<Int32>.allocate(capacity: count)
    defer { chain.deallocate() }
    /// The least semidominator among a position's ancestors after `last`.
    func least(_ place: Int32, behind last: Int32) -> Int32 {
      var top = links[Int(place)]
      if top.above <= last { return top.least }
      var at = place
      var length = 0
      while top.above > last {
        chain[length] = at
        length += 1
        at = top.above
        top = links[Int(at)]
      }
      // From the top, so that each finds the path above it compressed.
      var best = top.least
      while length > 0 {
        length -= 1
        let below = Int(chain[length])
        best = min(best, links[below].least)
        links[below] = Link(above: top.above, least: best)
      }
      return best
    }
    dominators.withUnsafeMutableBufferPointer { dominators in
      parents.withUnsafeBufferPointer { parents in
        for place in (1..<Int32(max(1, count))).reversed() {
          var semi = parents[Int(place)]
          var step = lastStep[Int(place)]
          while step >= 0 {
            let from = steps[Int(step)].from
            semi = min(semi, from <= place ? from : least(from, behind: place))
            step = steps[Int(step)].before
          }
          links[Int(place)].least = semi
          dominators[Int(place)] = semi
        }
      }
      // The immediate dominator: the nearest of the parent's ancestors that is not after the semidominator (Georgiadis,
      // 2005).
      for place in 1..<max(1, count) {
        let semi = dominators[place]
        var next = parents[place]
        while next > semi { next = dominators[Int(next)] }
        dominators[place] = next
      }
    }
  }
}
