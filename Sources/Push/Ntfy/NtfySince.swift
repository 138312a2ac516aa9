/// Which of the messages that were sent before are asked for (`since=`).
public enum NtfySince: Equatable, Sendable {
  case none
  case all
  case latest
  /// Seconds since 1970.
  case time(Double)
  /// All behind this message.
  case id(Int)

  /// Seconds since 1970 above which a number is a message's id, which counts microseconds: the year 33658.
  private static let firstID = 1_000_000_000_000

  /// - Parameters:
  ///   - text: nil without the parameter.
  ///   - isPoll: true if what there is is all that is asked for: then it is all of it, unless said otherwise.
  ///   - now: seconds since 1970.
  public init(_ text: String?, isPoll: Bool, now: Double) throws(NtfyFault) {
    guard let text, !text.isEmpty else {
      self = isPoll ? .all : .none
      return
    }
    switch text {
    case "all": self = .all
    case "none": self = .none
    case "latest": self = .latest
    default:
      if let number = Int(text), number >= 0 {
        self = number >= Self.firstID ? .id(number) : .time(Double(number))
      } else if let seconds = NtfyDuration.seconds(text) {
        self = .time(now - seconds)
      } else if text.utf8.count == 12, TopicNames.isName(text) {
        // A message's id of another server, from which the client has moved: as with ntfy, an unknown one means all.
        self = .all
      } else {
        throw .since(text)
      }
    }
  }
}

/// Durations such as "30m", "1h30m" and "3 hours".
enum NtfyDuration {
  private static let units: [String: Double] = [
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60, "minute": 60,
    "minutes": 60, "h": 3_600, "hour": 3_600, "hours": 3_600, "d": 86_400, "day": 86_400, "days": 86_400,
    "w": 604_800, "week": 604_800, "weeks": 604_800, "ms": 0.001,
  ]

  /// Nil for anything else.
  static func seconds(_ text: String) -> Double? {
    var sum = 0.0
    var rest = NtfyWords.trimmed(text).lowercased()[...]
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard number.count <= 9, let count = Double(number) else { return nil }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let word = rest.prefix { $0.isASCII && $0.isLetter }
      guard let unit = units[String(word)] else { return nil }
      sum += count * unit
      rest = rest.dropFirst(word.count).drop { $0 == " " }
    }
    return sum
  }
}
