import Graph

/// How many strong references were found to each node, and what Swift's own counts say of them.
struct InboundCounts {
  /// As many as Swift must have counted if every word that looks like a reference is one. Without those of a task's
  /// functions, which hold an object once and name it several times, or not at all while their caller holds it, and
  /// without those of continuations and jobs, which keep their task without a count.
  private var fewest: [UInt32]
  private var most: [UInt32]
  /// Nodes that a variable outside of the heap names, which holds them once.
  private let held: Set<UInt32>
  private let waiting: WaitingTasks

  init(_ graph: ObjectGraph, _ waiting: WaitingTasks) {
    let own = graph.types.map(\.ownReferences)
    let isOfTask = graph.types.map { $0.kind == .task || $0.kind == .frames }
    most = graph.typeOf.map { own[Int($0)] }
    fewest = most
    for node in 0..<graph.count {
      let counts = !isOfTask[Int(graph.typeOf[node])]
      for reference in graph.references(of: node) where reference.kind == .strong {
        most[Int(reference.target)] += 1
        if counts, !waiting.isWaitedFor(reference, from: node, in: graph) { fewest[Int(reference.target)] += 1 }
      }
    }
    held = Set(graph.roots.lazy.filter { $0.strength == .variable }.map(\.target))
    self.waiting = waiting
  }

  /// 1 when the references found explain every node's count, so that nobody else can hold it; 0.5 when they explain
  /// none: somebody else may hold it, or what looks like a reference to it is none.
  /// Blocks without counts: 0.9, since a program may hide a reference (compressed, or with bits of its own in it).
  func confidence(_ nodes: [Int], _ graph: ObjectGraph) -> Double {
    let counted = nodes.filter { graph.strongCounts[$0] > 0 }
    guard !counted.isEmpty else { return 0.9 }
    let explained = counted.count { fewest[$0] <= graph.strongCounts[$0] && graph.strongCounts[$0] <= most[$0] }
    return 0.5 + Double(explained) / Double(counted.count) / 2
  }

  /// Whether a word that looks like a reference may be one that nothing counts, or what somebody has left there: Swift
  /// does not say what stands in its place, and more references to its target were found than that has been retained.
  @inline(__always)
  func doubt(_ reference: Reference, from node: Int, in graph: ObjectGraph) -> Bool {
    let target = Int(reference.target)
    guard graph.strongCounts[target] > 0, fewest[target] >= graph.strongCounts[target] else { return false }
    let found = fewest[target] + (held.contains(reference.target) ? 1 : 0)
    let type = graph.type(of: node)
    return found > graph.strongCounts[target] && type.kind != .task && type.kind != .frames
      && !type.isExact(at: reference.offset) && !waiting.isWaitedFor(reference, from: node, in: graph)
  }
}

/// Where continuations and jobs stand, which keep a task that somebody has to wake up or to run.
struct WaitingTasks {
  /// Of the types that have such places.
  private let types: [Bool]
  private let isTask: [Bool]

  init(_ graph: ObjectGraph) {
    types = graph.types.map { type in
      Self.tells(type.name) || (type.fields + type.elements.flatMap(\.fields)).contains { Self.tells($0.typeName) }
    }
    isTask = graph.types.map { $0.kind == .task }
  }

  /// Whether a reference leads from a continuation, or from a waiting job, to its task.
  @inline(__always)
  func isWaitedFor(_ reference: Reference, from node: Int, in graph: ObjectGraph) -> Bool {
    types[Int(graph.typeOf[node])] && isTask[Int(graph.typeOf[Int(reference.target)])]
      && Self.tells(graph.type(of: node), at: reference.offset)
  }

  private static func tells(_ type: BlockType, at offset: Int) -> Bool {
    let field = type.field(at: offset)?.typeName ?? ""
    return tells(field.isEmpty ? type.name : field)
  }

  /// By names: "Optional<UnsafeContinuation<(), Never>>", "Array<UnownedJob> storage".
  private static func tells(_ name: String) -> Bool {
    var rest = name.utf8[...]
    while let start = rest.firstIndex(where: firsts.contains) {
      rest = rest[start...]
      if names.contains(where: { rest.starts(with: $0) }) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
  private static let names = ["UnsafeContinuation<", "CheckedContinuationCanary", "UnownedJob", "ExecutorJob"].map {
    Array($0.utf8)
  }
  private static let firsts = Array("UCE".utf8)
}
