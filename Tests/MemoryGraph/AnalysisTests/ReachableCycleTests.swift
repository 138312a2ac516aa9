import Analysis
import Graph
import Testing

struct ReachableCycleTests {
  /// An owner that a list keeps, and whose part refers back to it.
  private func pair(_ sketch: Sketch, isVague: Bool) -> Int {
    let (list, owner, part) = (sketch.object("App.List"), sketch.object("App.Owner"), sketch.object("App.Part"))
    sketch.root("global variable App.list", list)
    sketch.refer(list, "owner", owner)
    sketch.refer(owner, "part", part)
    sketch.refer(part, "back", owner, isVague: isVague)
    return owner
  }

  @Test(arguments: [(true, true, 0), (true, false, 1), (false, true, 1)])
  func `a step of which Swift says little is doubted when the count leaves no room for it`(
    isVague: Bool, isUncounted: Bool, found: Int
  ) {
    let sketch = Sketch()
    let owner = pair(sketch, isVague: isVague)
    if isUncounted { sketch.discount(owner) }
    #expect(sketch.examination.cycles.count == found)
  }

  @Test func `what a global variable holds leaves no room either`() {
    let sketch = Sketch()
    let (owner, part) = (sketch.object("App.Owner"), sketch.object("App.Part"))
    sketch.root("global variable App.owner", owner)
    sketch.refer(owner, "part", part)
    sketch.refer(part, "back", owner, isVague: true)
    #expect(sketch.examination.cycles.isEmpty)
    sketch.retain(owner)
    #expect(sketch.examination.cycles.count == 1)
  }

  @Test func `a ring is sure when the references found are as many as were counted`() {
    let sketch = Sketch()
    let owner = pair(sketch, isVague: false)
    #expect(sketch.examination.cycles.map(\.confidence) == [1])
    sketch.discount(owner)
    #expect(sketch.examination.cycles.map(\.confidence) == [0.75])
  }

  @Test func `a leak is told all the same, and is less sure`() {
    let sketch = Sketch()
    let (owner, part) = (sketch.object("App.Owner"), sketch.object("App.Part"))
    sketch.refer(owner, "part", part)
    sketch.refer(part, "back", owner, isVague: true)
    sketch.refer(part, "again", owner, isVague: true)
    sketch.discount(owner)
    #expect(sketch.examination.leaks.findings.map(\.confidence) == [0.75])
  }
}
