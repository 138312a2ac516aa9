import CIcal
import CivilTime

/// libical's form of a rule, with its lists as arrays.
struct LibicalRule {
  private(set) var rule: icalrecurrencetype
  /// True if it uses the Gregorian calendar (not another one by RFC 7529).
  let isGregorian: Bool

  init(_ text: String) {
    rule = icalrecurrencetype_from_string(text)
    isGregorian =
      (rule.rscale.map { uppercased(ArraySlice(String(cString: $0).utf8)) == "GREGORIAN" } ?? true)
      && rule.skip == ICAL_SKIP_OMIT
    icalmemory_free_buffer(rule.rscale)
    rule.rscale = nil
  }

  var frequency: icalrecurrencetype_frequency { rule.freq }
  var interval: Int { Int(rule.interval) }
  var count: Int { Int(rule.count) }
  var until: icaltimetype { rule.until }
  /// 1 Monday … 7 Sunday.
  var weekStart: Int { isoWeekday(rule.week_start) }

  var months: [Int16] {
    get { list(rule.by_month) }
    set { set(&rule.by_month, newValue) }
  }
  var weeks: [Int16] {
    get { list(rule.by_week_no) }
    set { set(&rule.by_week_no, newValue) }
  }
  var yearDays: [Int16] {
    get { list(rule.by_year_day) }
    set { set(&rule.by_year_day, newValue) }
  }
  var monthDays: [Int16] {
    get { list(rule.by_month_day) }
    set { set(&rule.by_month_day, newValue) }
  }
  /// In libical's encoding: weekday and position in one number.
  var days: [Int16] {
    get { list(rule.by_day) }
    set { set(&rule.by_day, newValue) }
  }
  var hours: [Int16] {
    get { list(rule.by_hour) }
    set { set(&rule.by_hour, newValue) }
  }
  var minutes: [Int16] {
    get { list(rule.by_minute) }
    set { set(&rule.by_minute, newValue) }
  }
  var seconds: [Int16] {
    get { list(rule.by_second) }
    set { set(&rule.by_second, newValue) }
  }
  var positions: [Int16] {
    get { list(rule.by_set_pos) }
    set { set(&rule.by_set_pos, newValue) }
  }

  /// An iterator without COUNT and UNTIL, whose rules are applied here: libical continues to `last`.
  func iterator(from start: icaltimetype, to last: icaltimetype) -> OpaquePointer? {
    var rule = rule
    rule.count = 0
    rule.until = last
    return icalrecur_iterator_new(rule, start)
  }

  /// True if the rule's months and days of the month have a day that exists.
  var hasDays: Bool {
    if !months.allSatisfy({ (1...12).contains($0) }) { return false }
    let months = months.isEmpty ? Array(1...12) : months
    return monthDays.isEmpty
      || months.contains { month in
        monthDays.contains { abs(Int($0)) <= CivilDate.days(inMonth: Int(month), of: 2000) }
      }
  }

  /// Keeps each value of a list once: libical goes through all of them in every period. A list of the greatest length
  /// has no end mark.
  mutating func removeDuplicates() {
    months = unique(months)
    weeks = unique(weeks)
    yearDays = unique(yearDays)
    monthDays = unique(monthDays)
    days = unique(days)
    hours = unique(hours)
    minutes = unique(minutes)
    seconds = unique(seconds)
    positions = unique(positions)
  }

  private func unique(_ list: [Int16]) -> [Int16] { list.count < 2 ? list : Set(list).sorted() }

  /// libical's array, imported as a tuple, up to its end mark ICAL_RECURRENCE_ARRAY_MAX.
  private func list<Numbers>(_ numbers: Numbers) -> [Int16] {
    withUnsafeBytes(of: numbers) { bytes in
      let all = bytes.assumingMemoryBound(to: Int16.self)
      return Array(all.prefix { $0 != LibicalRule.end })
    }
  }

  private func set<Numbers>(_ numbers: inout Numbers, _ list: [Int16]) {
    withUnsafeMutableBytes(of: &numbers) { bytes in
      let all = bytes.assumingMemoryBound(to: Int16.self)
      let count = min(list.count, all.count - 1)
      for index in 0..<count { all[index] = list[index] }
      all[count] = LibicalRule.end
    }
  }

  private static let end = Int16(ICAL_RECURRENCE_ARRAY_MAX.rawValue)
}

/// The weekday as 1 Monday … 7 Sunday, from libical's 1 Sunday … 7 Saturday.
func isoWeekday(_ day: icalrecurrencetype_weekday) -> Int { (Int(day.rawValue) + 5) % 7 + 1 }

/// libical's weekday, as in BYDAY.
func libicalWeekday(_ isoWeekday: Int) -> Int16 { Int16(isoWeekday % 7 + 1) }
