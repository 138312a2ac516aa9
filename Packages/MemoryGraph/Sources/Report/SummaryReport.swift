import Analysis
import Graph

extension TerminalReport {
  /// The rows of the smallest terminal, without that of the next prompt.
  private static let screen = 23
  private static let mostFindings = 4
  private static let mostCycles = 2
  private static let mostTypes = 4
  private static let mostOwners = 2
  private static let mostRemarks = 2
  private static let mostDamage = 1

  private struct Section {
    /// A blank line and the title; items alone without a title.
    var title: [String]
    /// True if the title is shown even without items.
    var isTold = true
    var items: [String]
    /// The total; `items` are those that may be shown.
    var count: Int
    var shown = 0

    var lines: [String] {
      if items.isEmpty || shown == 0 && !isTold { return isTold ? title : [] }
      let rest = isTold && shown < count ? ["  … and \(grouped(count - shown)) more"] : []
      return title + items.prefix(shown) + (shown > 0 ? rest : [])
    }
  }

  /// The summary for a terminal of 24 rows: the sections get rows in turn, as long as there are any.
  public func summary() -> String {
    let found = look.examination
    func findings(_ title: [String], _ findings: [Finding], _ most: Int) -> Section {
      Section(title: style.fitted(title), items: findings.prefix(most).map(short), count: findings.count)
    }
    let head = style.fitted(head() + damage(Self.mostDamage))
    let types = TypeCount.all(graph, found.leaks)
    let owners = owners(Self.mostOwners)
    var sections = [
      findings(["", leakLine()], found.leaks.findings, Self.mostFindings),
      findings(
        found.cycles.isEmpty
          ? []
          : ["", style.warning("○ \(counted(found.cycles.count, "retain cycle")) still reachable") + ", no leak yet"],
        found.cycles, Self.mostCycles),
      findings(
        found.overRetained.isEmpty ? [] : ["", overRetainedTitle()], found.overRetained, Self.mostCycles),
      Section(
        title: ["", style.strong(typesTitle)], isTold: false, items: types.prefix(Self.mostTypes).map { row($0) },
        count: types.count),
      Section(
        title: style.fitted(Array(owners.prefix(2))), isTold: false, items: Array(owners.dropFirst(2)),
        count: owners.count - 2),
    ]
    let end = remarksInShort() + ["", style.quiet(more)]
    func rows() -> Int { head.count + sections.reduce(0) { $0 + $1.lines.count } + end.count }
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for index in sections.indices where sections[index].shown < sections[index].items.count {
        sections[index].shown += 1
        if rows() <= Self.screen { hasGrown = true } else { sections[index].shown -= 1 }
      }
    }
    return (head + sections.flatMap(\.lines) + end).joined(separator: "\n")
  }

  private var more: String {
    let all = "More: \(program) leaks|cycles|types|path|object \(look.source); --html FILE draws"
    let short = "More: \(program) leaks \(look.source)"
    return all.count > style.width && short.count <= style.width ? short : cut(all, style.width)
  }

  /// The harmless findings in one row, and the first remarks in one each.
  private func remarksInShort() -> [String] {
    let harmless = look.examination.harmless.reduce(0) { $0 + $1.finding.instances }
    let rows =
      (harmless > 0 ? [style.quiet("known and harmless: \(counted(harmless, "finding"))")] : [])
      + otherRemarks.prefix(Self.mostRemarks).map { style.warning("! ") + cut($0, style.width - 2) }
    return rows.isEmpty ? [] : [""] + rows
  }

  private static let shortestTitle = 12

  /// A finding in one row: its id, its title, and at the end its extent, as far as there is room.
  private func short(_ finding: Finding) -> String {
    let isRepeated = finding.instances > 1 && finding.kind != .overRetained
    let times = isRepeated ? "\(grouped(finding.instances)) times: " : ""
    let (blocks, bytes) = (counted(finding.objects, "block"), size(finding.bytes))
    let id = "  \(padded(finding.id, 8)) "
    func room(_ amount: String) -> Int { style.width - id.count - amount.count }
    let amounts = ["  \(times)\(blocks), \(bytes)", "  \(blocks), \(bytes)"]
    let amount = amounts.first { room($0) >= Self.shortestTitle } ?? "  \(bytes)"
    return id + padded(cut(finding.title, room(amount)), room(amount)) + style.quiet(amount)
  }
}
