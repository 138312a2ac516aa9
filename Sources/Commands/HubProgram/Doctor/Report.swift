import Glibc
import Hub
import Terminal
import Wire

/// Prints findings as they come, and at the end the remedies. Confined to the main thread.
final class Report {
  private var findings: [Finding] = []
  private let inJSON: Bool
  /// Stands for "--data DIR", so that what remedies say can be typed.
  private let data: String
  private let hasColour = isatty(1) == 1 && getenv("NO_COLOR") == nil
  /// Without a terminal each finding is one line, for other programs to read.
  private let width = isatty(1) == 1 ? Layout.width : .max

  /// Columns of a verdict, of a subject, and before the text.
  private static let verdict = 9
  private static let subject = 13
  private static let column = verdict + subject + 4

  /// - Parameter folder: the data folder, of which remedies need not know the name.
  init(inJSON: Bool, folder: String) {
    self.inJSON = inJSON
    data = "--data \(folder.shellWord)"
  }

  func add(_ more: [Finding]) {
    // Names of calendars, and their servers' answers, are other people's text.
    let more = more.map { $0.mapped { Layout.plain($0.replacing("--data DIR", with: data)) } }
    for finding in more where !inJSON {
      let text = Layout.wrapped(finding.text, indent: Self.column, taken: Self.column, width: width)
      print("\(mark(finding.verdict))  \(Layout.padded(finding.subject, Self.subject))  \(text)")
      // A check over the network may take a while, so earlier findings are shown before.
      fflush(nil)
    }
    findings += more
  }

  /// Ends the process, with 1 if there is a problem.
  func finish() -> Never {
    let counts = Finding.Verdict.allCases.map { verdict in findings.count { $0.verdict == verdict } }
    if inJSON { print(JSON.array(findings.map(\.json)).text) } else { printRemedies(counts) }
    fflush(nil)
    exit(counts[2] == 0 ? 0 : 1)
  }

  private func printRemedies(_ counts: [Int]) {
    for finding in findings where !finding.remedy.isEmpty {
      let text = Layout.wrapped(
        "\(finding.subject): \(finding.text)", indent: 3, taken: Self.verdict + 2, width: width)
      let remedy = Layout.wrapped(finding.remedy, indent: 3, taken: 3, width: width)
      print("\n\(mark(finding.verdict))  \(text)\n   \(remedy)")
    }
    print(
      "\n\(counts[0]) ok, \(counts[1]) \(counts[1] == 1 ? "warning" : "warnings"), "
        + "\(counts[2]) \(counts[2] == 1 ? "problem" : "problems").")
  }

  /// A sign and a word, so that colour is not needed.
  private func mark(_ verdict: Finding.Verdict) -> String {
    let (sign, colour) =
      switch verdict {
      case .ok: ("✓", "32")
      case .warning: ("!", "33")
      case .problem: ("✗", "31")
      }
    let text = Layout.padded("\(sign) \(verdict.rawValue)", Self.verdict)
    return hasColour ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text
  }
}

extension Finding {
  fileprivate var json: JSON {
    [
      "verdict": .string(verdict.rawValue), "subject": .string(subject), "text": .string(text),
      "remedy": remedy.isEmpty ? .null : .string(remedy),
    ]
  }
}
