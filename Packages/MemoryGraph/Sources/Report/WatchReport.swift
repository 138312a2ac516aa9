public import Analysis
import Capture
import Graph

/// The history of a watch: its looks and what was new in them. All lists are bounded: the oldest entries are dropped
/// first.
public struct WatchHistory: Sendable {
  private struct Scan {
    var time: Double
    var nodes: Int
    var bytes: Int
    var leaked: Int
    var stopSeconds: Double
  }
  private static let longestScans = 1000
  private static let longestFindings = 1000
  private static let longestGrowth = 1000

  private let process: Int32
  private let name: String
  private var scans: [Scan] = []
  private var findings: [[UInt8]] = []
  private var growth: [(id: String, time: Double, LeakWatch.Growth)] = []
  public private(set) var looks = 0
  public private(set) var told = 0
  /// True if the heap was damaged at the last look, so that leaks may have been missed.
  public private(set) var isDamaged = false

  public init(_ look: Look) {
    (process, name) = (look.examination.graph.process, look.examination.graph.processName)
  }

  public mutating func add(_ look: Look, at time: Double, _ news: [LeakWatch.News]) {
    looks += 1
    isDamaged = !look.examination.graph.damage.isEmpty
    let graph = look.examination.graph
    scans.append(
      Scan(
        time: time, nodes: graph.count, bytes: graph.totalBytes, leaked: look.examination.leaks.nodes.count,
        stopSeconds: look.stopSeconds))
    scans.removeFirst(max(0, scans.count - Self.longestScans))
    for one in news {
      if let grown = one.growth {
        growth.append((one.id, time, grown))
      } else {
        told += 1
        findings.append(JSONReport.news(one, look.examination))
      }
    }
    findings.removeFirst(max(0, findings.count - Self.longestFindings))
    growth.removeFirst(max(0, growth.count - Self.longestGrowth))
  }

  /// The exit status: 0 nothing was found, 1 something was, 2 nothing in the readable part of a damaged heap.
  public var exitCode: Int32 { told > 0 ? 1 : isDamaged ? 2 : 0 }

  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      JSONReport.addProcess(process, name, to: &json)
      json.number("looks", looks)
      json.number("told", told)
      json.list("scans") { json in
        for scan in scans {
          json.object { json in
            json.number("at", scan.time)
            json.number("nodes", scan.nodes)
            json.number("bytes", scan.bytes)
            json.number("leaked", scan.leaked)
            json.number("stop_ms", scan.stopSeconds * 1000)
          }
        }
      }
      json.list("findings") { json in findings.forEach { json.written($0) } }
      json.list("growth") { json in
        for (id, time, grown) in growth {
          json.object { json in
            json.string("id", id)
            json.number("at", time)
            JSONReport.add(grown, to: &json)
          }
        }
      }
    }
    return json.bytes + [10]
  }
}

extension JSONReport {
  /// The most steps of a ring in a watch; "cycle_steps" is their number.
  private static let toldSteps = 100

  static func add(_ growth: LeakWatch.Growth, to json: inout JSONWriter) {
    json.number("from", growth.from)
    json.number("to", growth.to)
    json.number("since", growth.since)
  }

  /// A new or grown leak in words, for a notification: "playerd: Player → Session → back to the first. 2 blocks, 64
  /// bytes."
  public static func words(_ news: LeakWatch.News, _ examination: Examination) -> String {
    let finding = news.finding
    let before = news.growth.map { "; \(grouped($0.from)) before" } ?? ""
    let extent = "\(counted(finding.objects, "block")), \(size(finding.bytes))\(before)"
    return "\(examination.graph.processName): \(finding.title). \(extent)."
  }

  /// A new or grown leak as JSON: the finding, its origin, and the process.
  public static func news(_ news: LeakWatch.News, _ examination: Examination) -> [UInt8] {
    var finding = news.finding
    finding.id = news.id
    finding.ring = Array(finding.ring.prefix(toldSteps))
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      json.string("event", news.growth == nil ? "arose" : "grew")
      json.string("id", news.id)
      addProcess(examination.graph.process, examination.graph.processName, to: &json)
      json.object("arose") { json in
        if let before = news.before { json.number("after", before) }
        json.number("before", news.after)
        if let vanished = news.vanished {
          json.string("reference", vanished.reference)
          if let holder = vanished.holder { json.string("holder", hexadecimal(holder)) }
          json.string("root", vanished.root)
        }
      }
      if let growth = news.growth { json.object("grew") { add(growth, to: &$0) } }
      json.number("cycle_steps", news.finding.ring.count)
      json.named("finding") { add(finding, examination, to: &$0) }
    }
    return json.bytes
  }
}

extension TerminalReport {
  public func watching(every seconds: Double) -> String {
    let span = seconds == seconds.rounded() ? counted(Int(seconds), "second") : milliseconds(seconds)
    let line =
      "\(style.strong(look.title)): \(counted(graph.count, "block")); "
      + "looking every \(span), until it ends or Ctrl-C"
    return page([[line], damage()])
  }

  /// A new leak in a watch, or its growth in one line.
  public func news(_ news: LeakWatch.News) -> String {
    if let growth = news.growth {
      let words =
        "\(style.bad("↑")) \(style.strong(news.id)) grows: \(grouped(growth.from)) → \(counted(growth.to, "block")), "
        + "since \(moment(growth.since))"
      return wrapped(words, style.width, indent: 2).joined(separator: "\n")
    }
    var finding = news.finding
    finding.id = news.id
    let arose =
      news.before.map { before in
        "arose between \(moment(before)) and \(moment(news.after)): \(origin(news.vanished))"
      } ?? "arose before the first look, \(moment(news.after))"
    let lines = wrapped(arose, style.width, from: 2, indent: 2)
    return page([long(finding, ["  " + lines[0]] + lines.dropFirst())])
  }

  private func origin(_ vanished: Vanished?) -> String {
    guard let vanished else { return "made and lost in between" }
    guard let holder = vanished.holder else { return "\(style.strong(vanished.reference)) refers to it no more" }
    return "\(style.strong(vanished.reference)) of \(hexadecimal(holder)), reached from \(vanished.root), let it go"
  }
}
