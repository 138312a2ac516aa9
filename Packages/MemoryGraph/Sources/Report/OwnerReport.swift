import Analysis
import Capture
import Graph

extension TerminalReport {
  func state(_ node: Int) -> String {
    switch look.examination.state(node) {
    case .library: "belongs to the C library"
    case .inTransit: "found in one look of two only: it was on its way"
    case .reachable: style.good("reachable")
    case .leaked: style.bad("leaked")
    }
  }

  /// The retained size of a block, and its dominator.
  func ownership(_ node: Int) -> [String] {
    guard let dominators = look.examination.dominators, dominators.retainedBytes(of: node) > 0 else { return [] }
    var lines = ["  retains     \(size(dominators.retainedBytes(of: node))): what would go with it"]
    if let owner = dominators.owner(of: node) {
      lines.append("  owned by    \(describe(owner)): it would go with that")
    }
    return lines
  }

  /// The blocks with the largest retained sizes.
  func owners(_ count: Int) -> [String] {
    guard let dominators = look.examination.dominators else { return [] }
    let nodes = dominators.largest(count, in: graph, look.examination.reach)
    guard !nodes.isEmpty else { return [] }
    return ["", "  " + style.strong("largest owners: what would go with each")]
      + nodes.map {
        let address = hexadecimal(graph.addresses[$0])
        let size = aligned(size(dominators.retainedBytes(of: $0)), style.isNarrow ? 0 : 12)
        return "  \(size)  \(style.quiet(address)) "
          + cut(graph.type(of: $0).name, style.width - 5 - size.count - address.count)
      }
  }

  func overRetained() -> [String] {
    let findings = look.examination.overRetained
    guard !findings.isEmpty else { return [] }
    let rest = findings.count - Self.listedOverRetained
    return ["", overRetainedTitle()] + findings.prefix(Self.listedOverRetained).flatMap { [""] + long($0) }
      + (rest > 0 ? ["", "… and \(counted(rest, "type")) more over-retained; --json FILE has all"] : [])
  }
  private static let listedOverRetained = 5

  func overRetainedTitle() -> String {
    let count = look.examination.overRetained.count
    return style.warning("○ \(counted(count, "type")) over-retained")
      + (count == 1 ? ": its objects leak when they are let go" : ": their objects leak when they are let go")
  }

  /// Notes besides the findings: harmless ones, and parts that could not be read.
  func notes() -> [String] {
    let lines = harmless() + remarks()
    return lines.isEmpty ? [] : [""] + lines
  }

  private func harmless() -> [String] {
    var counts: [(pattern: KnownPatterns.Pattern, found: Int)] = []
    for (pattern, finding) in look.examination.harmless {
      if let known = counts.firstIndex(where: { $0.pattern == pattern }) {
        counts[known].found += finding.instances
      } else {
        counts.append((pattern, finding.instances))
      }
    }
    return counts.flatMap { pattern, found in
      wrapped(
        "known and harmless, \(found == 1 ? "once" : "\(grouped(found)) times"): \(pattern.text) "
          + "because \(pattern.reason)", style.width, indent: 2
      ).map(style.quiet)
    }
  }

  /// The remarks that are not in the head of the report.
  var otherRemarks: [String] {
    let told = graph.damage.map(\.sentence)
    return graph.remarks.filter { !told.contains($0) }
  }

  private func remarks() -> [String] {
    otherRemarks.flatMap { remark in
      let lines = wrapped(remark, style.width, from: 2, indent: 2)
      return [style.warning("! ") + lines[0]] + lines.dropFirst()
    }
  }
}
