/// Lays out text for a terminal.
public enum Layout {
  /// The columns of a terminal by default.
  public static let width = 80

  /// Wraps a paragraph, with all lines but the first indented. A word longer than a line, such as an address, is not
  /// broken, so that it can be copied. Neither is a command in back-quotes.
  /// - Parameters:
  ///   - indent: columns before each line but the first.
  ///   - taken: columns of the first line that are in use.
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

  /// The words of a text; a command in back-quotes is one word.
  private static func words(_ text: String) -> [Substring] {
    var isCommand = false
    return text.split { character in
      if character == "`" { isCommand.toggle() }
      return !isCommand && character.isWhitespace
    }
  }

  /// Wraps paragraphs, which are separated by empty lines; other line breaks of the text are ignored.
  public static func paragraphs(_ text: String) -> String {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
    }
    return paragraphs.map { wrapped($0.joined(separator: " ")) }.joined(separator: "\n\n")
  }

  /// Two columns: a name and its description.
  public static func rows(_ rows: [(name: String, text: String)]) -> String {
    let column = (rows.map(\.name.count).max() ?? 0) + 4
    return rows.map { "  " + padded($0.name, column - 2) + wrapped($0.text, indent: column, taken: column) }
      .joined(separator: "\n")
  }

  /// Other people's text for one line of a terminal: characters that would move its cursor, change colours or the
  /// direction of text, or begin a line become "�".
  public static func plain(_ text: String) -> String { harmless(text, lineFeeds: false) }

  /// The same for our own lines that contain other people's text: line feeds stay.
  public static func plainLines(_ text: String) -> String { harmless(text, lineFeeds: true) }

  private static func harmless(_ text: String, lineFeeds: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isKept =
        switch scalar.properties.generalCategory {
        // A tab is harmless. Joiners of letters and emoji are needed.
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
