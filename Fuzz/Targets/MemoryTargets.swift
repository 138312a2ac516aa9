import Analysis
import Graph
import Report

/// What the memory graph reads from files.
nonisolated(unsafe) let memoryTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "snapshot": { bytes in
    _ = try? GraphFile(Array(bytes))
    // No chance finds a checksum, so the parts are read without them.
    guard let file = try? GraphFile(Array(bytes), isChecked: false) else { return }
    // What was read can be asked everything, and is written and read again as the same.
    let look = Look(
      Examination(file.graph), method: file.method, stopSeconds: file.stopSeconds, seconds: file.seconds,
      takenAt: file.takenAt
    ).weighed()
    let report = TerminalReport(look, style: Style(hasColour: false), program: "memorygraph")
    _ = report.summary() + report.leaks() + report.cycles() + report.types()
    for node in 0..<min(4, file.graph.count) { _ = report.object(node) + report.path(to: node) }
    _ = JSONReport.bytes(look) + DOTReport.bytes(look) + HTMLReport.bytes(look)
    var watch = LeakWatch()
    _ = watch.look(look.examination, at: 1)
    require(
      GraphDiff(from: look.examination, to: Verdict(look.examination).confirming(look.examination)).new == [])
    require((try? GraphFile(file.bytes()))?.bytes() == file.bytes())
  },
  "known": { bytes in
    _ = try? KnownPatterns(String(decoding: bytes, as: UTF8.self))
  },
]
