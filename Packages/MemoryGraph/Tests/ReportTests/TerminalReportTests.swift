import Analysis
import Graph
import Report
import Testing

struct TerminalReportTests {
  /// Two unreachable blocks that retain each other.
  private func ring(_ types: [String]) -> TerminalReport {
    var graph = ObjectGraph()
    graph.types += types.map {
      BlockType($0, fields: [BlockType.Field("_storage", offset: 16, isReference: true)])
    }
    graph.addresses = [0x1000, 0x1040]
    graph.words = [6, 6]
    graph.typeOf = [1, 2]
    graph.strongCounts = [1, 1]
    graph.unownedCounts = [1, 1]
    graph.references = [Reference(to: 1, offset: 16), Reference(to: 0, offset: 16)]
    graph.firstReference = [0, 1, 2]
    return report(graph)
  }

  private func look(_ graph: ObjectGraph) -> Look {
    Look(Examination(graph), method: "stopped", stopSeconds: 0, seconds: 0)
  }

  private func report(_ graph: ObjectGraph, columns: Int = 0) -> TerminalReport {
    TerminalReport(look(graph), style: Style(hasColour: false, width: columns), program: "memorygraph")
  }

  /// Two blocks, of which the first is in a variable and refers to the second.
  private func pair(_ type: BlockType) -> ObjectGraph {
    var graph = ObjectGraph()
    graph.types.append(type)
    (graph.addresses, graph.words, graph.typeOf) = ([0x1000, 0x1040], [6, 6], [1, 1])
    (graph.strongCounts, graph.unownedCounts) = ([0, 0], [0, 0])
    (graph.references, graph.firstReference) = ([Reference(to: 1, offset: 16)], [0, 1, 1])
    graph.roots = [Root(label: "global variable of app", target: 0)]
    return graph
  }

  @Test func `a word that only looks like a reference is told so in JSON, too`() {
    let graph = pair(BlockType("block", .c, .unknown))
    #expect(report(graph).object(0).contains("+16 (conservative) →"))
    let json = String(decoding: JSONReport.bytes(look(graph), object: 0), as: UTF8.self)
    #expect(json.contains("\"strength\":\"conservative\"") && !json.contains("\"strength\":\"strong\""))
  }

  @Test(arguments: [0, 80]) func `a type's name is whole where types are listed`(columns: Int) {
    let name = "App." + String(repeating: "Handler", count: 10)
    let graph = pair(BlockType(name))
    #expect(report(graph, columns: columns).types().contains(name))
    #expect(!report(graph, columns: columns).summary().contains(name))
    let style = Style(hasColour: false, width: columns)
    #expect(DiffReport(from: look(ObjectGraph()), to: look(graph), style: style).text().contains(name))
  }

  @Test func `it says that a process stood still for its copy`() {
    #expect(report(ObjectGraph()).summary().contains("it stood still for 0.0 ms to be copied, the look took"))
  }

  @Test func `what was on its way belongs to no C library`() {
    var graph = pair(BlockType("App.Node", fields: [BlockType.Field("next", offset: 16)]))
    (graph.roots, graph.inTransit) = ([], [0])
    let lines = report(graph).path(to: 1).split(separator: "\n")
    #expect(lines.first == "found in one look of two only: it was on its way" && lines.count == 3)
  }

  @Test func `of leaked blocks without a type it says what tells them apart`() {
    var graph = ObjectGraph()
    (graph.addresses, graph.words, graph.typeOf) = ([0x1000], [6], [0])
    (graph.strongCounts, graph.unownedCounts, graph.firstReference) = ([0], [0], [0, 0])
    #expect(report(graph).leaks().contains("memorygraph run --stacks -- PROGRAM"))
    #expect(!ring(["App.A", "App.B"]).leaks().contains("--stacks"))
  }

  @Test(arguments: [
    ["Array<AnyObject> storage", "Foundation.NSMutableArray"],
    ["Foundation.NSMutableArray", "Array<AnyObject> storage"],
  ])
  func `a warning names an object and not what stores for it`(types: [String]) {
    #expect(
      ring(types).warnings().map { $0.hasPrefix("memorygraph: warning: Foundation.NSMutableArray leaks (") } == [true])
  }
}
