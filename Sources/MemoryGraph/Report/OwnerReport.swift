import Analysis
import Capture
import Graph

extension TerminalReport {
  /// Whether a block is reached.
  func state(_ node: Int) -> String {
    if graph.exempt.contains(node) { return "belongs to the C library" }
    if graph.inTransit.contains(node) { return "found in one look of two only: it was on its way" }
    return look.examination.reach.contains(node) ? style.good("reachable") : style.bad("leaked")
  }

  /// What a block keeps alive, and which one keeps it.
  func ownership(_ node: Int) -> [String] {
    guard let dominators = look.examination.dominators, look.examination.reach.contains(node) else { return [] }
    var lines = ["  retains     \(size(dominators.retainedBytes(of: node))): what would go with it"]
    if let owner = dominators.owner(of: node) {
      lines.append("  owned by    \(describe(owner)): it would go with that")
    }
    return lines
  }

  /// The blocks that keep the most alive.
  func owners(_ count: Int) -> [String] {
    guard let dominators = look.examination.dominators else { return [] }
    let nodes = dominators.largest(count, in: graph)
    guard !nodes.isEmpty else { return [] }
    return ["", style.strong("  largest owners: what would go with each")]
      + nodes.map { "  \(aligned(size(dominators.retainedBytes(of: $0)), 12))  \(describe($0))" }
  }

  /// What is retained more often than it is referred to.
  func overRetained(_ lines: (Finding) -> [String]) -> [String] {
    let findings = look.examination.overRetained
    guard !findings.isEmpty else { return [] }
    let title = "○ \(counted(findings.count, "type")) over-retained"
    return ["", style.warning(title) + ": they leak when they are let go"]
      + findings.prefix(Self.listedOverRetained).flatMap(lines)
  }
  private static let listedOverRetained = 5

  /// What is known to be harmless, counted and named.
  func harmless() -> [String] {
    var counts: [(pattern: KnownPatterns.Pattern, found: Int)] = []
    for (pattern, finding) in look.examination.harmless {
      if let known = counts.firstIndex(where: { $0.pattern == pattern }) {
        counts[known].found += finding.instances
      } else {
        counts.append((pattern, finding.instances))
      }
    }
    return counts.map { pattern, found in
      style.quiet("known and harmless, \(found) times: \(pattern.text) because \(pattern.reason)")
    }
  }

  func remarks() -> [String] { graph.remarks.map { style.warning("! ") + $0 } }
}
