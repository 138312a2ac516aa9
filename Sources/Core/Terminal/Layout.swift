/// Text for a terminal.
public enum Layout {
  /// Columns: what a terminal has when nobody has made it wider.
  public static let width = 80

  /// A paragraph in lines that fit, all but the first indented. A word that is longer than a line, such as an address,
  /// has one for itself: it can still be copied. So can a command in back-quotes, which is one word.
  /// - Parameters:
  ///   - indent: columns before each line but the first.
  ///   - taken: columns of the first line that something else takes.
  ///   - width: columns of a line.
  public static func wrapped(_ text: String, indent: Int = 0, taken: Int = 0, width: Int = Layout.width) -> String {
    var (lines, line, column) = ([String](), "", taken)
    for word in words(text) {
      if !line.isEmpty, column + 1 + word.count > width {
        lines.append(line)
        (line, column) = ("", indent)
      }
      if !line.isEmpty { (line, column) = (line + " ", column + 1) }
      (line, column) = (line + word, column + word.count)
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// The words of a text; a command in back-quotes is one.
  private static func words(_ text: String) -> [Substring] {
    var isCommand = false
    return text.split { character in
      if character == "`" { isCommand.toggle() }
      return !isCommand && character.isWhitespace
    }
  }

  /// Paragraphs, which empty lines part: how a text is broken where it is written does not count.
  public static func paragraphs(_ text: String) -> String {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
    }
    return paragraphs.map { wrapped($0.joined(separator: " ")) }.joined(separator: "\n\n")
  }

  /// Two columns: what it is called, and what it means.
  public static func rows(_ rows: [(name: String, text: String)]) -> String {
    let column = (rows.map(\.name.count).max() ?? 0) + 4
    return rows.map { "  " + padded($0.name, column - 2) + wrapped($0.text, indent: column, taken: column) }
      .joined(separator: "\n")
  }

  /// A text that others have written, for one line of a terminal: what would move its cursor, colour it, turn its
  /// direction or begin a line is shown as "�".
  public static func plain(_ text: String) -> String { harmless(text, lineFeeds: false) }

  /// Lines of ours in which others' words may stand.
  public static func plainLines(_ text: String) -> String { harmless(text, lineFeeds: true) }

  private static func harmless(_ text: String, lineFeeds: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isKept =
        switch scalar.properties.generalCategory {
        // A tab only leads further right. Signs that join letters or emoji have no look of their own.
        case .control: scalar == "\t" || scalar == "\n" && lineFeeds
        case .lineSeparator, .paragraphSeparator: false
        case .format: !scalar.properties.isBidiControl
        default: true
        }
      result.append(isKept ? scalar : "\u{fffd}")
    }
    return String(result)
  }

  public static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
