import Capture
import Graph
import Testing

struct GraphFileTests {
  /// A file with an example of everything that a graph can contain.
  private var file: GraphFile {
    var graph = ObjectGraph()
    (graph.process, graph.processName) = (42, "victim")
    graph.types += [
      BlockType(
        "App.A", fields: [BlockType.Field("b", offset: 16, typeName: "App.B"), .init("c", offset: 24, kind: .weak)],
        superclasses: ["App.Base"], size: 32),
      BlockType("Array<App.A> storage", elements: [BlockType.Elements(first: 32, stride: 8)]),
      BlockType(
        "Dictionary<Int, App.A> storage",
        elements: [
          BlockType.Elements(.key, first: 64, stride: 8, count: 4),
          BlockType.Elements(.value, first: 96, stride: 8, count: 4, fields: [BlockType.Field("", offset: 0)]),
        ]), BlockType("block", .c, .c),
    ]
    graph.addresses = [0x5500_0000_1000, 0x5500_0000_1040, 0x7F00_0000_0010]
    graph.words = [6, 6, 1 << 20]
    graph.typeOf = [1, 2, 0]
    graph.strongCounts = [1, 3, 0]
    graph.unownedCounts = [1, 1, 0]
    graph.weakCounts = [1: 5]
    graph.references = [
      Reference(to: 1, offset: 16), Reference(to: 2, offset: 24, .weak), Reference(to: 0, offset: 800),
    ]
    graph.firstReference = [0, 2, 2, 3]
    graph.roots = [Root(label: "App.a, global variable of victim", address: 0x1000, target: 0)]
    (graph.exempt, graph.inTransit) = ([2], [1])
    graph.remarks = ["Something could not be read."]
    graph.damage = [HeapDamage(address: 0x5500_0000_2000, unread: 4096, sentence: "Something could not be read.")]
    graph.values = [1: [Value(offset: 16, kind: .image, text: "PNG", bytes: [1, 2, 3])]]
    graph.frames = [
      Frame(address: 7, image: "/bin/victim", function: "main", file: "Main.swift", line: 3), Frame(address: 9),
    ]
    graph.stacks = [[0, 1], []]
    graph.allocatedAt = [1, 0, 2]
    graph.suspendedAt = [2: 1]
    graph.definitions = [0: Definition(file: "/src/App.swift", line: 7)]
    return GraphFile(
      graph, takenAt: 1_800_000_000.5, method: "copy-on-write", stopSeconds: 0.004, seconds: 0.5, looks: 2)
  }

  @Test(arguments: [true, false]) func `what was kept is read again as it was`(isCompressed: Bool) throws {
    let written = file
    let read = try GraphFile(written.bytes(isCompressed: isCompressed))
    let (a, b) = (written.graph, read.graph)
    #expect((a.process, a.processName, a.remarks) == (b.process, b.processName, b.remarks))
    #expect((a.addresses, a.words, a.typeOf) == (b.addresses, b.words, b.typeOf))
    #expect((a.strongCounts, a.unownedCounts, a.types) == (b.strongCounts, b.unownedCounts, b.types))
    #expect(a.weakCounts == b.weakCounts)
    #expect((a.references, a.firstReference, a.roots) == (b.references, b.firstReference, b.roots))
    #expect((a.exempt, a.inTransit, a.values) == (b.exempt, b.inTransit, b.values))
    #expect((a.frames, a.stacks) == (b.frames, b.stacks))
    #expect((a.allocatedAt, a.suspendedAt) == (b.allocatedAt, b.suspendedAt))
    #expect((read.takenAt, read.method) == (1_800_000_000.5, "copy-on-write"))
    #expect((read.stopSeconds, read.seconds, read.looks) == (0.004, 0.5, 2))
    #expect((a.damage, a.definitions) == (b.damage, b.definitions))
    #expect(read.bytes() == written.bytes())
  }

  @Test func `every bit that is turned and every end that is missing is seen`() {
    let whole = file.bytes()
    // The tags of optional parts: one with an unknown tag is skipped.
    let optional = ["LOOK", "DEFN"].map { Array($0.utf8) }
    let tags = whole.indices.filter { place in optional.contains { whole[place...].starts(with: $0) } }
      .flatMap { $0..<$0 + 4 }
    #expect(tags.count == 8)
    for place in whole.indices {
      for bit in [0, 5, 7] where !tags.contains(place) {
        var damaged = whole
        damaged[place] ^= 1 << bit
        #expect(throws: GraphError.self, "bit \(bit) of byte \(place)") { try GraphFile(damaged) }
      }
      #expect(throws: GraphError.self, "the first \(place) bytes") { try GraphFile(Array(whole[..<place])) }
    }
  }

  /// A malicious file has correct checksums.
  @Test func `lies behind the checksums are seen, or do no harm`() {
    let whole = file.bytes(isCompressed: false)
    for place in whole.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var lie = whole
        lie[place] = value
        guard let read = try? GraphFile(lie, isChecked: false) else { continue }
        _ = read.bytes()
        #expect(read.graph.references.allSatisfy { Int($0.target) < read.graph.count })
      }
    }
  }

  @Test func `a list that would take far more memory than its bytes in the file is refused`() {
    var bare = file
    bare.graph.remarks = []
    let bytes = bare.bytes(isCompressed: false)
    let tag = Array("META".utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: tag) }!
    let size = (0..<8).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << ($1 * 8) }
    let end = start + 24 + size
    // In the place of the last number, no remarks, 2^24 + 1 empty ones.
    var part = Array(bytes[start + 24..<end - 1])
    part += [0x81, 0x80, 0x80, 0x08]
    part += [UInt8](repeating: 0, count: 1 << 24 + 1)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: part.count >> ($0 * 8)) }
    var long = Array(bytes[..<start])
    for piece in [tag, length, length, [0, 0, 0, 0], part] { long += piece }
    long += bytes[end...]
    #expect(throws: GraphError("its part META is damaged: its lists are too long")) {
      try GraphFile(long, isChecked: false)
    }
  }

  @Test func `the reason is told`() {
    func reason(_ bytes: [UInt8]) -> String? { #expect(throws: GraphError.self) { try GraphFile(bytes) }?.message }
    var bytes = file.bytes()
    #expect(reason([])?.hasPrefix("it is no snapshot; accepted is") == true)
    #expect(reason(Array(bytes.dropLast())) == "it ends within its part STCK.")
    bytes[8] = 2
    #expect(reason(bytes) == "it has version 2; this program reads version 1.")
  }
}
