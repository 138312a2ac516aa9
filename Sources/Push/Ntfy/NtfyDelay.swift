public import CivilTime

/// The time at which a message is to be sent, in words: "30m", "tomorrow, 10am", "Tuesday, 7am", or seconds since 1970.
public enum NtfyDelay {
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - zone: the hub's, in which times of day are meant.
  /// - Returns: seconds since 1970, after `now`.
  public static func instant(_ text: String, now: Double, zone: Zone) throws(NtfyFault) -> Double {
    guard text.utf8.count <= NtfyLimits.delayBytes, let at = moment(text, now: now, zone: zone) else {
      throw .delay(text)
    }
    guard at > now else { throw .delayPast }
    guard at <= now + NtfyLimits.delaySeconds else { throw .delayTooLarge }
    return at
  }

  private static func moment(_ text: String, now: Double, zone: Zone) -> Double? {
    if let number = Int(text) { return number >= 0 ? Double(number) : nil }
    if let seconds = NtfyDuration.seconds(text) { return now + seconds }
    var words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    if words.first == "in" { return NtfyDuration.seconds(words.dropFirst().joined(separator: " ")).map { now + $0 } }
    words.removeAll { $0 == "at" || $0 == "on" || $0 == "next" }
    return day(&words, now: now, zone: zone)
  }

  /// A day and a time of day, of which one may be missing: today, and at this time.
  private static func day(_ words: inout [String], now: Double, zone: Zone) -> Double? {
    let here = zone.wall(at: EpochSeconds(now))
    var second: Int?
    var ahead: Int?
    var isNamed = false
    // "10 am" is one time.
    if let index = words.firstIndex(where: { $0 == "am" || $0 == "pm" }), index > 0 {
      words[index - 1] += words.remove(at: index)
    }
    for word in words {
      if word == "today", ahead == nil {
        ahead = 0
      } else if word == "tomorrow", ahead == nil {
        ahead = 1
      } else if let weekday = weekday(word), ahead == nil {
        ahead = (weekday - here.date.weekday + 7) % 7
        isNamed = true
      } else if second == nil, let time = timeOfDay(word) {
        second = time
      } else {
        return nil
      }
    }
    guard !words.isEmpty, ahead != nil || second != nil else { return nil }
    func instant(_ days: Int) -> Double {
      let date = here.date.adding(days)
      return Double(zone.instant(of: WallTime(date: date, secondOfDay: second ?? here.secondOfDay)))
    }
    let at = instant(ahead ?? 0)
    // A time of day alone, and a day of the week, mean the next one.
    if at <= now, ahead == nil { return instant(1) }
    if at <= now, isNamed { return instant((ahead ?? 0) + 7) }
    return at
  }

  /// The day of the week, 1 for Monday; also by its first three letters or more.
  private static func weekday(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return weekdays.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  /// Seconds since midnight of "10am", "7:30pm", "19:30", "noon" and "midnight".
  private static func timeOfDay(_ word: String) -> Int? {
    if word == "noon" { return 12 * 3_600 }
    if word == "midnight" { return 0 }
    let isAfternoon = word.hasSuffix("pm")
    let isHalfDay = isAfternoon || word.hasSuffix("am")
    let parts = (isHalfDay ? word.dropLast(2) : word[...]).split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), isHalfDay || parts.count > 1,
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) } + [0, 0]
    var hour = numbers[0]
    guard numbers[1] < 60, numbers[2] < 60, isHalfDay ? (1...12).contains(hour) : hour < 24 else { return nil }
    if isHalfDay { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    return hour * 3_600 + numbers[1] * 60 + numbers[2]
  }
}
