import Analysis
import Capture
import Graph

/// A look in words, for a terminal.
public struct TerminalReport {
  let look: Look
  let style: Style
  /// How the program is called, for its hints: "memorygraph".
  let program: String
  var graph: ObjectGraph { look.examination.graph }

  public init(_ look: Look, style: Style, program: String) {
    self.look = look
    self.style = style
    self.program = program
  }

  /// What fits on a screen of 24 lines.
  private static let summaryFindings = 4
  private static let summaryCycles = 2
  private static let summaryTypes = 4
  private static let summaryOwners = 2
  private static let width = 100
  /// Steps of a ring, or of a way, that are drawn.
  private static let drawnSteps = 12

  // MARK: The summary

  public func summary() -> String {
    let leaks = look.examination.leaks
    var lines = [head(), ""]
    lines.append(leakLine())
    for finding in leaks.findings.prefix(Self.summaryFindings) { lines += short(finding) }
    if leaks.findings.count > Self.summaryFindings {
      lines.append("  … and \(counted(leaks.findings.count - Self.summaryFindings, "finding")) more")
    }
    let cycles = look.examination.cycles
    if !cycles.isEmpty {
      lines += ["", style.warning("○ \(counted(cycles.count, "retain cycle")) still reachable") + ", no leak yet"]
      for cycle in cycles.prefix(Self.summaryCycles) { lines += short(cycle) }
      if cycles.count > Self.summaryCycles { lines.append("  … and \(cycles.count - Self.summaryCycles) more") }
    }
    lines += overRetained(short) + harmless()
    lines += ["", style.strong("  objects        bytes  leaked  type")]
    for count in TypeCount.all(graph, leaks).prefix(Self.summaryTypes) { lines.append(row(count)) }
    lines += owners(Self.summaryOwners)
    lines += remarks().prefix(2)
    lines += [
      "", style.quiet("More: \(program) leaks, cycles, types, path, object \(look.source); --html FILE draws it."),
    ]
    return lines.joined(separator: "\n")
  }

  private func head() -> String {
    let taken = look.isLive ? "" : look.takenAt.map { ", looked at on \(moment($0))" } ?? ""
    let looks = look.looks > 1 ? "each of \(look.looks) looks took" : "the look took"
    return style.strong("\(graph.processName) (process \(graph.process)\(taken))")
      + ": \(counted(graph.count, "block")), \(size(graph.totalBytes)); it stood still for "
      + "\(milliseconds(look.stopSeconds)), \(looks) \(milliseconds(look.seconds))"
  }

  private func leakLine() -> String {
    let leaks = look.examination.leaks
    guard !leaks.findings.isEmpty else { return style.good("✓ no leaks") }
    return style.bad("✗ \(counted(leaks.findings.count, "leak"))")
      + ": \(counted(leaks.nodes.count, "block")), \(size(leaks.bytes)) that nothing can reach any more"
  }

  func short(_ finding: Finding) -> [String] {
    let times = finding.instances > 1 ? ", \(grouped(finding.instances)) times" : ""
    return [
      "  " + cut("\(padded(finding.id, 8)) \(finding.title)", Self.width - 2),
      style.quiet(
        "           \(finding.kind.rawValue)\(times): \(counted(finding.objects, "block")), \(size(finding.bytes))"),
    ]
  }

  private func row(_ count: TypeCount) -> String {
    let leaked = count.leaked > 0 ? grouped(count.leaked) : ""
    let name = cut(count.type.name, Self.width - 36)
    return "\(aligned(grouped(count.objects), 9)) \(aligned(grouped(count.bytes), 12)) "
      + style.bad(aligned(leaked, 7)) + "  " + (count.type.isOwn ? name : style.quiet(name))
  }

  // MARK: Details

  public func leaks() -> String {
    let found = [head(), "", leakLine()] + look.examination.leaks.findings.flatMap { [""] + long($0) }
    let beside = overRetained(long) + harmless() + remarks()
    return (beside.isEmpty ? found : found + [""] + beside).joined(separator: "\n")
  }

  public func cycles() -> String {
    let cycles = look.examination.cycles
    let line =
      cycles.isEmpty
      ? style.good("✓ no retain cycle is reachable")
      : style.warning("○ \(counted(cycles.count, "retain cycle")) still reachable")
        + ": when they are let go, they leak"
    return ([head(), "", line] + cycles.flatMap { [""] + long($0) }).joined(separator: "\n")
  }

  public func types() -> String {
    let counts = TypeCount.all(graph, look.examination.leaks)
    return ([head(), "", style.strong("  objects        bytes  leaked  type")] + counts.map(row) + owners(10))
      .joined(separator: "\n")
  }

  func long(_ finding: Finding) -> [String] {
    let sign = finding.isLeak ? style.bad("✗") : style.warning("○")
    let times = finding.instances > 1 ? ", found \(grouped(finding.instances)) times; the first" : ""
    let keeps = finding.retained > finding.bytes ? ", keeps \(size(finding.retained)) alive" : ""
    var lines = [
      "\(sign) \(style.strong(finding.id))  \(finding.title)",
      "  \(finding.kind.rawValue): \(counted(finding.objects, "block")), \(size(finding.bytes))\(keeps)\(times)",
    ]
    lines.append("  \(sureness(finding))")
    if let path = look.examination.reach.path(to: finding.head, in: graph) {
      lines.append("  reached from \(path.root?.label ?? "an unknown place")")
      lines += way(path.steps).map { "    \($0)" }
    }
    if let frame = graph.allocation(of: finding.head).telling { lines.append("  allocated at \(describe(frame))") }
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

  /// Each leak as compilers tell a warning: "FILE:LINE: warning: TYPE leaks (…)".
  public func warnings() -> [String] {
    look.examination.leaks.findings.map { finding in
      let frame = graph.allocation(of: finding.head).telling
      let place = frame.flatMap { frame in frame.file.map { "\($0):\(frame.line ?? 0)" } } ?? program
      let times = finding.instances > 1 ? ", \(grouped(finding.instances)) times" : ""
      return "\(place): \(style.warning("warning:")) \(graph.type(of: finding.head).name) leaks "
        + "(\(finding.kind.rawValue)\(times): \(finding.title)): \(counted(finding.objects, "block")), "
        + size(finding.bytes)
    }
  }

  /// What was looked at and whether it leaks, in two lines.
  public func verdict() -> String { head() + "\n" + leakLine() }

  private func sureness(_ finding: Finding) -> String {
    if finding.kind == .overRetained {
      return style.quiet(
        "\(Int(finding.confidence * 100)) %: retained by hand and not released, or held by an owner that was not seen")
    }
    if finding.confidence >= 1 {
      return style.quiet("sure: the references found explain every count")
    }
    if graph.strongCounts[finding.head] == 0 {
      return style.quiet(
        finding.ring.isEmpty
          ? "likely: no word in the program's memory refers to it"
          : "likely: none but its own blocks refer to it, and they have no counts that would prove it")
    }
    return style.quiet(
      finding.ring.isEmpty
        ? "its count says that somebody holds it: retained by hand, or by an owner that was not seen"
        : "\(Int(finding.confidence * 100)) %: some counts are higher than the references found")
  }

  /// A line for each step; of a long way those near its root and those near its end.
  func way(_ steps: [Step]) -> [String] {
    guard steps.count > Self.drawnSteps else { return steps.map(arrow) }
    let half = Self.drawnSteps / 2
    return steps.prefix(half).map(arrow) + ["… \(counted(steps.count - 2 * half, "step")) more"]
      + steps.suffix(half).map(arrow)
  }

  func arrow(_ step: Step) -> String { "\(describe(step.from))\(style.strong(step.suffix(in: graph))) →" }

  /// "makeRing(_:) Trials.swift:137".
  func describe(_ frame: Frame) -> String {
    let image = frame.image.split(separator: "/").last ?? "an unknown place"
    let place = frame.file.map { "\($0):\(frame.line ?? 0)" } ?? "\(image)"
    return "\(frame.function ?? hexadecimal(frame.address)) \(style.quiet(place))"
  }

  func describe(_ node: Int) -> String {
    "\(style.quiet(hexadecimal(graph.addresses[node]))) \(graph.type(of: node).name)"
  }
}
