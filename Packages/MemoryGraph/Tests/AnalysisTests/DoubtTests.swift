import Analysis
import Graph
import Testing

/// The treatment of words that look like references when reference counts are trusted more.
struct DoubtTests {
  /// Objects that hold each other, and a word with the address of the first.
  private func ring(_ sketch: Sketch) -> [Int] {
    let (session, player) = sketch.pair("App.Session", "player", "App.Player", "session")
    return [session, player]
  }

  private func leaked(_ sketch: Sketch) -> [Int] {
    Examination(sketch.graph, isByCounts: true).leaks.nodes.map(\.node)
  }

  @Test func `a word on a stack does not hold a ring whose counts its own fields explain`() {
    let sketch = Sketch()
    let objects = ring(sketch)
    sketch.root("stack of thread 1", objects[0])
    sketch.root("register rax of thread 1", objects[1])
    #expect(sketch.examination.leaks.nodes.isEmpty)
    #expect(leaked(sketch) == objects)
  }

  @Test func `it holds what has been retained once more, and all that this holds`() {
    let sketch = Sketch()
    let objects = ring(sketch)
    sketch.root("stack of thread 1", objects[0])
    sketch.retain(objects[0])
    #expect(leaked(sketch).isEmpty)
  }

  @Test func `one that is retained elsewhere in the ring is not held by a word that names another`() {
    let sketch = Sketch()
    let objects = ring(sketch)
    sketch.root("stack of thread 1", objects[0])
    sketch.retain(objects[1])
    #expect(leaked(sketch) == objects)
  }

  @Test(arguments: ["global variable App.session", "memory that the program has mapped"])
  func `what is no stack holds it without a count, too`(_ root: String) {
    let sketch = Sketch()
    sketch.root(root, ring(sketch)[0])
    #expect(leaked(sketch).isEmpty)
  }

  @Test func `a word in an untyped block is as one on a stack, and does not explain a count`() {
    let sketch = Sketch()
    let (objects, block, alone) = (ring(sketch), sketch.block(), sketch.object("App.Alone"))
    sketch.root("global variable App.block", block)
    sketch.refer(block, "", objects[0])
    sketch.discount(objects[0])
    sketch.refer(block, "", alone)
    #expect(sketch.examination.leaks.nodes.isEmpty)
    #expect(leaked(sketch) == objects)
  }

  @Test func `a field of which Swift does not say what stands there explains no count`() {
    let sketch = Sketch()
    let (holder, held) = (sketch.object("App.Holder"), sketch.object("App.Held"))
    sketch.refer(holder, "state", held, isVague: true)
    sketch.root("stack of thread 1", held)
    #expect(leaked(sketch) == [holder])
  }

  @Test func `blocks without counts are held by any word`() {
    let sketch = Sketch()
    let (block, other) = (sketch.block(), sketch.block())
    sketch.root("stack of thread 1", block)
    sketch.refer(block, "", other)
    #expect(leaked(sketch).isEmpty)
  }

  @Test func `what stands behind the last field explains no count`() {
    let sketch = Sketch()
    let (closure, held) = (sketch.object("App.Closure"), sketch.object("App.Held"))
    sketch.refer(closure, "captured", held)
    sketch.leave(closure, behind: closure)
    sketch.root("stack of thread 1", closure)
    #expect(leaked(sketch).isEmpty)
  }

  @Test func `a lost block with a word that names a ring is not its cause`() throws {
    let sketch = Sketch()
    let (objects, block) = (ring(sketch), sketch.block())
    sketch.refer(block, "", objects[0])
    sketch.discount(objects[0])
    let findings = Examination(sketch.graph, isByCounts: true).leaks.findings
    #expect(Set(findings.map(\.kind)) == [.leakedCycle, .rootLeak])
    #expect(try #require(findings.first { $0.kind == .rootLeak }).nodes == [block])
  }

  @Test func `a stale word in what one leak holds takes nothing from another`() {
    let sketch = Sketch()
    let (session, cache, block) = (sketch.object("App.Session"), sketch.object("App.Cache"), sketch.block())
    sketch.refer(session, "me", session)
    sketch.refer(cache, "me", cache)
    sketch.refer(cache, "block", block)
    sketch.refer(block, "", session)
    sketch.discount(session)
    #expect(sketch.examination.leaks.findings.map(\.nodes) == [[cache, block], [session]])
  }

  @Test func `what was lost is not new because a block that was lost since names it`() {
    let sketch = Sketch()
    let objects = ring(sketch)
    let before = Examination(sketch.graph)
    let block = sketch.block()
    sketch.refer(block, "", objects[0])
    #expect(Verdict(before).new(in: sketch.examination).leaks.nodes.map(\.node) == [block])
  }

  @Test func `a verdict trusts the counts as its looks did`() {
    let sketch = Sketch()
    let objects = ring(sketch)
    sketch.root("stack of thread 1", objects[0])
    let look = Examination(sketch.graph, isByCounts: true)
    #expect(Verdict(look).confirming(look).leaks.nodes.map(\.node) == objects)
    #expect(Verdict(look).new(in: look).leaks.nodes.isEmpty)
    let nothing = Verdict(Examination(ObjectGraph()))
    #expect(nothing.new(in: look).leaks.nodes.map(\.node) == objects)
  }
}
