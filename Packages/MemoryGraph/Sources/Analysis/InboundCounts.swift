import Graph

/// The number of strong references found to each node, compared with Swift's reference counts.
struct InboundCounts {
  /// The counts expected if every word that looks like a reference is one. Without those from a task's functions, which
  /// name an object several times and hold it once, or not at all while their caller holds it, and without those from
  /// continuations and jobs, which hold their task without a count.
  private let fewest: [UInt32]
  private let most: [UInt32]
  /// Nodes with more references than their retain count, if a variable outside of the heap is among them.
  private var isCrowded: [Bool]
  private let waiting: WaitingTasks

  init(_ graph: ObjectGraph, _ waiting: WaitingTasks) {
    self.waiting = waiting
    let own = graph.types.map(\.ownReferences)
    var counts = graph.typeOf.map { own[Int($0)] }
    for reference in graph.references where reference.kind == .strong { counts[Int(reference.target)] += 1 }
    most = counts
    // For most nodes all references count: the exceptions are subtracted.
    let isOfTask = graph.types.map { $0.kind == .task || $0.kind == .frames }
    for node in 0..<graph.count {
      let type = Int(graph.typeOf[node])
      guard isOfTask[type] || waiting.types[type] else { continue }
      for reference in graph.references(of: node)
      where reference.kind == .strong && (isOfTask[type] || waiting.isWaitedFor(reference, from: node, in: graph)) {
        counts[Int(reference.target)] -= 1
      }
    }
    fewest = counts
    isCrowded = zip(fewest, graph.strongCounts).map { $1 > 0 && $0 > $1 }
    for root in graph.roots where root.strength == .variable {
      let node = Int(root.target)
      if graph.strongCounts[node] > 0, fewest[node] >= graph.strongCounts[node] { isCrowded[node] = true }
    }
  }

  /// 1 when the references found account for every node's count, so that nothing else can hold it; 0.5 when they
  /// account for none: something else may hold it, or apparent references are not real. 0.9 for blocks without counts,
  /// since a program may hide a reference (compressed, or with tag bits).
  func confidence(_ nodes: [Int], _ graph: ObjectGraph) -> Double {
    let counted = nodes.filter { graph.strongCounts[$0] > 0 }
    guard !counted.isEmpty else { return 0.9 }
    let explained = counted.count { fewest[$0] <= graph.strongCounts[$0] && graph.strongCounts[$0] <= most[$0] }
    return 0.5 + Double(explained) / Double(counted.count) / 2
  }

  /// True if a word that looks like a reference may be uncounted or stale: Swift's metadata does not describe its
  /// place, and more references to its target were found than its retain count.
  @inline(__always)
  func doubt(_ reference: Reference, from node: Int, in graph: ObjectGraph) -> Bool {
    guard isCrowded[Int(reference.target)] else { return false }
    let type = graph.type(of: node)
    return type.kind != .task && type.kind != .frames && !type.isExact(at: reference.offset)
      && !waiting.isWaitedFor(reference, from: node, in: graph)
  }
}

/// The fields in which continuations and jobs hold a task that is to be resumed or run.
struct WaitingTasks {
  let types: [Bool]
  private let isTask: [Bool]

  init(_ graph: ObjectGraph) {
    types = graph.types.map { type in
      Self.tells(type.name) || (type.fields + type.elements.flatMap(\.fields)).contains { Self.tells($0.typeName) }
    }
    isTask = graph.types.map { $0.kind == .task }
  }

  /// True if a reference leads from a continuation, or from a queued job, to its task.
  @inline(__always)
  func isWaitedFor(_ reference: Reference, from node: Int, in graph: ObjectGraph) -> Bool {
    types[Int(graph.typeOf[node])] && isTask[Int(graph.typeOf[Int(reference.target)])]
      && Self.tells(graph.type(of: node), at: reference.offset)
  }

  private static func tells(_ type: BlockType, at offset: Int) -> Bool {
    let field = type.field(at: offset)?.typeName ?? ""
    return tells(field.isEmpty ? type.name : field)
  }

  /// By the type's name: "Optional<UnsafeContinuation<(), Never>>", "Array<UnownedJob> storage".
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
