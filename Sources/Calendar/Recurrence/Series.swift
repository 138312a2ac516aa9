public import CivilTime
public import Wire

/// The properties of an event without its times. A class, so that a thousand occurrences share one.
public final class EventDetails: Sendable {
  public let uid: String
  public let title: String
  public let location: String?
  /// The event's position, from GEO.
  public let place: GeographicPlace?
  /// http or https only.
  public let url: String?
  /// ATTACH: addresses of http or https.
  public let attachments: [String]
  /// Sanitised HTML: see `cleanDescription`.
  public let descriptionHTML: String
  public let status: EventStatus
  public let sequence: Int
  /// The time of the last change, in seconds since 1970; 0 if unknown.
  public let modified: Int
  /// Bytes of all texts except the UID in UTF-8: the size that each occurrence adds to an answer.
  public let byteCount: Int

  /// The empty details of a private event.
  static let none = EventDetails(uid: "", title: "")

  public init(
    uid: String, title: String, location: String? = nil, place: GeographicPlace? = nil, url: String? = nil,
    attachments: [String] = [], descriptionHTML: String = "", status: EventStatus = .confirmed, sequence: Int = 0,
    modified: Int = 0
  ) {
    self.uid = uid
    self.title = title
    self.location = location
    self.place = place
    self.url = url
    self.attachments = attachments
    self.descriptionHTML = descriptionHTML
    self.status = status
    self.sequence = sequence
    self.modified = modified
    byteCount =
      title.utf8.count + (location?.utf8.count ?? 0) + (url?.utf8.count ?? 0) + descriptionHTML.utf8.count
      + attachments.reduce(0) { $0 + $1.utf8.count }
  }
}

extension EventDetails {
  /// The same with the texts of another where it has none.
  func completed(by other: EventDetails) -> EventDetails {
    EventDetails(
      uid: uid, title: title.isEmpty ? other.title : title, location: location ?? other.location,
      place: place ?? other.place, url: url ?? other.url,
      attachments: attachments.isEmpty ? other.attachments : attachments,
      descriptionHTML: descriptionHTML.isEmpty ? other.descriptionHTML : descriptionHTML, status: status,
      sequence: sequence, modified: modified)
  }
}

/// GEO of a VEVENT, in degrees of WGS 84.
public struct GeographicPlace: Equatable, Sendable {
  public let latitude: Double
  public let longitude: Double

  /// Nil for a position that does not exist, and for 0, 0, which programs write for an unknown one.
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

/// A parsed calendar, ready to be expanded.
public struct ParsedCalendar: Sendable {
  /// X-WR-CALNAME, or NAME (RFC 7986).
  public let name: String?
  public let series: [Series]
  /// The faults of parts that were left out, each naming its event.
  public let problems: [Reason]
  /// The same as sentences.
  public var warnings: [String] { problems.map(\.text) }
  /// The home zone: floating times are in it, days begin at its midnight.
  public let zone: Zone
  private let idCache = SeriesIDCache()

  func ids(calendarID: String) -> SeriesIDs { idCache.ids(calendarID: calendarID, of: series) }
}

/// An event with its recurrence and its exceptions: all components of a calendar with one UID, unless several events
/// share it.
public struct Series: Sendable {
  let uid: String
  /// The text that its identifier is made of: the UID, or `EventComponent.ownUID`.
  let key: String
  /// Nil when a calendar has only exceptions of it.
  let master: Master?
  /// Ascending by key, each key once.
  let overrides: [Override]
  /// The overrides with RANGE=THISANDFUTURE, ascending by key.
  let following: [Override]

  /// True if there can be several occurrences.
  public var isRecurring: Bool { master?.isRecurring ?? true }

  var title: String { master?.event.details.title ?? overrides.first?.event.details.title ?? "" }
}

/// An event with its time, from one VEVENT.
struct Event: Sendable {
  var details: EventDetails
  var start: CalendarTime
  var length: EventLength
}

/// The length of an event.
enum EventLength: Sendable {
  /// Days of an all-day event, at least 1.
  case days(Int)
  /// The length to a DTEND, which is exact and the same for every occurrence (RFC 5545 section 3.8.5.3).
  case exact(seconds: Int)
  /// The length by a DURATION, whose days are calendar days.
  case nominal(days: Int, seconds: Int)

  /// An upper bound of the length in seconds.
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
  /// The values of RDATE.
  var additions: [Addition]
  /// The values of EXDATE with a time, as ascending keys.
  var excludedKeys: [Int]
  /// The values of EXDATE with a date, as ascending day numbers. They exclude all occurrences that begin on that day in
  /// the event's zone.
  var excludedDays: [Int]
  /// True if the start is no occurrence, since all rules end before it.
  var isStartExcluded = false

  var isRecurring: Bool { !rules.isEmpty || !additions.isEmpty }
  var hasExclusions: Bool { !excludedKeys.isEmpty || !excludedDays.isEmpty }
}

/// One value of RDATE: a start, and with a PERIOD a length of its own.
struct Addition: Sendable {
  var start: CalendarTime
  var length: EventLength?
}

/// A VEVENT with a RECURRENCE-ID: an exception for one occurrence, or for all from one on.
struct Override: Sendable {
  /// The occurrence that it replaces: see `CalendarTime.key`.
  var key: Int
  /// The original start as wall time of the master.
  var wall: WallTime
  /// True if the key is a day number.
  var isDate: Bool
  var event: Event
  var isThisAndFuture: Bool
  /// True for a private exception: neither the occurrences it replaces nor the exception are shown.
  var isHidden = false

  /// The seconds of wall time by which it moves occurrences. For an all-day exception this is off by less than a day:
  /// see `moved`.
  var shift: Int { event.start.wall.seconds - wall.seconds }

  /// The new start of a later occurrence (a wall time of the master) under this exception. An all-day event begins at
  /// midnight, whatever time its series has, and so moves by days.
  func moved(_ later: WallTime) -> WallTime {
    guard event.start.isDate else { return WallTime(seconds: later.seconds + shift) }
    let day = later.dayNumber + event.start.wall.dayNumber - wall.dayNumber
    return WallTime(seconds: day * secondsPerDay)
  }
}
