import Analysis
import Glibc
import Report

@testable import Capture
@testable import Graph

/// The parsers of files in the memory graph, under the names of their folders in Fuzz/Corpus.
nonisolated(unsafe) let targets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "core": { bytes in
    guard let file = temporary(bytes) else { return }
    defer { close(file) }
    let path = "/proc/self/fd/\(file)"
    guard CoreFile.isOne(path), let core = try? CoreFile(path) else { return }
    var word: UInt64 = 0
    for segment in core.touched(0, .max, isOwn: true).prefix(8) { _ = core.read(segment.lowerBound, 8, into: &word) }
    for mapping in core.contents.mappings { _ = core.touched(mapping.start, mapping.end, isOwn: true) }
    _ = PageFilter(core.contents.mappings, GlibcLayout.known[0])
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
  // The file of a program that may have written it itself.
  "program": { bytes in
    guard let file = temporary(bytes) else { return }
    defer { close(file) }
    let path = "/proc/self/fd/\(file)"
    let start: UInt64 = 0x5555_5555_4000
    _ = ELFSegment.isExecutable(path, at: 0x1000)
    guard let image = ELFImage(path, start: start, process: 0) else { return }
    let addresses = stride(from: start, to: start + 0x3000, by: 0x25).map { $0 }
    for address in addresses {
      _ = image.half(at: address)
      if let symbol = image.symbol(at: address) { require(symbol.address <= address) }
    }
    require(image.functions(at: addresses).keys.allSatisfy(addresses.contains))
    _ = (image.exported("main"), image.buildID, image.hasSwift, image.isDescribed)
    for name in [".text", ".bss", ".debug_line"] { require(image.contents(name).count <= bytes.count) }
    let frames = FrameNames.names(of: addresses, in: Array("images\n\(start) \(UInt64.max) \(path)\n".utf8))
    for (address, found) in frames { require(found.last?.address == address && addresses.contains(address)) }
  },
  // A type's name in the first line, and behind it a value in the memory of a program.
  "value": { bytes in
    let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
    guard let type = Scalar(typeName: String(decoding: bytes[..<end], as: UTF8.self)) else { return }
    let value = Array(bytes[end...].dropFirst().prefix(type.size))
    switch type.read(value + [UInt8](repeating: 0, count: type.size - value.count)) {
    case .text(let text, _)?: require(text.count <= type.size)
    case .stored(_, let count)?: require(count >= 0)
    default: break
    }
  },
]

/// A file with these bytes and without a name, to be closed.
private func temporary(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
  var name = Array("/tmp/fuzzed-XXXXXX".utf8CString)
  let file = mkstemp(&name)
  unlink(name)
  guard write(file, bytes.baseAddress, bytes.count) == bytes.count else {
    close(file)
    return nil
  }
  return file
}
