import Analysis
import Capture
import Graph

/// The findings as a drawing for Graphviz: a cluster for each, with the path to what is still reachable.
public enum DOTReport {
  /// The most blocks of one finding, and the most findings: a larger drawing is not readable.
  private static let drawnNodes = 100
  private static let drawnFindings = 50

  public static func bytes(_ look: Look) -> [UInt8] {
    let examination = look.examination
    var lines = [
      "digraph \(quoted(examination.graph.processName)) {", "  graph [rankdir=LR, fontname=\"sans-serif\"];",
      "  node [shape=box, style=rounded, fontname=\"sans-serif\"];", "  edge [fontname=\"sans-serif\"];",
    ]
    for finding in examination.findings.prefix(drawnFindings) { lines += cluster(finding, examination) }
    return Array((lines + ["}", ""]).joined(separator: "\n").utf8)
  }

  private static func cluster(_ finding: Finding, _ examination: Examination) -> [String] {
    let graph = examination.graph
    let path = examination.reach.path(to: finding.head, in: graph)
    var nodes: [Int] = []
    var isDrawn: Set<Int> = []
    for node in finding.ring.map(\.from) + [finding.head] + (path?.steps.map(\.from) ?? []) + finding.example
    where nodes.count < drawnNodes && isDrawn.insert(node).inserted {
      nodes.append(node)
    }
    // A block may be in several findings, each of which draws it.
    func name(_ node: Int) -> String { quoted("\(finding.id) \(hexadecimal(graph.addresses[node]))") }
    let title = "\(finding.id) \(finding.kind.rawValue): \(finding.title)"
    var lines = [
      "  subgraph \(quoted("cluster \(finding.id)")) {", "    label=\(quoted(title));",
      "    color=\(finding.isLeak ? "red" : "orange");",
    ]
    for node in nodes {
      let type = graph.type(of: node)
      let label = "\(type.shortName)\n\(hexadecimal(graph.addresses[node])), \(size(graph.bytes(of: node)))"
      lines.append("    \(name(node)) [label=\(quoted(label))\(type.isOwn ? "" : ", color=gray, fontcolor=gray")];")
    }
    if let path, let first = path.steps.first?.from ?? nodes.first, isDrawn.contains(first) {
      let root = quoted("\(finding.id) root")
      lines.append("    \(root) [shape=ellipse, label=\(quoted(path.root?.label ?? "the C library"))];")
      lines.append("    \(root) -> \(name(first));")
    }
    let steps = Set(finding.ring.map { [$0.from, $0.offset] })
    for node in nodes {
      for reference in graph.references(of: node) where isDrawn.contains(Int(reference.target)) {
        var look = "label=\(quoted(graph.label(of: node, at: reference.offset)))"
        if !reference.keepsAlive { look += ", style=dashed" }
        if steps.contains([node, reference.offset]) { look += ", color=\(finding.isLeak ? "red" : "orange")" }
        lines.append("    \(name(node)) -> \(name(Int(reference.target))) [\(look)];")
      }
    }
    return lines + ["  }"]
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result + "\""
  }
}
