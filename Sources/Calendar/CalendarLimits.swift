import CivilTime

/// How much of a calendar is taken. Calendars come from other people's servers, so everything in them has an end; past
/// a limit there is an error or a warning that says so.
public enum CalendarLimits {
  /// Bytes of a calendar file. A club's calendar of ten years has about 2 MB.
  public static let bytes = 20_000_000

  /// Events that a page of Google's answer may have; it has fewer at will.
  public static let googlePage = 2500

  /// Values of the JSON of such a page: each event with 60 guests, of whom six things are said.
  static let googleValues = 1_000_000

  /// Pages of one answer of Google's. Of the smallest that it usually makes, 250 events, 200 hold the most events.
  public static let googlePages = 500

  /// Seconds for all pages of one answer of Google's.
  static let googleSeconds = 600.0

  /// VEVENT components of a calendar.
  public static let events = 50_000

  /// Components inside one another; VCALENDAR, VEVENT, VALARM are three.
  static let depth = 16

  /// Properties of one event that are read.
  public static let properties = 25_000

  /// Values of one event's RDATE or EXDATE properties together.
  static let dates = 20_000

  /// Bytes of an event's description, before it is cleaned.
  static let descriptionBytes = 100_000

  /// Bytes of a title, a place, an address or a UID.
  public static let lineBytes = 4_000

  /// Warnings of one calendar that are kept in full; the rest are counted.
  static let warnings = 100

  /// Bytes of a RRULE. The longest that programs write list a year's days and have fewer than 1,500.
  static let ruleBytes = 2_000

  /// INTERVAL and COUNT of a RRULE. Every day for 100 years are 36,525.
  static let interval = 1_000
  static let count = 50_000

  /// Times of a day that a RRULE lists (BYHOUR, BYMINUTE and BYSECOND together). Every quarter of an hour are 96.
  static let times = 100

  /// Occurrences of one series in one answer. Every half hour for a year are 17,520.
  public static let occurrencesPerSeries = 20_000

  /// Occurrences in one answer, unless who asks wants fewer.
  public static let occurrences = 1_000_000

  /// What the rules of one series may cost in one answer. A step is what libical takes for one time that it looks at
  /// and leaves out, about 1.5 microseconds; all else is counted in steps too: see `RecurrencePlan`.
  public static let stepsPerSeries = 150_000

  /// The same for all series of all calendars of an answer: about a second.
  public static let steps = 700_000

  /// Years of the times that are taken. Whatever the zone, their instants stay within the years 0…9999 that dates on
  /// the wire have.
  public static let years = 1...9998

  /// The same in seconds on a wall.
  static let walls = ClosedRange(
    uncheckedBounds: (
      WallTime(date: CivilDate(year: years.lowerBound, month: 1, day: 1), secondOfDay: 0).seconds,
      WallTime(date: CivilDate(year: years.upperBound, month: 12, day: 31), secondOfDay: secondsPerDay - 1).seconds
    ))

  /// Days of the longest event: 100 years.
  static let longestEventDays = 36_525

  /// The same in exact seconds. A clock that jumps in between makes days on the wall longer; since every offset is less
  /// than a day, by less than two days.
  static let longestEventSeconds = (longestEventDays + 2) * secondsPerDay

  /// The last year for which the rules of an embedded VTIMEZONE are worked out.
  static let lastYearOfEmbeddedZones = 2150

  /// Transitions of an embedded VTIMEZONE; two a year from 1601 on are 1,098.
  static let transitions = 5_000

  /// Bytes of a calendar to subscribe to, before it is compressed: what we would take ourselves.
  public static let feedBytes = 20 << 20

  /// Days before and after today whose occurrences are in it where a series cannot be told as one.
  static let feedPastDays = 92
  static let feedDays = 366

  /// How often programs that subscribe are asked to look (RFC 5545 section 3.3.6).
  static let feedRefresh = "PT1H"

  /// Seconds between two looks at a calendar.
  public static let refreshSeconds = 300.0

  /// Seconds between two looks at one that keeps failing, at most: whoever mends it in the morning sees it by noon.
  public static let longestPause = 6 * 3600.0

  /// Seconds that a server may ask to be left alone for.
  public static let longestRetryAfter = 24 * 3600.0
}
