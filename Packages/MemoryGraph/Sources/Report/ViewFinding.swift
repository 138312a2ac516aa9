import Analysis
import Graph

/// A finding for the page, as data, so that the page can describe it in its reader's language.
enum ViewFinding {
  static func add(
    _ finding: Finding, _ examination: Examination, _ selection: ViewSelection, to json: inout JSONWriter
  ) {
    let graph = examination.graph
    json.object { json in
      json.string("id", finding.id)
      JSONReport.addExtent(finding, to: &json)
      json.number("isLeak", finding.isLeak ? 1 : 0)
      json.number("percent", finding.percent)
      if let head = selection.place(finding.head) { json.number("head", head) }
      if !finding.ring.isEmpty { addRing(finding.ring, graph, selection, to: &json) }
      // The nodes retained by the ring, or by the block without references.
      let ring = Set(finding.example.count > finding.ring.count ? finding.ring.map(\.from) + [finding.head] : [])
      let kept = ring.isEmpty ? [] : finding.example.filter { !ring.contains($0) }
      json.number("keptCount", max(0, finding.example.count - max(1, finding.ring.count)))
      json.numbers("kept", kept.prefix(ViewSelection.mostOfFinding).compactMap(selection.place))
      guard let path = examination.reach.path(to: finding.head, in: graph) else { return }
      json.string("root", path.root?.label ?? "")
      json.number("pathCount", path.steps.count)
      json.numbers("path", ViewSelection.ends(path.steps.map(\.from)).compactMap(selection.place))
    }
  }

  /// The members in their order; of a very long ring those at its beginning and end.
  private static func addRing(
    _ ring: [Step], _ graph: ObjectGraph, _ selection: ViewSelection, to json: inout JSONWriter
  ) {
    let (steps, rest) = RingWords(ring, graph).steps
    json.list("steps") { json in
      for step in steps {
        json.list { json in
          json.string(nil, step.type.name)
          json.string(nil, step.suffix)
          json.number(nil, step.count)
        }
      }
    }
    json.number("moreSteps", rest)
    let members = ViewSelection.ends(ring).compactMap { step in
      selection.place(step.from).map { ($0, step.label(in: graph)) }
    }
    json.number("ringCount", ring.count)
    json.numbers("ring", members.map(\.0))
    json.strings("ringLabels", members.map(\.1))
    json.number("ringGap", members.count < ring.count ? min(ViewSelection.mostOfFinding / 2, members.count) : -1)
  }
}
