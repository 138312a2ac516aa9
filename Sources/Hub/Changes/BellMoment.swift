public import CivilTime

extension Bell.Words {
  /// An event's title, or what pages show for one that has none.
  public static func title(_ title: String) -> Bell.Words {
    title.isEmpty ? Bell.Words("(no title)", german: "(ohne Titel)") : Bell.Words(title, german: title)
  }

  /// A moment as short as it is clear, on the clock of a place: "18:00" today, "Tue 18:00" within six days, "Tue 24 Nov
  /// 18:00" after that, and with its year where the day alone might be another year's.
  /// - Parameters:
  ///   - instant: seconds since 1970.
  ///   - isAllDay: true to leave the time out.
  public static func moment(_ instant: Int, now: Int, zone: Zone, isAllDay: Bool = false) -> Bell.Words {
    let (wall, today) = (zone.wall(at: instant), zone.wall(at: now).dayNumber)
    let time = isAllDay ? "" : " " + timeOfDay(wall.secondOfDay)
    if wall.dayNumber == today { return isAllDay ? Bell.Words("today", german: "heute") : Bell.Words(time, time) }
    let date = wall.date
    let (english, german) = (englishDays[date.weekday - 1], germanDays[date.weekday - 1])
    if (1...6).contains(wall.dayNumber - today) { return Bell.Words(english + time, german + time) }
    let year = abs(wall.dayNumber - today) > 300 ? " \(date.year)" : ""
    return Bell.Words(
      "\(english) \(date.day) \(englishMonths[date.month - 1])\(year)\(time)",
      "\(german) \(date.day). \(germanMonths[date.month - 1])\(year)\(time)")
  }

  /// A day in UTC with its year: "20 Dec 2026".
  /// - Parameter instant: seconds since 1970.
  public static func day(_ instant: Int) -> Bell.Words {
    let date = Zone.utc.wall(at: instant).date
    return Bell.Words(
      "\(date.day) \(englishMonths[date.month - 1]) \(date.year)",
      "\(date.day). \(germanMonths[date.month - 1]) \(date.year)")
  }

  private init(_ english: String, _ german: String) {
    self.init(Self.trimmed(english), german: Self.trimmed(german))
  }

  private static func trimmed(_ text: String) -> String { String(text.drop { $0 == " " }) }

  private static let englishDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let germanDays = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]
  private static let englishMonths = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let germanMonths = [
    "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.", "Dez.",
  ]
}
