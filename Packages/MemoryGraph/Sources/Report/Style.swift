/// Colours and width of a terminal; without one, plain text. Colours never carry information alone.
public struct Style: Sendable {
  public var hasColour: Bool
  /// Columns, from 40 to 120, since longer lines are hard to read.
  public let width: Int
  /// True if the output is a terminal of that width; otherwise lines may be longer, for programs that search them.
  let isScreen: Bool
  /// True if a table's columns do not all fit.
  var isNarrow: Bool { width < 60 }

  /// - Parameter width: columns of the terminal; 0 if unknown.
  public init(hasColour: Bool, width: Int = 0) {
    self.hasColour = hasColour
    self.width = width > 0 ? min(max(width, 40), 120) : 80
    isScreen = width > 0
  }

  /// The lines, wrapped to the width of the screen except within words. Continuations are indented.
  func fitted(_ lines: [String]) -> [String] {
    guard isScreen else { return lines }
    return lines.flatMap { line in
      guard seen(line) > width else { return [line] }
      let margin = line.prefix { $0 == " " }
      let parts = wrapped(line, width, from: margin.count, indent: margin.count + 2)
      return [margin + parts[0]] + parts.dropFirst()
    }
  }

  func strong(_ text: String) -> String { painted(text, "1") }
  func bad(_ text: String) -> String { painted(text, "31") }
  func good(_ text: String) -> String { painted(text, "32") }
  func warning(_ text: String) -> String { painted(text, "33") }
  func quiet(_ text: String) -> String { painted(text, "2") }

  private func painted(_ text: String, _ colour: String) -> String {
    hasColour ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text
  }
}

/// "1,234,567".
func grouped(_ number: Int) -> String {
  let digits = String(abs(number))
  var result = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { result += "," }
    result.append(digit)
  }
  return (number < 0 ? "-" : "") + result
}

/// "1 object", "2 objects".
func counted(_ number: Int, _ noun: String) -> String { "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")" }

/// "640 bytes", "81 KB", "12.5 MB", in powers of 1,000.
func size(_ bytes: Int) -> String {
  if bytes < 10_000 { return counted(bytes, "byte") }
  for (limit, unit) in [(1_000_000, "KB"), (1_000_000_000, "MB"), (Int.max, "GB")] where bytes < limit {
    let scaled = Double(bytes) / Double(unit == "KB" ? 1_000 : unit == "MB" ? 1_000_000 : 1_000_000_000)
    return scaled < 10 ? "\((scaled * 10).rounded() / 10) \(unit)" : "\(Int(scaled.rounded())) \(unit)"
  }
  return "\(bytes) bytes"
}

func milliseconds(_ seconds: Double) -> String {
  let value = seconds * 1000
  return value < 10 ? "\((value * 10).rounded() / 10) ms" : "\(Int(value.rounded())) ms"
}

func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
func aligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

/// The text in at most so many characters, with an ellipsis if it was cut.
func cut(_ text: String, _ width: Int) -> String { text.count <= width ? text : text.prefix(width - 1) + "…" }

/// The number of visible characters: all but escape sequences.
func seen(_ text: some StringProtocol) -> Int {
  guard text.utf8.contains(0x1B) else { return text.count }
  var count = 0
  var isColour = false
  for character in text {
    if character == "\u{1b}" { isColour = true }
    if !isColour { count += 1 }
    if character == "m" { isColour = false }
  }
  return count
}

/// Wraps a text between words to lines of at most `width` characters. The first begins at column `start`, after other
/// text; the others are indented. A longer word is not broken, since it may be a path to be copied. No line begins with
/// an arrow.
func wrapped(_ text: String, _ width: Int, from start: Int = 0, indent: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var length = 0
  var room = width - start
  var words: [String] = []
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    if word == "→", !words.isEmpty { words[words.count - 1] += " →" } else { words.append(String(word)) }
  }
  for word in words {
    let count = seen(word)
    if !line.isEmpty, length + 1 + count > room {
      lines.append(line)
      (line, length) = ("", 0)
      room = width - indent
    }
    line += (line.isEmpty ? "" : " ") + word
    length += count + (length > 0 ? 1 : 0)
  }
  let margin = String(repeating: " ", count: indent)
  return (lines + [line]).enumerated().map { $0 == 0 ? $1 : margin + $1 }
}
