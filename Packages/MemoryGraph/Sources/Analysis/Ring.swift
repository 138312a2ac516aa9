import Graph

/// A chain of references that returns to its beginning.
struct Ring {
  var steps: [Step]

  /// The shortest ring through one of the members. That member is chosen to be most telling: of the program's own
  /// types, or at least a class, which owns storage and closures. Nil when there is none, as for a single node without
  /// a reference to itself.
  static func shortest(
    among members: ArraySlice<Int32>, of graph: ObjectGraph, isMember: (Int) -> Bool,
    follows: (_ from: Int, _ reference: Reference) -> Bool
  ) -> Ring? {
    // By types first, of which there are few: a ring may have a million members.
    let present = Set(members.map { graph.typeOf[Int($0)] })
    let best = present.min { a, b in
      let (first, second) = (graph.types[Int(a)], graph.types[Int(b)])
      return (first.rank, first.name, a) < (second.rank, second.name, b)
    }
    guard let start = members.lazy.map(Int.init).filter({ graph.typeOf[$0] == best }).min() else { return nil }
    return ring(through: start, graph, isMember: isMember, follows: follows)
  }

  /// The same ring, starting with the member that is first reached from outside; if that is a block of C's, such as a
  /// running timer, with the next object of the program's own.
  func entered(_ reach: Reachability, _ graph: ObjectGraph) -> Ring {
    let members = Set(steps.map(\.from))
    let entry = steps.firstIndex { step in
      let parent = reach.parent(of: step.from)
      return parent == step.from || !members.contains(parent)
    }
    let ring = Ring(steps: Array(steps[(entry ?? 0)...] + steps[..<(entry ?? 0)]))
    guard graph.type(of: ring.steps[0].from).language != .swift,
      let own = ring.steps.firstIndex(where: { graph.type(of: $0.from).isOwn })
    else { return ring }
    return Ring(steps: Array(ring.steps[own...] + ring.steps[..<own]))
  }

  private static func ring(
    through start: Int, _ graph: ObjectGraph, isMember: (Int) -> Bool,
    follows: (_ from: Int, _ reference: Reference) -> Bool
  ) -> Ring? {
    var cameBy: [Int: Step] = [:]
    var queue = [start]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for reference in graph.references(of: node) where reference.keepsAlive {
        let target = Int(reference.target)
        guard isMember(target), follows(node, reference) else { continue }
        let step = Step(from: node, to: target, offset: reference.offset)
        if target == start {
          var steps = [step]
          while let before = cameBy[steps.last!.from] { steps.append(before) }
          return Ring(steps: steps.reversed())
        }
        if cameBy[target] == nil {
          cameBy[target] = step
          queue.append(target)
        }
      }
    }
    return nil
  }
}

extension BlockType {
  /// The rank of a type as a ring's most informative member; 0 is highest.
  fileprivate var rank: Int {
    if isOwn { return 0 }
    guard language == .swift else { return 3 }
    return kind == .object && !name.hasSuffix(" storage") && !name.hasPrefix("__") ? 1 : 2
  }
}
