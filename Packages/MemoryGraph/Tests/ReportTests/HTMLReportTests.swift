import Analysis
import Capture
import Foundation
import Graph
import Report
import Testing

struct HTMLReportTests {
  /// A graph of blocks with given types and sizes, and references between them.
  private func graph(
    _ types: [BlockType], _ blocks: [(type: Int, words: UInt32)], _ references: [Int: [Int]], root: Int? = nil
  ) -> ObjectGraph {
    var graph = ObjectGraph()
    graph.process = 42
    graph.processName = "app"
    graph.types = [.unknown] + types
    for (node, block) in blocks.enumerated() {
      graph.addresses.append(0x7F00_0000_0000 + UInt64(node) * 0x1000)
      graph.words.append(block.words)
      graph.typeOf.append(UInt32(block.type))
      graph.strongCounts.append(block.type == 0 ? 0 : 1)
      graph.unownedCounts.append(block.type == 0 ? 0 : 1)
      graph.references += (references[node] ?? []).map { Reference(to: $0, offset: 16) }
      graph.firstReference.append(UInt32(graph.references.count))
    }
    if let root { graph.roots = [Root(label: "App.root, global variable of app", address: 0x1000, target: root)] }
    return graph
  }

  private let own = BlockType("App.Node", fields: [BlockType.Field("next", offset: 16)], superclasses: ["App.Base"])
  private let system = BlockType("Array<Int> storage")

  /// The data in the page, as the page reads it.
  private func data(_ graph: ObjectGraph) throws -> [String: Any] {
    let look = Look(
      Examination(graph), method: "copy-on-write", stopSeconds: 0.001, seconds: 0.02, takenAt: 1_795_200_000
    ).weighed()
    let page = String(decoding: HTMLReport.bytes(look), as: UTF8.self)
    let start = try #require(page.range(of: "<script type=\"application/json\" id=\"graph\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let json = try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
    return try #require(json as? [String: Any])
  }

  /// The numbers of a column.
  private func column(_ name: String, _ data: [String: Any]) throws -> [Int] {
    let column = try #require(data[name] as? [String: Any])
    let width = try #require(column["width"] as? Int)
    let text = try #require(column["data"] as? String)
    let bytes = [UInt8](try #require(Data(base64Encoded: text)))
    return stride(from: 0, to: bytes.count, by: width).map { start in
      let pattern = bytes[start..<start + width].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return width == 8 ? Int(Double(bitPattern: pattern)) : Int(pattern)
    }
  }

  @Test func `columns tell every block and reference, in as few bytes as they need`() throws {
    let blocks: [(Int, UInt32)] = [(1, 4), (1, 4), (2, 300), (0, 70_000)]
    let data = try data(graph([own, system], blocks, [0: [1], 1: [0, 2], 2: [3]], root: 0))
    #expect(data["takenAt"] as? Double == 1_795_200_000)
    #expect(data["count"] as? Int == 4)
    #expect(try column("address", data) == (0..<4).map { 0x7F00_0000_0000 + $0 * 0x1000 })
    #expect(try column("words", data) == [4, 4, 300, 70_000])
    #expect((data["type"] as? [String: Any])?["width"] as? Int == 1)
    #expect((data["words"] as? [String: Any])?["width"] as? Int == 4)
    #expect(try column("type", data) == [2, 2, 1, 0])
    #expect(try column("first", data) == [0, 1, 3, 4, 4])
    #expect(try column("target", data) == [1, 0, 2, 3])
    #expect(try column("retained", data) == [562_464, 562_432, 562_400, 560_000])
    let labels = try #require(data["labels"] as? [String])
    #expect(try column("label", data).map { labels[$0] } == ["next", "next", "next", "+16"])
    #expect((data["roots"] as? [[Any]])?.first?.last as? String == "App.root, global variable of app")
    #expect(data["allocatedAt"] == nil && data["stacks"] == nil && data["values"] == nil && data["moreIn"] == nil)
  }

  @Test func `types of one name are one, and their references keep their own names`() throws {
    let other = BlockType("App.Node", fields: [BlockType.Field("previous", offset: 16)])
    let data = try data(graph([own, other], [(1, 4), (2, 4)], [0: [1], 1: [0]], root: 0))
    #expect(try column("type", data) == [0, 0])
    let types = try #require(data["types"] as? [[String: Any]])
    #expect(types.map { $0["objects"] as? Int } == [2])
    let labels = try #require(data["labels"] as? [String])
    #expect(try column("label", data).map { labels[$0] } == ["next", "previous"])
  }

  @Test func `each reference has its kind, though others of its name have another`() throws {
    let kinds: [Reference.Kind] = [.strong, .weak, .unowned, .unmanaged]
    let fields = kinds.enumerated().map { number, kind in
      BlockType.Field("next", offset: 16 + 8 * number, kind: kind, isReference: kind == .strong)
    }
    var graph = graph([BlockType("App.Node", fields: fields)], [(1, 8), (1, 8)], [:], root: 0)
    graph.references = kinds.enumerated().map { Reference(to: 1, offset: 16 + 8 * $0, $1) }
    graph.references.append(Reference(to: 1, offset: 56))  // no field's place
    graph.firstReference = [0, 5, 5]
    let data = try data(graph)
    let labels = try #require(data["labels"] as? [String])
    let places = try column("label", data)
    #expect(places.map { labels[$0] } == ["next", "next", "next", "next", "next"])
    // In the page's order: strong, weak, unowned, unmanaged, conservative.
    let kindOf = try column("kinds", data)
    #expect(places.map { kindOf[$0] } == [0, 1, 2, 3, 4])
  }

  @Test func `a finding comes in parts, with what it keeps and how it is reached`() throws {
    let blocks = [(type: Int, words: UInt32)](repeating: (1, 4), count: 5)
    let data = try data(graph([own], blocks, [0: [1], 1: [2], 2: [3], 3: [1, 4]], root: 0))
    let finding = try #require((data["findings"] as? [[String: Any]])?.first)
    #expect(finding["kind"] as? String == "reachable cycle")
    #expect((finding["steps"] as? [[Any]])?.first?.last as? Int == 3)
    #expect(finding["ring"] as? [Int] == [1, 2, 3])
    #expect(finding["ringLabels"] as? [String] == ["next", "next", "next"])
    #expect(finding["path"] as? [Int] == [0])
    #expect(finding["root"] as? String == "App.root, global variable of app")
    #expect(try column("finding", data) == [0, 1, 1, 1, 0])
  }

  @Test func `stacks and values come with the blocks that have them, and frames only once`() throws {
    var graph = graph([own], [(1, 4), (1, 4), (0, 4)], [:], root: 0)
    graph.frames = [
      Frame(address: 0x10, image: "/usr/lib/libswiftCore.so", function: "swift_allocObject"),
      Frame(address: 0x20, image: "/home/me/app", function: "make()", file: "/home/me/Main.swift", line: 7),
      Frame(address: 0x30, image: "/home/me/app", function: "unused()"),
    ]
    graph.stacks = [[2], [0, 1], [99]]
    graph.allocatedAt = [0, 2, 9]
    graph.suspendedAt = [0: 1, 1: 70]
    graph.values = [
      1: [
        Value(offset: 16, kind: .text, text: "</script><b>"),
        Value(offset: 24, kind: .image, text: "", bytes: [0x89, 0x50, 0x4E, 0x47]),
      ]
    ]
    let data = try data(graph)
    #expect(try column("allocatedAt", data) == [0, 1, 0])
    #expect(data["suspended"] as? [[Int]] == [[0, 0]])
    #expect(data["stacks"] as? [[Int]] == [[0, 1]])
    let frames = try #require(data["frames"] as? [[Any]])
    #expect(frames.map { $0[0] as? String } == ["swift_allocObject", "make()"])
    #expect(frames.map { $0[2] as? Int } == [0, 1])
    #expect(frames[1][4] as? Int == 7)
    let values = try #require((data["values"] as? [String: [[String]]])?["1"])
    #expect(values == [["next", "text", "</script><b>"], ["next", "image", "", "iVBORw=="]])
  }

  @Test func `of too many blocks those near findings stay, then own ones, then the largest`() {
    // 0 and 1 leak in a ring that keeps 2; 3 refers to it weakly from outside; 5, 6 are own, 900 and 901 large.
    var blocks = [(type: Int, words: UInt32)](repeating: (2, 2), count: 1000)
    for node in [0, 1, 5, 6] { blocks[node].type = 1 }
    for node in [900, 901] { blocks[node].words = 5000 }
    let graph = graph([own, system], blocks, [0: [1], 1: [0, 2], 4: [5]], root: 4)
    let examination = Examination(graph)
    func chosen(_ most: Int) -> [Int] {
      ViewSelection(examination, Array(examination.leaks.findings.filter { !$0.ring.isEmpty }), most: most).nodes
    }
    #expect(chosen(2) == [0, 1])
    #expect(chosen(3) == [0, 1, 2])
    #expect(chosen(5) == [0, 1, 2, 5, 6])
    #expect(chosen(7) == [0, 1, 2, 5, 6, 900, 901])
    #expect(chosen(500).count == 500)
    #expect(chosen(1000).count == 1000)
  }

  @Test func `a million of one type do not crowd out the few of another`() {
    var blocks = [(type: Int, words: UInt32)](repeating: (1, 6), count: 3000)
    blocks[2500] = (type: 2, words: 2)
    let graph = graph([own, BlockType("App.Settings")], blocks, [:])
    #expect(ViewSelection(Examination(graph), [], most: 100).nodes == Array(0..<99) + [2500])
  }

  @Test func `the page is told of a damaged heap`() throws {
    var graph = graph([own], [(1, 4)], [:], root: 0)
    graph.damage = [HeapDamage(address: 0x10, unread: 0, sentence: "The heap is corrupted at 0x10.")]
    #expect(try data(graph)["damage"] as? [String] == ["The heap is corrupted at 0x10."])
  }

  @Test func `what is left out of a file is counted`() throws {
    let count = ViewSelection.mostNodes + 10
    let blocks = (0..<count).map { (type: $0 == 0 ? 1 : 2, words: UInt32($0 < count - 10 ? 4 : 2)) }
    // The first block refers to the last one, which is too small to be chosen.
    let data = try data(graph([own, system], blocks, [0: [1], 1: [count - 1], count - 1: [0]], root: 0))
    #expect(data["count"] as? Int == ViewSelection.mostNodes)
    #expect(data["nodes"] as? Int == count)
    #expect(try column("address", data).count == ViewSelection.mostNodes)
    let types = try #require(data["types"] as? [[String: Any]])
    #expect(types[0]["objects"] as? Int == count - 1)
  }
}
