public import CivilTime
public import Wire

/// What an event says about itself, without its times. A class, so that a thousand occurrences share one.
public final class EventDetails: Sendable {
  public let uid: String
  public let title: String
  public let location: String?
  /// Where it is on Earth, if the calendar says so.
  public let place: GeographicPlace?
  /// http or https only.
  public let url: String?
  /// Cleaned: see `cleanDescription`.
  public let descriptionHTML: String
  public let status: EventStatus
  public let sequence: Int
  /// When it was last changed, in seconds since 1970; 0 where nobody says.
  public let modified: Int
  /// Bytes of all these texts in UTF-8 but the UID: what an answer grows by with each occurrence.
  public let byteCount: Int

  /// Of an event about which nothing may be said.
  static let none = EventDetails(uid: "", title: "")

  public init(
    uid: String, title: String, location: String? = nil, place: GeographicPlace? = nil, url: String? = nil,
    descriptionHTML: String = "", status: EventStatus = .confirmed, sequence: Int = 0, modified: Int = 0
  ) {
    self.uid = uid
    self.title = title
    self.location = location
    self.place = place
    self.url = url
    self.descriptionHTML = descriptionHTML
    self.status = status
    self.sequence = sequence
    self.modified = modified
    byteCount =
      title.utf8.count + (location?.utf8.count ?? 0) + (url?.utf8.count ?? 0) + descriptionHTML.utf8.count
  }
}

/// GEO of a VEVENT, in degrees of WGS 84.
public struct GeographicPlace: Equatable, Sendable {
  public let latitude: Double
  public let longitude: Double

  /// Nil for what is nowhere on Earth. 0, 0 in the sea is what programs write that do not know.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), latitude != 0 || longitude != 0 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// STATUS of a VEVENT; without one, an event is confirmed.
public enum EventStatus: String, Sendable {
  case confirmed, tentative, cancelled
}

/// A calendar that has been read: values only, ready to be expanded.
public struct ParsedCalendar: Sendable {
  /// X-WR-CALNAME, or NAME (RFC 7986).
  public let name: String?
  public let series: [Series]
  /// What could not be used; the reasons name the event.
  public let problems: [Reason]
  /// The same, in sentences.
  public var warnings: [String] { problems.map(\.text) }
  /// The home zone: floating times are on its wall, days begin at its midnight.
  public let zone: Zone
  private let idCache = SeriesIDCache()

  init(name: String?, series: [Series], problems: [Reason], zone: Zone) {
    self.name = name
    self.series = series
    self.problems = problems
    self.zone = zone
  }

  func ids(calendarID: String) -> SeriesIDs { idCache.ids(calendarID: calendarID, of: series) }
}

/// All that a calendar says under one UID: an event, its recurrence, and the occurrences that are different.
public struct Series: Sendable {
  public let uid: String
  /// Missing when a calendar holds nothing but different occurrences of it.
  let master: Master?
  /// Ascending by key, each key once.
  let overrides: [Override]
  /// The overrides with RANGE=THISANDFUTURE, ascending by key.
  let following: [Override]

  /// Whether there can be several occurrences.
  public var isRecurring: Bool { master?.isRecurring ?? true }

  var title: String { master?.event.details.title ?? overrides.first?.event.details.title ?? "" }
}

/// An event with its time, as one VEVENT has it.
struct Event: Sendable {
  var details: EventDetails
  var start: CalendarTime
  var length: EventLength
}

/// How long an event takes.
enum EventLength: Sendable {
  /// Days of an all-day event, at least 1.
  case days(Int)
  /// RFC 5545 section 3.8.5.3: what DTEND says is exact and the same for every occurrence, …
  case exact(seconds: Int)
  /// … while a DURATION's days are days on the wall.
  case nominal(days: Int, seconds: Int)

  /// At least as many seconds as the event ever takes.
  var longest: Int {
    switch self {
    case .days(let days): (days + 1) * secondsPerDay
    case .exact(let seconds): seconds
    // Embedded zones may jump by almost two days.
    case .nominal(let days, let seconds): (days + 2) * secondsPerDay + seconds
    }
  }
}

struct Master: Sendable {
  var event: Event
  var rules: [RecurrenceExpansion]
  /// RDATE.
  var additions: [Addition]
  /// EXDATE with a time: keys, ascending.
  var excludedKeys: [Int]
  /// EXDATE with a date: day numbers, ascending. They exclude whatever begins on that day on the event's wall.
  var excludedDays: [Int]
  /// Whether the start itself is no occurrence, since the rule ends before it.
  var isStartExcluded = false

  var isRecurring: Bool { !rules.isEmpty || !additions.isEmpty }
  var hasExclusions: Bool { !excludedKeys.isEmpty || !excludedDays.isEmpty }
}

/// One value of RDATE: a start, and for a PERIOD a length of its own.
struct Addition: Sendable {
  var start: CalendarTime
  var length: EventLength?
}

/// A VEVENT with a RECURRENCE-ID: one occurrence, or all from one on, that are different.
struct Override: Sendable {
  /// Which occurrence it replaces: see `CalendarTime.key`.
  var key: Int
  /// The original start, on the master's wall.
  var wall: WallTime
  /// Whether the key is a day number.
  var isDate: Bool
  var event: Event
  var isThisAndFuture: Bool
  /// Whether it is private: the occurrences that it replaces are not shown, and neither is what replaces them.
  var isHidden = false

  /// How far it moves what it replaces, in seconds on the wall. Of an all-day change that is off by less than a day:
  /// see `moved`.
  var shift: Int { event.start.wall.seconds - wall.seconds }

  /// Where a later occurrence, at a wall time of the master, begins with this change. An all-day event begins at
  /// midnight, whatever time its series has, and so moves by days.
  func moved(_ later: WallTime) -> WallTime {
    guard event.start.isDate else { return WallTime(seconds: later.seconds + shift) }
    let day = later.dayNumber + event.start.wall.dayNumber - wall.dayNumber
    return WallTime(seconds: day * secondsPerDay)
  }
}
