import Analysis
import CMemoryView
import Capture
import Graph

/// A look as one self-contained HTML file: the page, with the graph as JSON inside.
public enum HTMLReport {
  /// The most findings of a page, largest first; nobody reads more.
  private static let mostFindings = 500

  public static func bytes(_ look: Look) -> [UInt8] {
    let page = Array(UnsafeBufferPointer(start: memoryview_page, count: memoryview_page_count))
    guard let place = page.firstRange(of: Array("__GRAPH__".utf8)) else {
      preconditionFailure("the page has no place for the graph")
    }
    return page[..<place.lowerBound] + data(look) + page[place.upperBound...]
  }

  private static func data(_ look: Look) -> [UInt8] {
    let examination = look.examination
    let graph = examination.graph
    let all = examination.findings
    let findings = Array(all.prefix(mostFindings))
    let selection = ViewSelection(examination, findings)
    var json = JSONWriter()
    json.object { json in
      json.string("process", graph.processName)
      json.number("pid", Int(graph.process))
      if let takenAt = look.takenAt { json.number("takenAt", takenAt) }
      json.string("method", look.method)
      json.number("stopMilliseconds", look.stopSeconds * 1000)
      json.number("milliseconds", look.seconds * 1000)
      json.strings("damage", graph.damage.map(\.sentence))
      json.strings("remarks", graph.remarks)
      // The count in the file, and the count in the process.
      json.number("count", selection.nodes.count)
      json.number("nodes", graph.count)
      json.number("bytes", graph.totalBytes)
      json.number("findingsLeftOut", all.count - findings.count)
      json.list("findings") { json in
        for finding in findings { ViewFinding.add(finding, examination, selection, to: &json) }
      }
      ViewGraph.add(examination, findings, selection, to: &json)
      ViewDetails.add(graph, selection, to: &json)
    }
    return json.bytes
  }
}
