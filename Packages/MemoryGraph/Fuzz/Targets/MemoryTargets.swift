import Analysis
import Capture
import Glibc
import Graph
import Report

/// The parsers of files in the memory graph, under the names of their folders in Fuzz/Corpus.
nonisolated(unsafe) let targets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "core": { bytes in
    var name = Array("/tmp/fuzzed-core-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    defer { close(file) }
    unlink(name)
    guard write(file, bytes.baseAddress, bytes.count) == bytes.count else { return }
    let path = "/proc/self/fd/\(file)"
    guard CoreFile.isOne(path), let core = try? CoreFile(path) else { return }
    var word: UInt64 = 0
    for segment in core.touched(0, .max, isOwn: true).prefix(8) { _ = core.read(segment.lowerBound, 8, into: &word) }
  },
  "snapshot": { bytes in
    _ = try? GraphFile(Array(bytes))
    // Without the checksum, which random bytes would never match.
    guard let file = try? GraphFile(Array(bytes), isChecked: false) else { return }
    // A file that was read can be queried in every way, and is the same after writing and reading it again.
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
  "lines": { bytes in
    // The lengths of all sections but the last, in two bytes each, and then the sections.
    let names = [
      ".debug_line", ".debug_info", ".debug_abbrev", ".debug_str", ".debug_line_str", ".debug_ranges",
      ".debug_rnglists", ".debug_addr", ".debug_str_offsets",
    ]
    guard bytes.count >= 2 * (names.count - 1) else { return }
    var (sections, start): ([String: UnsafeRawBufferPointer], Int) = ([:], 2 * (names.count - 1))
    for (number, name) in names.enumerated() {
      let isLast = number == names.count - 1
      let length = isLast ? bytes.count : Int(bytes[2 * number]) | Int(bytes[2 * number + 1]) << 8
      let end = min(bytes.count, start + length)
      sections[name] = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end])
      start = end
    }
    let places = (0..<128).map { UInt64(0x200 + $0) }
    let info = DebugInfo(DebugSections { sections[$0]! }, at: places, functions: Set(places))
    for found in [info.places, info.begins, info.declared] {
      require(found.keys.allSatisfy(places.contains) && found.values.allSatisfy { $0.line > 0 })
    }
    require(info.inlined.keys.allSatisfy(places.contains))
  },
  "known": { bytes in
    _ = try? KnownPatterns(String(decoding: bytes, as: UTF8.self))
  },
]
