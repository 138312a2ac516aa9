import Hub
import Settings

/// Options for calendars that the machine's owner sets, in addition to the settings on the page.
enum CalendarOptions {
  private static let folders = Setting(
    "calendar_folders", "DIR:DIR", fallback: "",
    help: "folders beside the data folder that calendars may be read from")
  private static let googleBase = Setting(
    "google_calendar_base", "URL", fallback: "https://www.googleapis.com/calendar/v3",
    help: "where the Google Calendar API is"
  ) { value throws(SettingsError) in
    guard value.hasPrefix("https://") || value.hasPrefix("http://") else {
      throw SettingsError(
        "google_calendar_base: \"\(value)\"; an address that begins with https:// or http:// is accepted.")
    }
  }

  static let tonightAt = daily("programme_tonight_at", fallback: "16:00", "what is on tonight")
  static let newsAt = daily("programme_news_at", fallback: "10:00", "what is new in the programme")

  /// A time of day at which something rings.
  private static func daily(_ name: String, fallback: String, _ what: String) -> Setting {
    Setting(
      name, "HH:MM", fallback: fallback, help: "when \(what) rings those who have subscribed to it; off for never"
    ) { value throws(SettingsError) in
      guard DailyTime(value) != nil else {
        throw SettingsError("\(name): \"\(value)\"; a time such as \(fallback), or off, is accepted.")
      }
    }
  }

  static let all = [folders, googleBase, tonightAt, newsAt]
}

extension Hub {
  /// The absolute paths of folders that calendars may be read from.
  var calendarFolders: [String] {
    [dataFolder] + options["calendar_folders"].split(separator: ":").map(String.init)
  }

  /// When what is on tonight rings: "HH:MM" or "off", as owners have chosen or else as the option says.
  func tonightAt(_ chosen: RingTimes) -> String { chosen.tonight ?? options[CalendarOptions.tonightAt.name] }

  /// The same for what is new.
  func newsAt(_ chosen: RingTimes) -> String { chosen.news ?? options[CalendarOptions.newsAt.name] }

  /// The Google Calendar API's address, without a slash at its end.
  var googleCalendarBase: String {
    var base = options["google_calendar_base"]
    while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
    return base
  }
}
