import Analysis
import Graph
import Testing

struct DominatorTests {
  @Test func `what would go with an object is what it retains`() {
    let sketch = Sketch()
    let (root, left, right) = (sketch.object("App.Root"), sketch.object("App.Left"), sketch.object("App.Right"))
    let (own, shared) = (sketch.object("App.Own"), sketch.object("App.Shared"))
    sketch.root("global variable App.root", root)
    sketch.refer(root, "left", left)
    sketch.refer(root, "right", right)
    sketch.refer(left, "own", own)
    sketch.refer(left, "shared", shared)
    sketch.refer(right, "shared", shared)
    sketch.refer(own, "root", root)
    let graph = sketch.graph
    let dominators = Dominators(graph)
    #expect([root, left, right, own, shared].map { dominators.retainedBytes(of: $0) / 64 } == [5, 2, 1, 1, 1])
    #expect([root, left, right, own, shared].map { dominators.owner(of: $0) } == [nil, root, root, left, root])
    #expect(dominators.retainedBytes(of: [[left, own], [right, shared]]) == [2 * 64, 2 * 64])
    #expect(dominators.largest(2, in: graph, Reachability(graph)) == [root, left])
  }

  @Test func `weak references retain nothing, and what nothing reaches is retained by nobody`() {
    let sketch = Sketch()
    let (root, weak, lost) = (sketch.object("App.Root"), sketch.object("App.Weak"), sketch.object("App.Lost"))
    sketch.root("global variable App.root", root)
    sketch.refer(root, "weak", weak, .weak)
    sketch.refer(lost, "weak", weak)
    let graph = sketch.graph
    let dominators = Dominators(graph)
    #expect([root, weak, lost].map { dominators.retainedBytes(of: $0) } == [64, 0, 0])
  }

  @Test func `each member of a leaked ring keeps all of it, and nothing that is reached otherwise`() throws {
    let sketch = Sketch()
    let (root, shared) = (sketch.object("App.Root"), sketch.object("App.Shared"))
    let (one, other) = sketch.pair("App.One", "next", "App.Other", "next")
    let (list, item, loose) = (sketch.object("App.List"), sketch.object("App.Item"), sketch.object("App.Loose"))
    sketch.root("global variable App.root", root)
    sketch.refer(root, "shared", shared)
    sketch.refer(other, "shared", shared)
    sketch.refer(other, "list", list)
    sketch.refer(list, "item", item)
    sketch.refer(loose, "shared", shared)
    var examination = Examination(sketch.graph)
    examination.weigh()
    let dominators = try #require(examination.dominators)
    let nodes = [one, other, list, item, loose, root, shared]
    #expect(nodes.map { dominators.retainedBytes(of: $0) / 64 } == [4, 4, 2, 1, 1, 2, 1])
    #expect(nodes.map { dominators.retainedBlocks(of: $0) } == [4, 4, 2, 1, 1, 2, 1])
  }

  /// The definition itself: everything that becomes unreachable when a node is removed.
  private func retained(_ node: Int, _ graph: ObjectGraph) -> Int {
    var found: Set<Int> = []
    var rest = graph.roots.map { Int($0.target) }
    while let next = rest.popLast() {
      guard next != node, found.insert(next).inserted else { continue }
      rest += graph.references(of: next).filter(\.keepsAlive).map { Int($0.target) }
    }
    let reach = Reachability(graph)
    return (0..<graph.count).filter { reach.contains($0) && !found.contains($0) }.reduce(0) { $0 + graph.bytes(of: $1) }
  }

  @Test func `five hundred graphs at random agree with the definition`() {
    for seed in 0..<500 as Range<UInt64> {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      func random(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
      }
      let sketch = Sketch()
      let nodes = (0..<2 + random(14)).map { _ in sketch.block() }
      for _ in 0..<random(40) { sketch.refer(nodes[random(nodes.count)], "", nodes[random(nodes.count)]) }
      for _ in 0...random(3) { sketch.root("global variable", nodes[random(nodes.count)]) }
      let graph = sketch.graph
      let dominators = Dominators(graph)
      for node in nodes {
        #expect(dominators.retainedBytes(of: node) == retained(node, graph), "seed \(seed), node \(node)")
      }
    }
  }

  @Test func `of a list its head stands for all, and no recursion is deep`() {
    var graph = Sketch.chain(100_000, isRing: false)
    graph.roots = [Root(label: "global variable", target: 0)]
    var examination = Examination(graph)
    examination.weigh()
    #expect(examination.dominators?.retainedBytes(of: 0) == 3_200_000)
    #expect(examination.dominators?.largest(10, in: graph, examination.reach) == [0])
  }

  @Test func `what has leaked is retained from its cause on, and what is still reached as if there were no leak`() {
    let sketch = Sketch()
    let (a, b) = sketch.pair("App.A", "b", "App.B", "a")
    let (tail, head, next) = (sketch.object("App.Tail"), sketch.object("App.Head"), sketch.object("App.Next"))
    let (root, living) = (sketch.object("App.Root"), sketch.object("App.Living"))
    sketch.refer(b, "tail", tail)
    sketch.refer(tail, "more", sketch.block())
    sketch.refer(head, "next", next)
    // Both leaks retain it, so neither does alone.
    let shared = sketch.block()
    sketch.refer(next, "shared", shared)
    sketch.refer(tail, "shared", shared)
    sketch.refer(a, "living", living)
    sketch.root("global variable App.root", root)
    sketch.refer(root, "living", living)
    var examination = sketch.examination
    examination.weigh()
    let dominators = examination.dominators!
    #expect([a, b, tail, head, next, shared].map { dominators.retainedBytes(of: $0) / 64 } == [4, 4, 2, 2, 1, 1])
    #expect([a, b, tail, next, shared].map { dominators.owner(of: $0) } == [nil, nil, b, head, nil])
    #expect([root, living].map { dominators.retainedBytes(of: $0) / 64 } == [2, 1])
    #expect(dominators.owner(of: living) == root)
    #expect(dominators.largest(10, in: examination.graph, examination.reach) == [root])
  }

  @Test func `cycles are ranked by what they keep alive`() {
    let sketch = Sketch()
    for name in ["Small", "Large"] {
      let (a, b) = sketch.pair("App.\(name)A", "b", "App.\(name)B", "a")
      sketch.root("global variable App.\(name)", a)
      if name == "Large" { sketch.refer(b, "text", sketch.block()) }
    }
    var examination = sketch.examination
    examination.weigh()
    #expect(examination.cycles.map(\.retained) == [192, 128])
    #expect(examination.cycles[0].title.hasPrefix("LargeA"))
    #expect(examination.cycles.map(\.id) == ["cycle-1", "cycle-2"])
  }
}
