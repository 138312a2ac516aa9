import Analysis
import Capture
import Graph

extension Look {
  /// Whether nothing was found lost, and not all was seen: "no leaks" would be a promise that nobody can keep.
  public var isUncertain: Bool { examination.leaks.findings.isEmpty && !examination.graph.damage.isEmpty }

  /// How a program ends that was asked for leaks: 0 none, 1 some, 2 none in what could be read of a damaged heap.
  public var exitCode: Int32 { !examination.leaks.findings.isEmpty ? 1 : isUncertain ? 2 : 0 }
}

extension TerminalReport {
  /// What comes before everything else: that the heap is damaged, where, and what could not be read of it.
  ///
  /// - Parameter most: places that are told; the others are counted.
  func damage(_ most: Int = .max) -> [String] {
    guard !graph.damage.isEmpty else { return [] }
    let rest = graph.damage.count - most
    return [""]
      + graph.damage.prefix(most).flatMap { damage in
        let lines = wrapped(damage.sentence, style.width, from: 2, indent: 2)
        return [style.bad("! ") + style.strong(lines[0])] + lines.dropFirst().map(style.strong)
      } + (rest > 0 ? ["  … and \(counted(rest, "place")) more where the heap is damaged"] : [])
  }

  /// What was found or not found, which a damaged heap makes uncertain.
  func nothingFound(_ words: String) -> String {
    graph.damage.isEmpty ? style.good("✓ \(words)") : style.warning("○ \(words) in what could be read")
  }
}
