import Analysis
import Graph
import Testing

struct VerdictTests {
  /// Two objects that retain each other, and one more block that is lost or held.
  private func look(isLost: Bool, type: String = "App.Other") -> Examination {
    let sketch = Sketch()
    sketch.pair("App.A", "b", "App.B", "a")
    let other = sketch.object(type)
    if !isLost { sketch.root("stack of thread 1", other) }
    return sketch.examination
  }

  @Test func `what two looks find lost is a leak`() {
    let (first, second) = (look(isLost: true), look(isLost: true))
    #expect(Verdict(first).confirming(second).leaks.findings.map(\.kind) == [.leakedCycle, .rootLeak])
  }

  @Test func `what only the later look finds lost is on its way`() {
    let confirmed = Verdict(look(isLost: false)).confirming(look(isLost: true))
    #expect(confirmed.leaks.findings.map(\.kind) == [.leakedCycle])
    #expect(confirmed.graph.inTransit == [2])
  }

  @Test func `what only the earlier look finds lost has arrived`() {
    let confirmed = Verdict(look(isLost: true)).confirming(look(isLost: false))
    #expect(confirmed.leaks.findings.map(\.kind) == [.leakedCycle])
  }

  @Test func `another block at the same place is not the same`() {
    let confirmed = Verdict(look(isLost: true)).confirming(look(isLost: true, type: "App.Third"))
    #expect(confirmed.leaks.findings.map(\.kind) == [.leakedCycle])
  }

  @Test func `the same block lost from another cause is not the same`() {
    let lone = Sketch()
    _ = (lone.object("App.A"), lone.object("App.B"))
    let confirmed = Verdict(lone.examination).confirming(look(isLost: false))
    #expect(confirmed.leaks.findings.isEmpty)
  }
}

struct OverRetainedTests {
  private func holder(_ sketch: Sketch) -> (holder: Int, held: Int) {
    let (holder, held) = (sketch.object("App.Holder"), sketch.object("App.Held"))
    sketch.root("global variable App.holder", holder)
    sketch.refer(holder, "held", held)
    return (holder, held)
  }

  @Test func `an object that is retained once more than it is referred to is told, and is no leak`() throws {
    let sketch = Sketch()
    sketch.retain(holder(sketch).held)
    let examination = sketch.examination
    let finding = try #require(examination.overRetained.first)
    #expect(finding.title == "Held is retained more often than it is referred to")
    #expect((finding.id, finding.kind, finding.confidence) == ("retained-1", .overRetained, 0.7))
    #expect(!finding.isLeak && examination.leaks.findings.isEmpty)
  }

  @Test func `what a root names is held by whatever is under way`() {
    let sketch = Sketch()
    sketch.retain(holder(sketch).holder)
    #expect(sketch.examination.overRetained.isEmpty)
  }

  @Test func `a count that the references explain is quiet, and so are types of somebody else's`() {
    let sketch = Sketch()
    let held = holder(sketch).held
    let theirs = sketch.object("Foundation.Thing")
    sketch.refer(held, "thing", theirs)
    sketch.retain(theirs)
    #expect(sketch.examination.overRetained.isEmpty)
  }

  @Test func `where all of a type are so it is less sure`() {
    let sketch = Sketch()
    let (holder, held) = holder(sketch)
    let second = sketch.object("App.Held")
    sketch.refer(holder, "second", second)
    sketch.retain(held)
    sketch.retain(second)
    #expect(sketch.examination.overRetained.map(\.confidence) == [0.5])
    #expect(sketch.examination.overRetained.map(\.instances) == [2])
  }
}

struct KnownPatternTests {
  private func examine(_ text: String, _ draw: (Sketch) -> Void) throws -> Examination {
    let sketch = Sketch()
    draw(sketch)
    return Examination(sketch.graph, known: try KnownPatterns(text))
  }

  @Test func `what is known to be harmless is counted with its reason, and told no further`() throws {
    let known = """
      # Comments and empty lines say nothing.

      leak type App.Ca*e because it lives as long as the process
      """
    let examination = try examine(known) { sketch in
      _ = sketch.object("App.Cache")
      _ = sketch.object("App.Other")
    }
    #expect(examination.leaks.findings.map(\.title) == ["App.Other that nothing refers to"])
    #expect(examination.leaks.findings.map(\.id) == ["leak-1"])
    #expect(examination.leaks.nodes.map(\.node) == [1])
    #expect(examination.harmless.map(\.finding.objects) == [1])
    #expect(examination.harmless.map(\.pattern.reason) == ["it lives as long as the process"])
  }

  @Test func `a field names a ring that is still reached, and no leak`() throws {
    func ring(_ sketch: Sketch) -> Int { sketch.pair("App.A", "b", "App.B", "a").0 }
    let known = "cycle field App.B.a because B lets go when it is closed"
    let reached = try examine(known) { $0.root("global variable App.a", ring($0)) }
    #expect(reached.cycles.isEmpty && reached.harmless.count == 1)
    #expect(try examine(known) { _ = ring($0) }.leaks.findings.count == 1)
  }

  @Test func `somebody else's leak that keeps own objects is told all the same`() throws {
    let examination = try examine("leak type Foundation.Timer because it is never freed") { sketch in
      let timer = sketch.object("Foundation.Timer")
      _ = sketch.object("Foundation.Timer")
      sketch.refer(timer, "block", sketch.object("App.Target"))
    }
    #expect(examination.leaks.nodes.map(\.node).contains(0))
  }

  @Test func `a ring with own objects is told, unless a line names one of them`() throws {
    func leaks(_ known: String) throws -> Int {
      try examine(known) { sketch in
        sketch.pair("App.Poller", "timer", "Foundation.Timer", "_fire")
      }.leaks.findings.count
    }
    #expect(try leaks("leak type Foundation.Timer because it is never freed") == 1)
    #expect(try leaks("leak type Foundation.Timer type App.Poller because it lives on") == 0)
    #expect(try leaks("leak field App.Poller.timer because it lives on") == 0)
  }

  @Test func `the function that allocated it is a pattern too`() throws {
    let sketch = Sketch()
    _ = sketch.block()
    var graph = sketch.graph
    graph.frames = [Frame(address: 1, image: "/lib/libc.so", function: "getpwnam_r")]
    (graph.stacks, graph.allocatedAt) = ([[0]], [1])
    for pattern in ["function getpw*", "image *libc.so"] {
      let known = try KnownPatterns("leak \(pattern) because the C library keeps its last answer")
      #expect(Examination(graph, known: known).leaks.findings.isEmpty)
    }
    #expect(!Examination(graph, known: try KnownPatterns("leak function pw* because none")).leaks.findings.isEmpty)
  }

  @Test func `a line may name type and function together, and a function with its caller`() throws {
    let sketch = Sketch()
    _ = sketch.object("Foundation.NSData")
    var graph = sketch.graph
    graph.frames = ["swift_allocObject", "parse(_:)", "main"].map { Frame(address: 1, image: "/bin/app", function: $0) }
    (graph.stacks, graph.allocatedAt) = ([[0, 1, 2]], [1])
    for (pattern, isKnown) in [
      ("type *NSData function parse*", true), ("type *NSURL function parse*", false),
      ("type *NSData function read*", false), ("function parse* called by main", true),
      ("function swift_* called by main", false), ("function swift_* called by parse* type Foundation.*", true),
    ] {
      let known = try KnownPatterns("leak \(pattern) because it is kept")
      #expect(Examination(graph, known: known).leaks.findings.isEmpty == isKnown, "\(pattern)")
    }
  }

  @Test(arguments: [
    "leak type Foo", "leak type because none", "lek type A because b", "leak typ A because b", "leak A because b",
    "leak type A because ", "leak type A function because b",
  ])
  func `a line that is no pattern is refused with its number`(line: String) {
    let error = #expect(throws: GraphError.self) { try KnownPatterns("# one\n\(line)\n") }
    #expect(error?.message.hasPrefix("line 2: ") == true)
  }

  @Test func `what is built in can be read`() {
    #expect(!KnownPatterns.builtIn.patterns.isEmpty)
  }
}

struct GraphDiffTests {
  private func look(_ pages: Int, leaks: Int, cycle: Bool = false) -> Examination {
    let sketch = Sketch()
    let root = sketch.object("App.Root")
    sketch.root("global variable App.root", root)
    for number in 0..<pages { sketch.refer(root, "page\(number)", sketch.object("App.Page")) }
    for _ in 0..<leaks { _ = sketch.object("App.Lost") }
    if cycle { sketch.refer(root, "itself", root) }
    return sketch.examination
  }

  @Test func `growth is told by type, and what is new, grown and gone by its cause`() {
    let diff = GraphDiff(from: look(2, leaks: 1, cycle: true), to: look(5, leaks: 3))
    #expect(diff.types.map(\.name) == ["App.Page", "App.Lost"])
    #expect(diff.types.map(\.addedObjects) == [3, 2])
    #expect(diff.new.isEmpty && diff.hasNewLeaks)
    #expect(diff.grown.map(\.now.instances) == [3])
    #expect(diff.vanished.map(\.kind) == [.reachableCycle])
    #expect(GraphDiff(from: look(1, leaks: 0), to: look(1, leaks: 1)).new.map(\.kind) == [.rootLeak])
  }

  @Test func `nothing has changed between a look and itself`() {
    let diff = GraphDiff(from: look(2, leaks: 1), to: look(2, leaks: 1))
    #expect(diff.types.isEmpty && diff.new.isEmpty && diff.grown.isEmpty && diff.vanished.isEmpty)
    #expect(!diff.hasNewLeaks)
  }
}
