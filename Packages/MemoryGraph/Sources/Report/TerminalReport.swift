import Analysis
import Capture
import Graph

public struct TerminalReport {
  let look: Look
  let style: Style
  /// The program's name, for hints: "memorygraph".
  let program: String
  var graph: ObjectGraph { look.examination.graph }

  public init(_ look: Look, style: Style, program: String) {
    self.look = look
    self.style = style
    self.program = program
  }

  /// The most steps of a ring or path that are drawn.
  private static let drawnSteps = 12

  func head() -> [String] {
    let looks = look.looks > 1 ? "each of \(look.looks) looks took" : "the look took"
    let stop = "stood still for \(milliseconds(look.stopSeconds))"
    let copied = look.method == Snapshot.Method.stopped.rawValue ? " to be copied" : ""
    let time = "\(looks) \(milliseconds(look.seconds))"
    let line = style.strong(look.title) + ": \(look.extent)"
    if look.method == Snapshot.Method.core.rawValue {
      let kept = look.takenAt.map { " of \(moment($0))" } ?? ""
      return [line, "as it stands in the core file\(kept), \(time)"]
    }
    let taken = look.isLive ? nil : look.takenAt
    return [line, taken.map { "on \(moment($0)) it \(stop), \(time)" } ?? "it \(stop)\(copied), \(time)"]
  }

  func leakLine() -> String {
    let leaks = look.examination.leaks
    guard !leaks.findings.isEmpty else { return nothingFound("no leaks") }
    return style.bad("✗ \(counted(leaks.findings.count, "leak"))")
      + ": \(counted(leaks.nodes.count, "block")), \(size(leaks.bytes)) that nothing can reach any more"
  }

  var typesTitle: String { style.isNarrow ? "  objects  leaked  type" : "  objects        bytes  leaked  type" }

  func row(_ count: TypeCount, isWhole: Bool = false) -> String {
    let start = numbers(count) + "  "
    let name = isWhole ? count.type.name : cut(count.type.name, style.width - seen(start))
    return start + (count.type.isOwn ? name : style.quiet(name))
  }

  /// A row with the whole name, which may have to be typed; below the numbers if there is no room beside them.
  private func rows(_ count: TypeCount) -> [String] {
    let numbers = numbers(count)
    guard style.isNarrow, seen(numbers) + 2 + count.type.name.count > style.width else {
      return [row(count, isWhole: true)]
    }
    let name = wrapped(count.type.name, style.width, from: 4, indent: 4)
    let lines = (["    " + name[0]] + name.dropFirst()).map { count.type.isOwn ? $0 : style.quiet($0) }
    return [count.leaked > 0 ? numbers : aligned(grouped(count.objects), 9)] + lines
  }

  private func numbers(_ count: TypeCount) -> String {
    let leaked = count.leaked > 0 ? grouped(count.leaked) : ""
    let bytes = style.isNarrow ? "" : aligned(grouped(count.bytes), 12) + " "
    return "\(aligned(grouped(count.objects), 9)) \(bytes)" + style.bad(aligned(leaked, 7))
  }

  // MARK: Details

  public func leaks() -> String {
    let findings = look.examination.leaks.findings.flatMap { [""] + long($0) }
    return page([head(), damage(), ["", leakLine()], findings, stacksHint(), overRetained(), notes()])
  }

  /// Without recorded calls the leaks of blocks without a type are told apart by their size alone.
  private func stacksHint() -> [String] {
    let isUntyped = look.examination.leaks.findings.contains {
      $0.ring.isEmpty && graph.type(of: $0.head).kind == .unknown
    }
    guard isUntyped, graph.allocatedAt.isEmpty else { return [] }
    let words =
      "Blocks without a type are one finding if they have one size, whatever they are: "
      + "\(program) run --stacks -- PROGRAM tells which calls allocated them."
    return [""] + wrapped(words, style.width, indent: 2).map(style.quiet)
  }

  public func cycles() -> String {
    let cycles = look.examination.cycles
    var line = nothingFound("no retain cycle is reachable")
    if !cycles.isEmpty {
      let warning = cycles.count == 1 ? "when it is let go, it leaks" : "when they are let go, they leak"
      line = style.warning("○ \(counted(cycles.count, "retain cycle")) still reachable") + ": " + warning
    }
    return page([head(), damage(), ["", line], leaked(), cycles.flatMap { [""] + long($0) }, notes()])
  }

  func page(_ parts: [[String]]) -> String { style.fitted(Array(parts.joined())).joined(separator: "\n") }

  /// The leaked cycles, for reference to the verb that shows them.
  private func leaked() -> [String] {
    let leaks = look.examination.leaks.findings
    guard !leaks.isEmpty else { return [] }
    let cycles = leaks.count { $0.kind == .leakedCycle }
    let words =
      cycles == 0
      ? "\(counted(leaks.count, "leak")), none of them a retain cycle"
      : "\(counted(cycles, "retain cycle")) \(cycles == 1 ? "has" : "have") leaked"
    return [style.bad("✗ \(words)") + ": \(program) leaks \(look.source)"]
  }

  public func types() -> String {
    let counts = TypeCount.all(graph, look.examination.leaks)
    return page([head(), damage(), ["", style.strong(typesTitle)], counts.flatMap(rows), owners(10), notes()])
  }

  /// - Parameter more: lines below the title.
  func long(_ finding: Finding, _ more: [String] = []) -> [String] {
    let sign = finding.isLeak ? style.bad("✗") : style.warning("○")
    let isEach = finding.kind == .overRetained
    let times =
      finding.instances == 1 ? "" : isEach ? "; the first" : ", found \(grouped(finding.instances)) times; the first"
    let keeps = finding.retained > finding.bytes ? ", keeps \(size(finding.retained)) alive" : ""
    let title = wrapped(finding.title, style.width, from: finding.id.count + 4, indent: 4)
    var lines = ["\(sign) \(style.strong(finding.id))  \(title[0])"] + title.dropFirst() + more
    lines.append(
      "  \(finding.kind.rawValue): \(counted(finding.objects, "block")), \(size(finding.bytes))\(keeps)\(times)")
    let sureness = wrapped(sureness(finding), style.width, from: 2, indent: 2).map(style.quiet)
    lines += ["  " + sureness[0]] + sureness.dropFirst()
    if let frame = graph.allocation(of: finding.head).telling { lines.append("  allocated at \(describe(frame))") }
    if let path = look.examination.reach.path(to: finding.head, in: graph) {
      lines.append("  reached from \(path.root?.label ?? "an unknown place")")
      lines += way(path.steps).map { "    \($0)" }
    }
    if finding.ring.isEmpty {
      lines.append("    \(describe(finding.head))")
      return lines
    }
    for step in finding.ring.prefix(Self.drawnSteps) { lines.append("    \(arrow(step))") }
    if finding.ring.count > Self.drawnSteps {
      lines.append("    … \(counted(finding.ring.count - Self.drawnSteps, "step")) more")
    }
    lines.append("    and back to \(describe(finding.ring[0].from))")
    return lines
  }

  // MARK: For tests

  /// The leaks in the form of compiler warnings: "FILE:LINE: warning: TYPE leaks (…)". Identical lines are merged.
  public func warnings() -> [String] {
    struct Words: Hashable { var place, name, kind, title: String }
    var order: [Words] = []
    var sums: [Words: (times: Int, blocks: Int, bytes: Int)] = [:]
    for finding in look.examination.leaks.findings {
      // The object is more telling than its storage.
      let head = finding.ring.map(\.from).first { !graph.type(of: $0).name.hasSuffix(" storage") } ?? finding.head
      let frame = graph.allocation(of: head).telling ?? graph.allocation(of: finding.head).telling
      let place = frame.flatMap { frame in frame.file.map { "\($0):\(frame.line ?? 0)" } } ?? program
      let words = Words(place: place, name: name(of: head), kind: finding.kind.rawValue, title: finding.title)
      if sums[words] == nil { order.append(words) }
      let sum = sums[words] ?? (0, 0, 0)
      sums[words] = (sum.times + finding.instances, sum.blocks + finding.objects, sum.bytes + finding.bytes)
    }
    return order.map { words in
      let sum = sums[words]!
      let times = sum.times > 1 ? ", \(grouped(sum.times)) times" : ""
      return "\(words.place): \(style.warning("warning:")) \(words.name) leaks "
        + "(\(words.kind)\(times): \(words.title)): \(counted(sum.blocks, "block")), " + size(sum.bytes)
    }
  }

  /// The verdict in three lines, and the damage.
  public func verdict() -> String {
    let damage = damage().dropFirst()
    return page([head(), Array(damage), [leakLine()]])
  }

  private func sureness(_ finding: Finding) -> String {
    let percent = "\(finding.percent) %"
    if finding.kind == .overRetained {
      return "\(percent): retained by hand and not released, or held by an owner that was not seen"
    }
    if finding.confidence >= 1 { return "sure: the references found explain every count" }
    if graph.strongCounts[finding.head] == 0 {
      return finding.ring.isEmpty
        ? "likely: no word in the program's memory refers to it"
        : "likely: none but its own blocks refer to it, and they have no counts that would prove it"
    }
    return finding.ring.isEmpty
      ? "its count says that somebody holds it: retained by hand, or by an owner that was not seen"
      : "\(percent): some counts are not those of the references found"
  }

  /// A line for each step; of a long path those near its root and those near its end.
  func way(_ steps: [Step]) -> [String] {
    guard steps.count > Self.drawnSteps else { return steps.map(arrow) }
    let half = Self.drawnSteps / 2
    return steps.prefix(half).map(arrow) + ["… \(counted(steps.count - 2 * half, "step")) more"]
      + steps.suffix(half).map(arrow)
  }

  func arrow(_ step: Step) -> String {
    "\(describe(step.from))\(style.strong(step.suffix(in: graph)))\(mark(step.strength(in: graph))) →"
  }

  /// The kind of a reference, unless it is strong.
  func mark(_ strength: String) -> String { strength == "strong" ? "" : style.quiet(" (\(strength))") }

  /// "makeRing(_:) Trials.swift:137".
  func describe(_ frame: Frame) -> String {
    let image = frame.image.split(separator: "/").last ?? "an unknown place"
    let place = frame.file.map { "\($0):\(frame.line ?? 0)" } ?? "\(image)"
    return "\(frame.function ?? hexadecimal(frame.address)) \(style.quiet(place))"
  }

  func describe(_ node: Int) -> String {
    "\(style.quiet(hexadecimal(graph.addresses[node]))) \(name(of: node))"
  }

  private static let shownText = 40

  /// The type, and the text of a string if known.
  func name(of node: Int) -> String {
    let type = graph.type(of: node)
    guard type.isText, let text = graph.values[UInt32(node)]?.first(where: { $0.kind == .text }) else {
      return type.name
    }
    return "\(type.name) \"\(cut(text.text, Self.shownText))\""
  }
}
