public import Graph

/// What each block keeps alive alone: the dominator tree (Lengauer and Tarjan, 1979, with path compression: as good as
/// linear). A block dominates another when every way from a root to that one leads through it; what would go with a
/// block is what it dominates.
public struct Dominators: Sendable {
  /// For each node the one that dominates it next: -1 for none but the roots together, and for what nothing reaches.
  private let owners: [Int32]
  /// Bytes that go with each node, its own included; 0 for what nothing reaches.
  private var sizes: [Int]
  /// Of leaks: members of rings, each of which keeps all that the first of them keeps.
  private var rings: [ArraySlice<Int32>] = []

  public init(_ graph: ObjectGraph) {
    let starts = graph.roots.map { Int($0.target) } + graph.exempt.sorted() + graph.inTransit.sorted()
    self.init(graph, from: starts, places: [Int32](repeating: 0, count: graph.count))
  }

  /// What has leaked, seen from the causes of the leaks. Each member of a leaked ring keeps all the others, and what
  /// they keep: all of it would go with any of them.
  public init(ofLeaks graph: ObjectGraph, _ reach: Reachability) {
    func isLeaked(_ node: Int) -> Bool { !reach.contains(node) && graph.type(of: node).kind != .sideTable }
    let components = Components(graph, isPart: isLeaked) { _, _ in true }
    var causes: [ArraySlice<Int32>] = []
    var isReached = [Bool](repeating: false, count: components.count)
    // Who refers to others comes behind them.
    for number in (0..<components.count).reversed() {
      let members = components.members(of: number)
      if !isReached[number] { causes.append(members) }
      for node in members {
        for reference in graph.references(of: Int(node)) where reference.keepsAlive {
          let other = components.of[Int(reference.target)]
          if other >= 0, other != number { isReached[Int(other)] = true }
        }
      }
    }
    self.init(
      graph, from: causes.compactMap { $0.first.map(Int.init) },
      places: (0..<graph.count).map { isLeaked($0) ? 0 : Walk.left })
    rings = causes.filter { $0.count > 1 }
    for members in rings { for node in members { sizes[Int(node)] = sizes[Int(members.first!)] } }
  }

  private init(_ graph: ObjectGraph, from starts: [Int], places: [Int32]) {
    var walk = Walk(graph, from: starts, places: places)
    walk.findDominators()
    var owners = [Int32](repeating: -1, count: graph.count)
    var sizes = [Int](repeating: 0, count: graph.count)
    // Whoever dominates comes earlier on the walk.
    for place in (1..<max(1, walk.order.count)).reversed() {
      let node = Int(walk.order[place])
      sizes[node] += graph.bytes(of: node)
      let owner = Int(walk.dominators[place])
      guard owner > 0 else { continue }
      owners[node] = walk.order[owner]
      sizes[Int(walk.order[owner])] += sizes[node]
    }
    (self.owners, self.sizes) = (owners, sizes)
  }

  /// The node without which this one would be lost; nil when there is none.
  public func owner(of node: Int) -> Int? { owners[node] < 0 ? nil : Int(owners[node]) }

  /// The retained size in bytes: what would be freed with a node, its own bytes included.
  public func retainedBytes(of node: Int) -> Int { sizes[node] }

  /// For each node how many would be freed with it, itself included; 0 for what nothing reaches.
  public func retainedCounts() -> [Int32] {
    var counts = sizes.map { $0 > 0 ? 1 : 0 as Int32 }
    // From the ends: a node is counted to its owner when all that it owns is counted to it.
    var waiting = [Int32](repeating: 0, count: owners.count)
    for owner in owners where owner >= 0 { waiting[Int(owner)] += 1 }
    for end in owners.indices where waiting[end] == 0 {
      var node = end
      while let owner = owner(of: node) {
        counts[owner] += counts[node]
        waiting[owner] -= 1
        guard waiting[owner] == 0 else { break }
        node = owner
      }
    }
    for members in rings { for node in members { counts[Int(node)] = counts[Int(members.first!)] } }
    return counts
  }

  /// What would go with each of some groups that have no node in common: what their members keep that no other member
  /// of the same group owns.
  public func retainedBytes(of groups: [[Int]]) -> [Int] {
    var groupOf = [Int32](repeating: -1, count: sizes.count)
    for (number, group) in groups.enumerated() { for node in group { groupOf[node] = Int32(number) } }
    return groups.enumerated().map { number, group in
      group.reduce(0) { bytes, node in
        owners[node] >= 0 && groupOf[Int(owners[node])] == number ? bytes : bytes + sizes[node]
      }
    }
  }

  /// The nodes that keep the most, largest first. Of a chain of one type, such as a list, its head stands for all.
  public func largest(_ count: Int, in graph: ObjectGraph) -> [Int] {
    var found: [(bytes: Int, node: Int)] = []
    var least = 0
    for node in 0..<sizes.count where sizes[node] > max(least, graph.bytes(of: node)) {
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

/// The walk through the depths of a graph, from a root of all roots; all places are numbers on this walk.
private struct Walk {
  /// Nodes in the order in which they are met; 0 is the root of all roots.
  var order: [Int32] = [-1]
  var dominators: [Int32] = []
  private var parents: [Int32] = [0]
  /// Whence each place can be reached: those of place p from `firstSource[p]` on.
  private var firstSource: [Int32] = []
  private var sources: [Int32] = []

  /// The place of a node that is no part of the walk.
  static let left: Int32 = -1

  /// - Parameter places: 0 for each node that may be walked, `left` for the others.
  init(_ graph: ObjectGraph, from starts: [Int], places: [Int32]) {
    var places = places
    order.reserveCapacity(graph.count + 1)
    parents.reserveCapacity(graph.count + 1)
    // Steps by the places at their ends, as they are met: from then on the graph itself is asked no more, whose blocks
    // lie in another order.
    var steps: [(from: Int32, to: Int32)] = []
    steps.reserveCapacity(graph.references.count + starts.count)
    var calls: [(place: Int32, next: UInt32)] = []
    graph.references.withUnsafeBufferPointer { references in
      graph.firstReference.withUnsafeBufferPointer { first in
        places.withUnsafeMutableBufferPointer { places in
          for start in starts {
            visit(start, from: 0)
            while let (place, next) = calls.last {
              let node = Int(order[Int(place)])
              guard next < first[node + 1] else {
                calls.removeLast()
                continue
              }
              calls[calls.count - 1].next = next + 1
              let reference = references[Int(next)]
              if reference.keepsAlive { visit(Int(reference.target), from: place) }
            }
          }
          func visit(_ node: Int, from: Int32) {
            guard places[node] >= 0 else { return }
            if places[node] == 0 {
              places[node] = Int32(order.count)
              order.append(Int32(node))
              parents.append(from)
              calls.append((places[node], first[node]))
            }
            steps.append((from, places[node]))
          }
        }
      }
    }
    gatherSources(steps)
  }

  private mutating func gatherSources(_ steps: [(from: Int32, to: Int32)]) {
    // How many there are for each place, then where each place's end, and as they are filled in from behind, begin.
    var bounds = [Int32](repeating: 0, count: order.count + 1)
    for step in steps { bounds[Int(step.to)] += 1 }
    for place in 1..<bounds.count { bounds[place] += bounds[place - 1] }
    sources = [Int32](repeating: 0, count: steps.count)
    for step in steps {
      bounds[Int(step.to)] -= 1
      sources[Int(bounds[Int(step.to)])] = step.from
    }
    firstSource = bounds
  }

  /// Fills `dominators`: for each place the one that dominates it next.
  mutating func findDominators() {
    let count = order.count
    dominators = [Int32](repeating: 0, count: count)
    // Five columns in one piece, without a check at every step: this is where the time goes.
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: 5 * count)
    defer { columns.deallocate() }
    let semi = columns
    let label = columns + count
    let ancestor = columns + 2 * count
    // Places whose semidominator a place is: lists that go on in `nextInBucket`.
    let bucket = columns + 3 * count
    let nextInBucket = columns + 4 * count
    for place in 0..<count { (semi[place], label[place]) = (Int32(place), Int32(place)) }
    ancestor.initialize(repeating: -1, count: 3 * count)
    var chain: [Int32] = []
    /// The place of the least semidominator on the way up to what is linked so far.
    func least(_ place: Int32) -> Int32 {
      guard ancestor[Int(place)] >= 0 else { return place }
      var top = place
      while ancestor[Int(ancestor[Int(top)])] >= 0 {
        chain.append(top)
        top = ancestor[Int(top)]
      }
      // From above, so that each finds the one before it shortened.
      while let below = chain.popLast() {
        let above = Int(ancestor[Int(below)])
        if semi[Int(label[above])] < semi[Int(label[Int(below)])] { label[Int(below)] = label[above] }
        ancestor[Int(below)] = ancestor[above]
      }
      return label[Int(place)]
    }
    dominators.withUnsafeMutableBufferPointer { dominators in
      for place in (1..<max(1, count)).reversed() {
        for index in Int(firstSource[place])..<Int(firstSource[place + 1]) {
          semi[place] = min(semi[place], semi[Int(least(sources[index]))])
        }
        nextInBucket[place] = bucket[Int(semi[place])]
        bucket[Int(semi[place])] = Int32(place)
        let parent = Int(parents[place])
        ancestor[place] = parents[place]
        var member = bucket[parent]
        bucket[parent] = -1
        while member >= 0 {
          let best = least(member)
          dominators[Int(member)] = semi[Int(best)] < semi[Int(member)] ? best : Int32(parent)
          member = nextInBucket[Int(member)]
        }
      }
      for place in 1..<max(1, count) where dominators[place] != semi[place] {
        dominators[place] = dominators[Int(dominators[place])]
      }
    }
  }
}
