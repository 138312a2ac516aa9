public import Analysis
import Capture
import Graph

/// What a watch over a process has found so far: its looks and what was new in them. Both lists are bounded: the oldest
/// go first.
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

  private let process: Int32
  private let name: String
  private var scans: [Scan] = []
  private var findings: [[UInt8]] = []
  public private(set) var looks = 0
  public private(set) var told = 0
  /// Whether the heap was damaged at the last look: leaks may have been missed.
  public private(set) var isDamaged = false

  public init(_ look: Look) {
    (process, name) = (look.examination.graph.process, look.examination.graph.processName)
  }

  public mutating func add(_ look: Look, at time: Double, _ arisen: [LeakWatch.Arisen]) {
    looks += 1
    told += arisen.count
    isDamaged = !look.examination.graph.damage.isEmpty
    let graph = look.examination.graph
    scans.append(
      Scan(
        time: time, nodes: graph.count, bytes: graph.totalBytes, leaked: look.examination.leaks.nodes.count,
        stopSeconds: look.stopSeconds))
    scans.removeFirst(max(0, scans.count - Self.longestScans))
    for one in arisen { findings.append(JSONReport.arisen(one, look.examination)) }
    findings.removeFirst(max(0, findings.count - Self.longestFindings))
  }

  /// How the watch ends: 0 nothing was told, 1 something was, 2 nothing in what can be read of a damaged heap.
  public var exitCode: Int32 { told > 0 ? 1 : isDamaged ? 2 : 0 }

  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      json.object("process") { json in
        json.number("pid", Int(process))
        json.string("name", name)
      }
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
    }
    return json.bytes + [10]
  }
}

extension JSONReport {
  /// Steps of a ring that a watch tells; "cycle_steps" says how many there are.
  private static let toldSteps = 100

  /// A new leak as JSON: the finding, where it arose, and in which process.
  public static func arisen(_ arisen: LeakWatch.Arisen, _ examination: Examination) -> [UInt8] {
    var finding = arisen.finding
    finding.id = arisen.id
    finding.ring = Array(finding.ring.prefix(toldSteps))
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      json.string("id", arisen.id)
      json.object("process") { json in
        json.number("pid", Int(examination.graph.process))
        json.string("name", examination.graph.processName)
      }
      json.object("arose") { json in
        if let before = arisen.before { json.number("after", before) }
        json.number("before", arisen.after)
        if let vanished = arisen.vanished {
          json.string("reference", vanished.reference)
          if let holder = vanished.holder { json.string("holder", hexadecimal(holder)) }
          json.string("root", vanished.root)
        }
      }
      json.number("cycle_steps", arisen.finding.ring.count)
      json.named("finding") { add(finding, examination, to: &$0) }
    }
    return json.bytes
  }
}

extension TerminalReport {
  /// What a watch says when it begins.
  public func watching(every seconds: Double) -> String {
    let span = seconds < 1 ? milliseconds(seconds) : counted(Int(seconds), "second")
    return "\(style.strong("\(graph.processName) (process \(graph.process))")): \(counted(graph.count, "block")); "
      + ("looking every \(span), until it ends or Ctrl-C" + damage().map { "\n" + $0 }.joined())
  }

  /// A new leak, as a watch tells it.
  public func arisen(_ arisen: LeakWatch.Arisen) -> String {
    var finding = arisen.finding
    finding.id = arisen.id
    let arose =
      arisen.before.map { before in
        "arose between \(moment(before)) and \(moment(arisen.after)): \(origin(arisen.vanished))"
      } ?? "arose before the first look, \(moment(arisen.after))"
    return long(finding, ["  " + arose]).joined(separator: "\n")
  }

  private func origin(_ vanished: Vanished?) -> String {
    guard let vanished else { return "made and lost in between" }
    guard let holder = vanished.holder else { return "\(style.strong(vanished.reference)) refers to it no more" }
    return "\(style.strong(vanished.reference)) of \(hexadecimal(holder)), reached from \(vanished.root), let it go"
  }
}
