import Glibc

/// The cost of guessing a passphrase of a file, where nobody counts the tries.
struct PassphraseCost {
  /// Seconds of one core for one guess: 600,000 rounds, measured in a browser.
  static let guessSeconds = 0.081
  let characters: Int
  /// The kinds of characters that it is made of, in words, and how many there are.
  private let kinds: (name: String, count: Int)

  init(_ passphrase: String) {
    characters = passphrase.count
    let ascii = passphrase.unicodeScalars
    kinds =
      if ascii.allSatisfy({ ("0"..."9").contains($0) }) {
        ("digits", 10)
      } else if ascii.allSatisfy({ ("a"..."z").contains($0) }) {
        ("small letters", 26)
      } else if ascii.allSatisfy({ ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0) }) {
        ("letters and digits", 62)
      } else {
        ("characters of a keyboard", 95)
      }
  }

  /// Seconds that one core needs for all that could stand in its place.
  var seconds: Double { pow(Double(kinds.count), Double(characters)) * Self.guessSeconds }

  /// The reason for which it is refused; nil if it is long enough.
  var refusal: String? {
    guard characters < ExportLimits.passphrase else { return nil }
    return """
      \(ExportLimits.passphrase) characters or more are accepted, not \(characters). A file is guessed at home, where \
      nobody counts the tries: all that \(characters) \(kinds.name) can be take one processor core \
      \(Self.text(seconds)), and a thousand rented ones \(Self.text(seconds / 1_000)). Four words that do not belong \
      together are long enough and easy to keep. A PIN is for links, where the hub counts.
      """
  }

  /// "14 minutes".
  static func text(_ seconds: Double) -> String {
    let units: [(name: String, seconds: Double)] = [
      ("second", 1), ("minute", 60), ("hour", 3_600), ("day", 86_400), ("year", 31_557_600),
      ("thousand years", 3.15576e10), ("million years", 3.15576e13),
    ]
    let unit = units.last { seconds >= $0.seconds * 1.5 } ?? units[0]
    let count = min(max(1, (seconds / unit.seconds).rounded()), 1e9)
    if count == 1, unit.seconds == 1 { return "a second" }
    return "\(Int(count)) \(unit.name)\(count == 1 || unit.name.hasSuffix("s") ? "" : "s")"
  }
}
