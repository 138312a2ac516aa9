import CPrefetch
import Graph

extension Reachability {
  /// The search for all that is reachable. What is reached next may be anywhere in memory, so nearly all of its time
  /// would be spent waiting for that: the nodes that come soon are asked for early.
  struct Search {
    private let graph: ObjectGraph
    private let doubts: Doubts?
    private let typeOf: UnsafeBufferPointer<UInt32>
    private let first: UnsafeBufferPointer<UInt32>
    private let references: UnsafeBufferPointer<Reference>
    private let parents: UnsafeMutableBufferPointer<Int32>
    private let isSure: [WordPlaces]
    /// The nodes with references, and those reached: bits are nearer than numbers.
    private var refers: BlockSet
    private var reached: BlockSet
    /// Reached nodes with references.
    private var queue: [Int32] = []
    /// Those with uncertain references, for the next round.
    private var later: [Int32] = []

    /// - Parameters:
    ///   - typeOf, first, references: those of the graph, as long as the search lasts.
    ///   - parents: a place for each node.
    init(
      _ graph: ObjectGraph, _ doubts: Doubts?, typeOf: UnsafeBufferPointer<UInt32>,
      first: UnsafeBufferPointer<UInt32>, references: UnsafeBufferPointer<Reference>,
      parents: UnsafeMutableBufferPointer<Int32>
    ) {
      (self.graph, self.doubts) = (graph, doubts)
      (self.typeOf, self.first, self.references, self.parents) = (typeOf, first, references, parents)
      isSure = graph.types.map(WordPlaces.init(sure:))
      refers = BlockSet(count: graph.count)
      reached = refers
      for node in 0..<graph.count where first[node] < first[node + 1] { refers.insert(node) }
      queue.reserveCapacity(graph.count)
    }

    /// - Parameter starts: the nodes that roots refer to, the surest first.
    mutating func run(from starts: [[Int32]]) {
      var next = 0
      var circle = 0
      while circle < starts.count || !later.isEmpty {
        let unsure = later
        later = []
        for node in circle < starts.count ? starts[circle] : [] where !reached.contains(Int(node)) {
          reach(Int(node), from: node)
        }
        for node in unsure { follow(Int(node), sure: false) }
        while next < queue.count {
          prefetch(behind: next)
          let node = queue[next]
          next += 1
          if follow(Int(node), sure: true) { later.append(node) }
        }
        circle += 1
      }
    }

    /// How many nodes ahead the place of a node's references is asked for, and then the references.
    private static let (far, near) = (16, 8)

    @inline(__always)
    private func prefetch(behind next: Int) {
      guard next + Self.far < queue.count, let types = typeOf.baseAddress, let firsts = first.baseAddress,
        let all = references.baseAddress
      else { return }
      let (far, near) = (Int(queue[next + Self.far]), Int(queue[next + Self.near]))
      cprefetch_read(types + far)
      cprefetch_read(firsts + far)
      cprefetch_read(all + Int(first[near]))
    }

    /// - Returns: true if the node has uncertain references.
    @discardableResult @inline(__always)
    private mutating func follow(_ node: Int, sure: Bool) -> Bool {
      var hasOthers = false
      let type = Int(typeOf[node])
      for place in Int(first[node])..<Int(first[node + 1]) {
        let reference = references[place]
        let target = Int(reference.target)
        guard !reached.contains(target), reference.keepsAlive else { continue }
        if let doubts, doubts.concern(reference, from: type, in: graph) { continue }
        if sure, !(reference.kind == .strong && isDeclared(reference, in: type)) {
          hasOthers = true
          continue
        }
        reach(target, from: Int32(node))
      }
      return hasOthers
    }

    @inline(__always)
    private func isDeclared(_ reference: Reference, in type: Int) -> Bool {
      isSure[type].contains(reference.offset) ?? graph.types[type].isReference(at: reference.offset)
    }

    @inline(__always)
    private mutating func reach(_ node: Int, from parent: Int32) {
      reached.insert(node)
      parents[node] = parent
      if refers.contains(node) { queue.append(Int32(node)) }
    }
  }
}
