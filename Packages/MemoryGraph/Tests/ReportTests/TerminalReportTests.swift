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

  private func report(_ graph: ObjectGraph) -> TerminalReport {
    let look = Look(Examination(graph), method: "stopped", stopSeconds: 0, seconds: 0)
    return TerminalReport(look, style: Style(hasColour: false), program: "memorygraph")
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
