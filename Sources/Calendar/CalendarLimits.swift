import CivilTime

/// The limits of this module. Calendars come from other people's servers, so everything in them is bounded; past a
/// limit there is an error or a warning.
public enum CalendarLimits {
  /// Bytes of a calendar file. A club's calendar of ten years has about 2 MB.
  public static let bytes = 20_000_000

  /// Events of a page that Google is asked for; pages may have fewer.
  public static let googlePage = 2500

  /// JSON values of such a page: each event with 60 guests of six values each.
  static let googleValues = 1_000_000

  /// Pages of one response of Google's: at its usual smallest of 250 events, 200 pages have the most events allowed.
  public static let googlePages = 500

  /// Seconds for all pages of one response of Google's, and for all that a CalDAV server is asked in one look.
  static let lookSeconds = 600.0

  /// Events whose files are asked for at once at a CalDAV server, and parts in which it may tell what has changed.
  static let calDAVBatch = 100
  static let calDAVParts = 100

  /// Bytes of all its answers in one look: those of the largest calendar have two thirds beside the events' files.
  static let calDAVBytes = 3 * bytes

  /// VEVENT components of a calendar.
  public static let events = 50_000

  /// Depth of nested components; VCALENDAR, VEVENT, VALARM are three.
  static let depth = 16

  /// Properties of one event.
  public static let properties = 25_000

  /// Zones of one event that are told as unknown.
  static let zonesOfEvent = 4

  /// Links of one event to files, besides its URL; a flyer or two in life.
  static let attachments = 10

  /// Values of one event's RDATE or EXDATE properties together.
  static let dates = 20_000

  /// Bytes of an event's description, before it is sanitised.
  static let descriptionBytes = 100_000

  /// Bytes of a title, a place, an address or a UID.
  public static let lineBytes = 4_000

  /// Bytes of a title, an identifier, a rule or a value that a warning repeats.
  static let namedBytes = 100

  /// Warnings of one calendar that are kept in full; further ones are counted.
  static let warnings = 100

  /// Bytes of an RRULE. The longest that programs write list a year's days and have fewer than 1,500.
  static let ruleBytes = 2_000

  /// INTERVAL and COUNT of an RRULE; by the hour and less, any INTERVAL. Every day for 100 years are 36,525.
  static let interval = 1_000
  static let count = 50_000

  /// Days in which a rule without a zone has to name another one: 29 February on a Monday comes within 40 years.
  static let dayRuleDays = 41 * 366

  /// Times of a day that an RRULE lists (BYHOUR, BYMINUTE and BYSECOND together): every minute.
  static let times = 1_440

  /// Occurrences of one series in one answer. One every half hour for a year makes 17,520.
  public static let occurrencesPerSeries = 20_000

  /// The same where a rule repeats by the hour or less: every hour for six weeks. Such a rule is nearly always a
  /// mistake of a program's, and would fill the answer of all others.
  public static let subdailyOccurrences = 1_000

  /// Occurrences that are worked out for an answer before the largest series are shortened: as many as twenty calendars
  /// have if each fills an answer.
  static let workedOut = 400_000

  /// Occurrences in one answer, unless its caller sets a lower limit.
  public static let occurrences = 1_000_000

  /// The cost of one series' rules in one answer, in steps. A step is the time that libical takes for one candidate
  /// that it skips, about 1.5 microseconds; all other work is counted in steps too: see `RecurrencePlan`.
  public static let stepsPerSeries = 150_000

  /// The cost of all series of all calendars in one answer, in steps: about a second.
  public static let steps = 700_000

  /// Years that times may be in. In every zone, their instants stay within the years 0…9999 of the date formats.
  public static let years = 1...9998

  /// The same as seconds of wall time.
  static let walls = ClosedRange(
    uncheckedBounds: (
      WallTime(date: CivilDate(year: years.lowerBound, month: 1, day: 1), secondOfDay: 0).seconds,
      WallTime(date: CivilDate(year: years.upperBound, month: 12, day: 31), secondOfDay: secondsPerDay - 1).seconds
    ))

  /// Days of the longest event: 100 years.
  static let longestEventDays = 36_525

  /// The same as exact seconds. Jumps of the clock in between make days longer; since every offset is less than a day,
  /// by less than two days.
  static let longestEventSeconds = (longestEventDays + 2) * secondsPerDay

  /// The last year to which the rules of an embedded VTIMEZONE are expanded.
  static let lastYearOfEmbeddedZones = 2150

  /// Transitions of an embedded VTIMEZONE; two a year from 1601 on are 1,098.
  static let transitions = 5_000

  /// Bytes of a calendar feed, before compression: as large as the files accepted from others.
  public static let feedBytes = 20 << 20

  /// Days before and after today whose occurrences are in a feed, for a series that cannot be written as one.
  static let feedPastDays = 92
  static let feedDays = 366

  /// The interval at which subscribers are asked to refresh (RFC 5545 section 3.3.6).
  static let feedRefresh = "PT1H"

  /// Seconds between two looks at a calendar.
  public static let refreshSeconds = 300.0

  /// The longest pause, in seconds, between two looks at a calendar that keeps failing: whoever repairs it in the
  /// morning sees it by noon.
  public static let longestPause = 6 * 3600.0

  /// The longest Retry-After of a server that is obeyed, in seconds.
  public static let longestRetryAfter = 24 * 3600.0
}
