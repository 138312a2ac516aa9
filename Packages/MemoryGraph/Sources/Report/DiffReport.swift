import Analysis
import Graph

public struct DiffReport {
  let before: Look
  let now: Look
  let diff: GraphDiff
  let style: Style

  public init(from before: Look, to now: Look, style: Style) {
    (self.before, self.now, self.style) = (before, now, style)
    diff = GraphDiff(from: before.examination, to: now.examination)
  }

  /// The exit status: 0 no new leaks, 1 new leaks, 2 no new leaks in the readable part of a damaged heap.
  public var exitCode: Int32 { diff.hasNewLeaks ? 1 : now.examination.graph.damage.isEmpty ? 0 : 2 }

  private static let listedTypes = 20
  private static let typesTitle = "    objects          bytes  now objects  type"

  public func text() -> String {
    var lines = [style.strong("from  ") + line(before), style.strong("to    ") + line(now)]
    let report = TerminalReport(now, style: style, program: "")
    lines += report.damage()
    lines += section("new", diff.new) { style.bad("+ ") + $0 }
    lines += section("found more often", diff.grown.map(\.now)) { style.bad("↑ ") + $0 }
    lines += section("vanished", diff.vanished) { style.good("- ") + $0 }
    if diff.new.isEmpty, diff.grown.isEmpty { lines += ["", report.nothingFound("no new finding")] }
    guard !diff.types.isEmpty else { return report.page([lines, ["", "No type has changed."], report.notes()]) }
    lines += ["", style.strong(style.isNarrow ? "  objects       now  type" : Self.typesTitle)]
    for type in diff.types.prefix(Self.listedTypes) {
      let numbers =
        style.isNarrow
        ? "\(aligned(changed(type.addedObjects), 9)) \(aligned(grouped(type.objects), 9))  "
        : "\(aligned(changed(type.addedObjects), 11)) \(aligned(changed(type.addedBytes), 14)) "
          + "\(aligned(grouped(type.objects), 12))  "
      lines.append(numbers + (type.isOwn ? type.name : style.quiet(type.name)))
    }
    if diff.types.count > Self.listedTypes { lines.append("  … and \(diff.types.count - Self.listedTypes) more types") }
    return report.page([lines, report.notes()])
  }

  private func line(_ look: Look) -> String {
    "\(look.title): \(look.extent)" + (look.takenAt.map { ", \(moment($0))" } ?? "")
  }

  private func section(_ title: String, _ findings: [Finding], _ sign: (String) -> String) -> [String] {
    guard !findings.isEmpty else { return [] }
    return ["", style.strong(title)]
      + findings.map { finding in
        let times = finding.instances > 1 ? ", \(grouped(finding.instances)) times" : ""
        let extent = "\(counted(finding.objects, "block")), \(size(finding.bytes))\(times)"
        return sign("\(finding.kind.rawValue)  \(finding.title): \(extent)")
      }
  }

  private func changed(_ number: Int) -> String { number > 0 ? "+\(grouped(number))" : grouped(number) }

  // MARK: JSON

  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      for (name, look) in [("from", before), ("to", now)] {
        json.object(name) { json in
          json.string("source", look.source)
          json.number("pid", Int(look.examination.graph.process))
          json.string("name", look.examination.graph.processName)
          json.number("nodes", look.examination.graph.count)
          json.number("bytes", look.examination.graph.totalBytes)
          if let takenAt = look.takenAt { json.number("taken_at", takenAt) }
        }
      }
      json.list("new") { json in diff.new.forEach { JSONReport.add($0, now.examination, to: &json) } }
      json.list("grown") { json in
        for (earlier, later) in diff.grown {
          json.object { json in
            JSONReport.addExtent(later, to: &json)
            json.number("instances_before", earlier.instances)
          }
        }
      }
      json.list("vanished") { json in diff.vanished.forEach { JSONReport.add($0, before.examination, to: &json) } }
      json.list("types") { json in
        for type in diff.types {
          json.object { json in
            json.string("type", type.name)
            json.number("objects_before", type.objectsBefore)
            json.number("objects", type.objects)
            json.number("bytes_before", type.bytesBefore)
            json.number("bytes", type.bytes)
          }
        }
      }
    }
    return json.bytes + [10]
  }
}
