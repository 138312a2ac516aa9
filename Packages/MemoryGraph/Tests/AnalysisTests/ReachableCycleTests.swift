import Analysis
import Graph
import Testing

struct ReachableCycleTests {
  /// An owner held by a list, with a part that refers back to it.
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

  @Test(arguments: ["UnsafeContinuation<(), Never>", "Array<UnownedJob>", "Task<(), Never>"])
  func `a ring that a continuation or a job closes is harmless, one that a task's handle closes is not`(
    field: String
  ) throws {
    let sketch = Sketch()
    let (asker, task) = (sketch.object("App.Asker"), sketch.object("task (suspended)"))
    sketch.root("global variable App.asker", asker)
    sketch.refer(asker, "keeps", task)
    sketch.refer(task, "frames", asker)
    var graph = sketch.graph
    graph.types[Int(graph.typeOf[task])].kind = .task
    graph.types[Int(graph.typeOf[asker])].fields[0].typeName = field
    let examination = Examination(graph)
    let isHandle = field.hasPrefix("Task<")
    #expect(examination.cycles.count == (isHandle ? 1 : 0))
    #expect(examination.harmless.count == (isHandle ? 0 : 1))
    // Nobody can resume it any more.
    graph.roots = []
    #expect(Examination(graph).leaks.findings.map(\.kind) == [.leakedCycle])
  }
}
