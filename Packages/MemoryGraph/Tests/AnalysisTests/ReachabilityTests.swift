import Analysis
import Graph
import Testing

struct ReachabilityTests {
  private func way(_ sketch: Sketch, _ node: Int) -> [Int] {
    let graph = sketch.graph
    return Reachability(graph).path(to: node, in: graph)!.steps.map(\.from)
  }

  @Test func `a long way over fields explains more than a short one over words`() {
    let sketch = Sketch()
    let (block, hub, list, screen) = (
      sketch.block(), sketch.object("App.Hub"), sketch.object("App.List"), sketch.object("App.Screen")
    )
    sketch.root("global variable of libswiftCore.so", block)
    sketch.root("App.hub, global variable of app", hub)
    sketch.refer(block, "", screen)
    sketch.refer(hub, "list", list)
    sketch.refer(list, "screen", screen)
    #expect(way(sketch, screen) == [hub, list])
  }

  @Test func `a variable explains more than a stack, and that more than any other memory`() {
    let sketch = Sketch()
    let objects = ["App.A", "App.B", "App.C"].map { sketch.object($0) }
    let held = sketch.object("App.Held")
    for object in objects { sketch.refer(object, "held", held) }
    sketch.root("memory mapped by the program", objects[0])
    sketch.root("stack of thread 1", objects[1])
    #expect(way(sketch, held) == [objects[1]])
    sketch.root("App.c, global variable of app", objects[2])
    #expect(way(sketch, held) == [objects[2]])
  }

  @Test func `of two references to the same object the one that keeps it is told`() {
    let sketch = Sketch()
    let (owner, held) = (sketch.object("App.Owner"), sketch.object("App.Held"))
    sketch.root("App.owner, global variable of app", owner)
    sketch.refer(owner, "key", held, .unmanaged)
    sketch.refer(owner, "value", held)
    let graph = sketch.graph
    let step = Reachability(graph).path(to: held, in: graph)!.steps[0]
    #expect(step.label(in: graph) == "value" && step.strength(in: graph) == "strong")
    #expect(graph.references(of: owner).map { graph.strength(of: $0, from: owner) } == ["unmanaged", "strong"])
  }

  @Test func `two hundred graphs at random: all is reached, over as few unsure references as can be`() {
    let roots = ["App.a, global variable of app", "stack of thread 1", "memory mapped by the program"]
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = seed
      func next(_ limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
      }
      let sketch = Sketch()
      let count = 2 + next(30)
      for node in 0..<count { _ = node % 3 == 0 ? sketch.block() : sketch.object("App.Type\(node)") }
      let kinds: [Reference.Kind] = [.strong, .strong, .strong, .unmanaged, .weak]
      for number in 0..<next(3 * count) { sketch.refer(next(count), "f\(number)", next(count), kinds[next(5)]) }
      for _ in 0..<next(4) { sketch.root(roots[next(3)], next(count)) }
      let graph = sketch.graph
      let reach = Reachability(graph)
      // By the definition, repeated until nothing changes.
      var costs = [Int?](repeating: nil, count: count)
      for root in graph.roots {
        costs[Int(root.target)] = min(costs[Int(root.target)] ?? .max, root.strength.rawValue)
      }
      var hasChanged = true
      while hasChanged {
        hasChanged = false
        for node in 0..<count {
          guard let cost = costs[node] else { continue }
          for reference in graph.references(of: node) where reference.keepsAlive {
            let more = cost + (graph.isSure(reference, from: node) ? 0 : 1)
            if more < costs[Int(reference.target)] ?? .max {
              costs[Int(reference.target)] = more
              hasChanged = true
            }
          }
        }
      }
      for node in 0..<count {
        #expect(reach.contains(node) == (costs[node] != nil))
        if let cost = costs[node] { #expect(reach.distance(to: node, in: graph).unsure == cost, "seed \(seed)") }
      }
    }
  }
}
