/// Opening hours in the common forms of OpenStreetMap's `opening_hours`: days, lists and ranges of days, the nth
/// weekday of a month, times past midnight and open ends, `off`, and `24/7`. A later rule replaces earlier ones on the
/// days that it names.
///
/// A text with anything else is not parsed: it is shown as it is.
package struct OpeningHours: Equatable, Sendable {
  package struct Span: Hashable, Sendable {
    /// 1 Monday … 7 Sunday.
    package var weekday: Int
    /// Minutes since that day's midnight; `to` is more than 1,440 if it is on the next day.
    package var from: Int
    package var to: Int
    /// True without a fixed end; `to` is the end of the day then.
    package var isOpenEnded = false
    /// The weekday's occurrences in the month, -1 for the last one; empty for all.
    package var weeks: [Int] = []
  }

  /// Sorted by weekday and time.
  package private(set) var spans: [Span] = []

  package static let minutesPerDay = 24 * 60
  private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  /// The most rules of one text.
  private static let longest = 50

  private typealias Times = [(from: Int, to: Int, isOpenEnded: Bool)]
  private typealias Days = [(weekday: Int, weeks: [Int])]

  package init?(_ text: String) {
    let rules = text.split(separator: ";").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
    guard !rules.isEmpty, rules.count <= Self.longest else { return nil }
    for rule in rules {
      guard read(rule) else { return nil }
    }
    spans.sort { ($0.weekday, $0.from, $0.to) < ($1.weekday, $1.from, $1.to) }
  }

  /// A later rule replaces an earlier one for the days that it names.
  private mutating func read(_ rule: String) -> Bool {
    let everyDay: Days = (1...7).map { ($0, []) }
    var rest = Substring(rule)
    if rest == "24/7" {
      spans = everyDay.map { Span(weekday: $0.weekday, from: 0, to: Self.minutesPerDay) }
      return true
    }
    var days = everyDay
    if let first = rest.first, !first.isNumber, !["off", "closed"].contains(rest) {
      let end = Self.endOfDays(rest)
      guard let named = Self.days(rest[..<end]) else { return false }
      days = named
      rest = rest[end...].drop { $0 == " " || $0 == ":" }
    }
    if rest == "off" || rest == "closed" { return days.allSatisfy { remove($0) } }
    if rest.isEmpty { rest = "00:00-24:00" }
    guard let times = Self.times(rest) else { return false }
    for day in days {
      guard remove(day) else { return false }
      spans += times.map {
        Span(weekday: day.weekday, from: $0.from, to: $0.to, isOpenEnded: $0.isOpenEnded, weeks: day.weeks)
      }
    }
    return true
  }

  /// Removes what earlier rules say of a day: "Th[-1]" leaves them the other Thursdays of a month.
  /// - Returns: false if no list of weeks says what is left.
  private mutating func remove(_ day: Days.Element) -> Bool {
    for index in spans.indices.reversed() where spans[index].weekday == day.weekday {
      guard let left = Self.left(of: spans[index].weeks, without: day.weeks) else { return false }
      if left.isEmpty { spans.remove(at: index) } else { spans[index].weeks = left }
    }
    return true
  }

  /// A weekday's occurrence in a month, counted from its start and, negative, from its end.
  typealias Occurrence = (fromStart: Int, fromEnd: Int)
  /// A month has each weekday four or five times.
  private static let occurrences: [Occurrence] = (4...5).flatMap { count in
    (1...count).map { (fromStart: $0, fromEnd: $0 - count - 1) }
  }

  /// True if an occurrence is one of these weeks.
  static func isIn(_ weeks: [Int], _ one: Occurrence) -> Bool {
    weeks.isEmpty || weeks.contains(one.fromStart) || weeks.contains(one.fromEnd)
  }

  /// The weeks without others: the numbers of a month's occurrences all of which are left, from the start, from the
  /// end, or of both. Empty if none is left; nil if no such numbers say it: the fourth unless it is the last.
  private static func left(of weeks: [Int], without others: [Int]) -> [Int]? {
    if others.isEmpty { return [] }
    func isLeft(_ one: Occurrence) -> Bool { isIn(weeks, one) && !isIn(others, one) }
    let rest = occurrences.filter(isLeft)
    if rest.isEmpty { return [] }
    let whole = [1, 2, 3, 4, 5, -5, -4, -3, -2, -1].filter { week in
      occurrences.filter { isIn([week], $0) }.allSatisfy(isLeft)
    }
    return [whole.filter { $0 > 0 }, whole.filter { $0 < 0 }, whole].first { weeks in
      !weeks.isEmpty && rest.allSatisfy { isIn(weeks, $0) }
    }
  }

  /// The end of the days, where a time or a word begins: after the first space that does not follow a comma.
  private static func endOfDays(_ text: Substring) -> Substring.Index {
    var index = text.startIndex
    while index < text.endIndex {
      let before = text[..<index].last
      if text[index] == " ", before != ",", before != "-" { return index }
      index = text.index(after: index)
    }
    return index
  }

  /// Parses "Mo-Fr", "Tu,Th", "Sa[1,3]", "Fr-Mo", and "PH", which is not a weekday.
  private static func days(_ text: Substring) -> Days? {
    var days: Days = []
    var parts: [String] = []
    var depth = 0
    for character in text where character != " " {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if parts.isEmpty || (character == "," && depth == 0) { parts.append("") }
      if character != "," || depth > 0 { parts[parts.count - 1].append(character) }
    }
    for part in parts {
      if part == "PH" || part == "SH" { continue }
      if let bracket = part.firstIndex(of: "[") {
        guard part.hasSuffix("]"), let weekday = weekday(part[..<bracket]) else { return nil }
        let numbers = part[part.index(after: bracket)...].dropLast().split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { (-5...5).contains($0) && $0 != 0 } ?? false }) else {
          return nil
        }
        days.append((weekday, numbers.compactMap { $0 }))
      } else {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { weekday($0) }
        guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else { return nil }
        var day = first
        while true {
          days.append((day, []))
          if day == last { break }
          day = day % 7 + 1
        }
      }
    }
    return days
  }

  private static func weekday(_ text: Substring) -> Int? {
    names.firstIndex { $0.lowercased() == text.lowercased() }.map { $0 + 1 }
  }

  /// Parses "18:00-23:00", "10:00-12:00,14:00-18:00", "20:00-02:00", "18:00+".
  private static func times(_ text: Substring) -> Times? {
    var times: Times = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = part.filter { $0 != " " }
      if part.hasSuffix("+"), let from = minute(part.dropLast()), from < minutesPerDay {
        times.append((from, minutesPerDay, true))
        continue
      }
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      let isOpenEnded = part.hasSuffix("+")
      guard ends.count == 2, let from = minute(ends[0]), from < minutesPerDay,
        let to = minute(isOpenEnded ? ends[1].dropLast() : ends[1])
      else { return nil }
      times.append((from, to > from ? to : to + minutesPerDay, isOpenEnded))
    }
    return times
  }

  /// The minutes of "9:00" or "24:00", up to OpenStreetMap's "26:00".
  private static func minute(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), hour <= 26, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
