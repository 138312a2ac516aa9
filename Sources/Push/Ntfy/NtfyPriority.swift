/// ntfy's priorities, from 1 (no sound) to 5 (as loud as possible); without one, 3 counts.
enum NtfyPriority {
  private static let names = ["min": 1, "low": 2, "default": 3, "high": 4, "max": 5, "urgent": 5]

  /// Reads a number or a name.
  /// - Returns: nil for none: an empty text.
  static func read(_ text: String) throws(NtfyFault) -> Int? {
    let word = NtfyWords.trimmed(text).lowercased()
    if word.isEmpty { return nil }
    if let number = names[word] ?? Int(word), (1...5).contains(number) { return number }
    throw .priority(text)
  }

  /// The interruption level that a notification of the hub has for it; nil for the usual one.
  static func level(of priority: Int?) -> String? {
    switch priority {
    case 1, 2: "passive"
    case 4: "time-sensitive"
    case 5: "critical"
    default: nil
    }
  }

  /// The priority of a notification that was not sent in ntfy's manner.
  static func of(level: String?) -> Int? {
    switch level {
    case "passive": 2
    case "time-sensitive": 4
    case "critical": 5
    default: nil
    }
  }
}
