import Analysis
import CMemoryView
import Capture
import Graph

/// A look as one HTML file that needs nothing else: the page, and the findings as JSON inside of it.
public enum HTMLReport {
  /// Nodes of a finding that are drawn.
  private static let drawnNodes = 120
  /// A ring with more members is folded: its beginning and its end are drawn.
  private static let foldedFrom = 28
  private static let shownBefore = 14
  private static let shownBehind = 6

  public static func bytes(_ look: Look) -> [UInt8] {
    let page = Array(UnsafeBufferPointer(start: memoryview_page, count: memoryview_page_count))
    let mark = Array("__GRAPH__".utf8)
    guard let place = find(mark, in: page) else { preconditionFailure("the page has no place for the graph") }
    return page[..<place] + data(look) + page[(place + mark.count)...]
  }

  private static func find(_ words: [UInt8], in bytes: [UInt8]) -> Int? {
    (0...(bytes.count - words.count)).first {
      bytes[$0] == words[0] && bytes[$0..<$0 + words.count].elementsEqual(words)
    }
  }

  private static func data(_ look: Look) -> [UInt8] {
    let examination = look.examination
    let graph = examination.graph
    var json = JSONWriter()
    json.object { json in
      json.string("process", graph.processName)
      json.number("pid", Int(graph.process))
      json.number("nodes", graph.count)
      json.number("bytes", graph.words.reduce(0) { $0 + Int($1) * 8 })
      json.number("stopMilliseconds", look.stopSeconds * 1000)
      json.number("milliseconds", look.seconds * 1000)
      json.list("remarks") { json in for remark in graph.remarks { json.string(nil, remark) } }
      json.list("findings") { json in
        for finding in examination.leaks.findings + examination.cycles { add(finding, examination, to: &json) }
      }
    }
    return json.bytes
  }

  /// What is drawn of a finding: nodes, and at one place of a long ring the fold that stands for many.
  private struct Drawing {
    var nodes: [Int?] = []
    var numbers: [Int: Int] = [:]
    var ringCount = 0
    var folded = 0

    init(_ finding: Finding, way: [Step]) {
      let ring = finding.ring.map(\.from)
      if ring.count > foldedFrom {
        ring.prefix(shownBefore).forEach { add($0) }
        nodes.append(nil)
        ring.suffix(shownBehind).forEach { add($0) }
        folded = ring.count - shownBefore - shownBehind
      } else {
        ring.forEach { add($0) }
      }
      add(finding.head)
      ringCount = nodes.count
      way.forEach { add($0.from) }
      // Of a folded ring the rest stays folded.
      let rest = Set(folded > 0 ? ring : [])
      for node in finding.example where !rest.contains(node) { add(node) }
    }

    private mutating func add(_ node: Int) {
      guard numbers[node] == nil, nodes.count < drawnNodes else { return }
      numbers[node] = nodes.count
      nodes.append(node)
    }
  }

  private static func add(_ finding: Finding, _ examination: Examination, to json: inout JSONWriter) {
    let graph = examination.graph
    let path = examination.reach.path(to: finding.head, in: graph)
    let drawing = Drawing(finding, way: path?.steps ?? [])
    json.object { json in
      json.string("id", finding.id)
      json.string("kind", finding.kind.rawValue)
      json.string("title", finding.title)
      json.number("isLeak", finding.isLeak ? 1 : 0)
      json.number("instances", finding.instances)
      json.number("objects", finding.objects)
      json.number("bytes", finding.bytes)
      json.number("confidence", finding.confidence)
      json.number("ring", finding.ring.isEmpty ? 0 : drawing.ringCount)
      json.number("hidden", max(0, finding.example.count - drawing.folded - drawing.numbers.count))
      if let path {
        json.string("root", path.root?.label ?? "")
        json.number("rootTarget", drawing.numbers[path.steps.first?.from ?? finding.head] ?? 0)
      }
      json.list("path") { json in
        for step in path?.steps ?? [] { if let number = drawing.numbers[step.from] { json.number(nil, number) } }
      }
      json.list("nodes") { json in
        for node in drawing.nodes {
          if let node { add(node, graph, to: &json) } else { json.object { $0.number("folded", drawing.folded) } }
        }
      }
      json.list("edges") { json in addEdges(finding, drawing, graph, to: &json) }
    }
  }

  private static func addEdges(
    _ finding: Finding, _ drawing: Drawing, _ graph: ObjectGraph, to json: inout JSONWriter
  ) {
    func edge(_ from: Int, _ to: Int, _ label: String, _ kind: Reference.Kind) {
      json.list { json in
        json.number(nil, from)
        json.number(nil, to)
        json.string(nil, label)
        json.number(nil, Int(kind.rawValue))
      }
    }
    for (number, node) in drawing.nodes.enumerated() {
      guard let node else {
        edge(number - 1, number, finding.ring[number - 1].label(in: graph), .strong)
        edge(number, number + 1, finding.ring[number + drawing.folded - 1].label(in: graph), .strong)
        continue
      }
      for reference in graph.references(of: node) {
        guard let target = drawing.numbers[Int(reference.target)] else { continue }
        edge(number, target, graph.label(of: node, at: reference.offset), reference.kind)
      }
    }
  }

  private static func add(_ node: Int, _ graph: ObjectGraph, to json: inout JSONWriter) {
    let type = graph.type(of: node)
    json.object { json in
      json.string("address", hexadecimal(graph.addresses[node]))
      json.string("type", type.name)
      json.string("short", type.shortName)
      json.string("language", type.language.rawValue)
      json.number("own", type.isOwn ? 1 : 0)
      json.number("size", graph.bytes(of: node))
      json.number("strong", Int(graph.strongCounts[node]))
      json.number("unowned", Int(graph.unownedCounts[node]))
      if !type.superclasses.isEmpty {
        json.list("hierarchy") { json in type.superclasses.forEach { json.string(nil, $0) } }
      }
    }
  }
}
