import Capture

extension ObjectGraph {
  /// Removes the roots that are mere leftovers: words of a main thread that waits, which calls that have returned have
  /// left in the frames of others, and which would hide a leak for as long as the program waits. If fields of other
  /// objects account for all of an object's retain count, the thread has not retained it, and uses it only as long as
  /// one of those fields is reachable.
  ///
  /// - Parameter places: indices in `roots`.
  mutating func removeLeftovers(among places: Range<Int>) {
    var isAsked = BlockSet(count: count)
    var explained: [UInt32: UInt32] = [:]
    for root in roots[places] where strongCounts[Int(root.target)] > 0 && type(of: Int(root.target)).isCounted {
      isAsked.insert(Int(root.target))
      explained[root.target] = 0
    }
    guard !explained.isEmpty else { return }
    let isTyped = types.map(\.isDescribed)
    for (place, reference) in references.enumerated()
    where reference.kind == .strong && isAsked.contains(Int(reference.target)) {
      // The node that has it.
      let node = firstPlace(in: firstReference) { Int($0) > place } - 1
      guard isTyped[Int(typeOf[node])], type(of: node).declaresReference(at: reference.offset) else { continue }
      explained[reference.target]! += 1
    }
    let kept = roots[places].filter { root in
      explained[root.target].map { $0 < strongCounts[Int(root.target)] } ?? true
    }
    roots.replaceSubrange(places, with: kept)
  }
}
