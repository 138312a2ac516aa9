import Analysis
import Graph
import Testing

struct LeakTests {
  @Test func `a ring that is held is no leak, and a reachable cycle`() {
    let sketch = Sketch()
    let controller = sketch.object("App.ViewController")
    let objects = sketch.ring(10)
    sketch.refer(controller, "listOfObjects", objects[0])
    sketch.root("global variable App.controller", controller)
    let examination = sketch.examination
    #expect(examination.leaks.findings.isEmpty)
    #expect(examination.cycles.map(\.title) == ["DummyObject.next (10 times) → back to the first"])
    #expect(examination.cycles[0].kind == .reachableCycle)
  }

  @Test func `a ring that nothing reaches is one finding, with the chain that closes it`() throws {
    let sketch = Sketch()
    let objects = sketch.ring(10)
    let leaks = sketch.examination.leaks
    let finding = try #require(leaks.findings.first)
    #expect(leaks.findings.count == 1)
    #expect(finding.nodes == objects)
    #expect(finding.ring.map(\.from) == objects)
    #expect(finding.confidence == 1)
    #expect(leaks.nodes.map(\.node) == objects)
  }

  @Test func `what a ring keeps belongs to its finding`() {
    let sketch = Sketch()
    let objects = sketch.ring(2)
    let kept = sketch.object("App.Kept")
    let text = sketch.block()
    sketch.refer(objects[0], "kept", kept)
    sketch.refer(kept, "text", text)
    let leaks = sketch.examination.leaks
    #expect(leaks.findings.map(\.objects) == [4])
    #expect(leaks.findings[0].ring.count == 2)
  }

  @Test func `equal rings are one cause, told once`() {
    let sketch = Sketch()
    for _ in 0..<3 { sketch.ring(4) }
    sketch.ring(5)
    sketch.ring(2, "App.Other")
    let findings = sketch.examination.leaks.findings
    #expect(findings.map(\.instances) == [4, 1])
    #expect(findings.map(\.id) == ["leak-1", "leak-2"])
    #expect(findings[0].objects == 17)
  }

  @Test func `weak and unowned references keep nothing, unmanaged ones may`() {
    let sketch = Sketch()
    let root = sketch.object("App.Root")
    sketch.root("global variable App.root", root)
    let targets = ["weak", "unowned", "unmanaged", "strong"].map { sketch.object("App.\($0)") }
    let kinds: [Reference.Kind] = [.weak, .unowned, .unmanaged, .strong]
    for (target, kind) in zip(targets, kinds) { sketch.refer(root, "\(kind)", target, kind) }
    #expect(sketch.examination.leaks.nodes.map(\.node) == [targets[0], targets[1]])
  }

  @Test func `a delegate that points back weakly makes no cycle`() {
    let sketch = Sketch()
    let (boss, worker) = (sketch.object("App.Boss"), sketch.object("App.Worker"))
    sketch.refer(boss, "worker", worker)
    sketch.refer(worker, "delegate", boss, .weak)
    sketch.root("stack of thread 1", boss)
    #expect(sketch.examination.cycles.isEmpty)
  }

  @Test func `an object that refers to itself is a ring of one`() {
    let sketch = Sketch()
    let ticker = sketch.object("App.Ticker")
    sketch.refer(ticker, "onTick", ticker)
    #expect(sketch.examination.leaks.findings.map(\.title) == ["Ticker.onTick → back to the first"])
  }

  @Test func `two rings that hang together are one cause: the one that nothing refers to`() {
    let sketch = Sketch()
    let first = sketch.ring(3, "App.First")
    let second = sketch.ring(3, "App.Second")
    sketch.refer(first[1], "other", second[0])
    let findings = sketch.examination.leaks.findings
    #expect(findings.count == 1)
    #expect(findings[0].title.hasPrefix("First.next"))
    #expect(findings[0].objects == 6)
  }

  @Test func `a count that the references do not explain makes a finding less sure`() {
    let sketch = Sketch()
    let objects = sketch.ring(4)
    sketch.retain(objects[2])
    #expect(sketch.examination.leaks.findings[0].confidence == 0.875)
    #expect(sketch.examination.leaks.findings[0].percent == 87)
  }

  @Test func `a block that nothing refers to is a root leak, and what it alone refers to goes with it`() {
    let sketch = Sketch()
    let (block, other) = (sketch.block(), sketch.block())
    sketch.refer(block, "", other)
    let findings = sketch.examination.leaks.findings
    #expect(findings.map(\.kind) == [.rootLeak])
    #expect(findings[0].title == "untyped block of 64 bytes that nothing refers to")
    #expect(findings[0].nodes == [block, other])
  }

  @Test func `a chain of a hundred thousand objects needs no deep recursion`() {
    let findings = Examination(Sketch.chain(100_000, isRing: true)).leaks.findings
    #expect(findings.map(\.title) == ["Link.next (100000 times) → back to the first"])
  }
}

struct PathTests {
  @Test func `the shortest way is told, from its root`() throws {
    let sketch = Sketch()
    let objects = (0..<5).map { sketch.object("App.T\($0)") }
    for (from, to) in zip(objects, objects.dropFirst()) { sketch.refer(from, "next", to) }
    sketch.refer(objects[0], "last", objects[3])
    sketch.root("global variable App.first", objects[0])
    let examination = sketch.examination
    let path = try #require(examination.reach.path(to: objects[4], in: examination.graph))
    #expect(path.root?.label == "global variable App.first")
    #expect(path.steps.map(\.from) == [objects[0], objects[3]])
    #expect(path.steps.map { $0.label(in: examination.graph) } == ["last", "next"])
    #expect(path.steps.map { $0.suffix(in: examination.graph) } == [".last", ".next"])
  }

  @Test func `there is no way to what has leaked`() {
    let sketch = Sketch()
    let lost = sketch.object("App.Lost")
    let examination = sketch.examination
    #expect(examination.reach.path(to: lost, in: examination.graph) == nil)
  }

  @Test func `types are counted by their names`() {
    let sketch = Sketch()
    let kept = sketch.object("App.A")
    sketch.root("stack of thread 1", kept)
    _ = sketch.object("App.A")
    let examination = sketch.examination
    let counts = TypeCount.all(examination.graph, examination.leaks)
    #expect(counts.map(\.objects) == [2])
    #expect(counts.map(\.leaked) == [1])
  }
}
