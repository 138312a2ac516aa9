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

  static let all = [folders, googleBase]
}

extension Hub {
  /// The absolute paths of folders that calendars may be read from.
  var calendarFolders: [String] {
    [dataFolder] + options["calendar_folders"].split(separator: ":").map(String.init)
  }

  /// The Google Calendar API's address, without a slash at its end.
  var googleCalendarBase: String {
    var base = options["google_calendar_base"]
    while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
    return base
  }
}
