import Analysis
import CMemoryView
import Capture
import Graph

/// A look as one HTML file that needs nothing else: the page, and the findings as JSON inside of it.
public enum HTMLReport {
  /// Nodes of a finding that are drawn; a ring is always whole up to this.
  private static let drawnNodes = 240

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

  private static func add(_ finding: Finding, _ examination: Examination, to json: inout JSONWriter) {
    let graph = examination.graph
    let path = examination.reach.path(to: finding.head, in: graph)
    // The ring first, in its order; then how it is reached; then what it keeps alive.
    var nodes: [Int] = []
    var numbers: [Int: Int] = [:]
    func draw(_ node: Int) {
      guard numbers[node] == nil, nodes.count < drawnNodes else { return }
      numbers[node] = nodes.count
      nodes.append(node)
    }
    for step in finding.ring { draw(step.from) }
    draw(finding.head)
    let inRing = nodes.count
    for step in path?.steps ?? [] { draw(step.from) }
    for node in finding.example { draw(node) }
    json.object { json in
      json.string("id", finding.id)
      json.string("kind", finding.kind.rawValue)
      json.string("title", finding.title)
      json.number("isLeak", finding.isLeak ? 1 : 0)
      json.number("instances", finding.instances)
      json.number("objects", finding.objects)
      json.number("bytes", finding.bytes)
      json.number("confidence", finding.confidence)
      json.number("ring", finding.ring.isEmpty ? 0 : inRing)
      json.number("ringLength", finding.ring.count)
      json.number("hidden", max(0, finding.example.count - nodes.count))
      if let path { json.string("root", path.root?.label ?? "") }
      if path != nil { json.number("rootTarget", numbers[path?.steps.first?.from ?? finding.head] ?? 0) }
      json.list("path") { json in
        for step in path?.steps ?? [] { if let number = numbers[step.from] { json.number(nil, number) } }
      }
      json.list("nodes") { json in for node in nodes { add(node, graph, to: &json) } }
      json.list("edges") { json in
        for node in nodes {
          for reference in graph.references(of: node) {
            guard let target = numbers[Int(reference.target)] else { continue }
            json.list { json in
              json.number(nil, numbers[node]!)
              json.number(nil, target)
              json.string(nil, graph.type(of: node).label(at: reference.offset))
              json.number(nil, Int(reference.kind.rawValue))
            }
          }
        }
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
