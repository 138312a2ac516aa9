import Analysis
import Capture
import Graph

extension Look {
  /// True if no leak was found but the heap is damaged: "no leaks" would claim too much.
  public var isUncertain: Bool { examination.leaks.findings.isEmpty && !examination.graph.damage.isEmpty }

  /// The exit status: 0 no leaks, 1 leaks, 2 no leaks in the readable part of a damaged heap.
  public var exitCode: Int32 { !examination.leaks.findings.isEmpty ? 1 : isUncertain ? 2 : 0 }
}

extension TerminalReport {
  /// The head of the report about a damaged heap: where, and how much could not be read.
  ///
  /// - Parameter most: the places described; the others are counted.
  func damage(_ most: Int = .max) -> [String] {
    guard !graph.damage.isEmpty else { return [] }
    let rest = graph.damage.count - most
    return [""]
      + graph.damage.prefix(most).flatMap { damage in
        let lines = wrapped(damage.sentence, style.width, from: 2, indent: 2)
        return [style.bad("! ") + style.strong(lines[0])] + lines.dropFirst().map(style.strong)
      } + (rest > 0 ? ["  … and \(counted(rest, "place")) more where the heap is damaged"] : [])
  }

  /// A result such as "no leaks", which is limited to the readable part of a damaged heap.
  func nothingFound(_ words: String) -> String {
    graph.damage.isEmpty ? style.good("✓ \(words)") : style.warning("○ \(words) in what could be read")
  }
}
