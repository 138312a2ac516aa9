public import CivilTime
import Wire

/// A calendar of the Google Calendar API, as built from its pages and later changes.
public struct GoogleCalendar: Equatable, Sendable {
  /// The calendar's name ("summary") and its own zone.
  public private(set) var name: String?
  public private(set) var zone: String?
  /// Events by identifier: a later page or change replaces an earlier version.
  private(set) var items: [String: JSON] = [:]

  public init() {}

  /// The version of the format of stored copies. A copy in another format is fetched anew.
  private static let format = 1

  // MARK: Pages

  /// Takes a page of events.list.
  public mutating func take(_ page: GooglePage) throws(CalendarError) {
    if let name = page.name { self.name = name }
    if let zone = page.zone { self.zone = zone }
    var gone: Set<String> = []
    for (id, item) in page.items {
      let isException = item["recurringEventId"]?.string != nil
      if !isException, item["status"]?.string == "cancelled" {
        items[id] = nil
        gone.insert(id)
      } else {
        items[id] = item
      }
      guard items.count <= CalendarLimits.events else { throw CalendarError.tooManyItems }
    }
    // Removing a series removes its exceptions.
    if !gone.isEmpty { items = items.filter { !gone.contains($0.value["recurringEventId"]?.string ?? "") } }
  }

  // MARK: The stored copy

  /// The form for the store; the same calendar always has the same bytes.
  public var bytes: [UInt8] {
    let json: JSON = [
      "google": .int(Self.format), "name": JSON(name), "zone": JSON(zone),
      "items": .array(items.keys.sorted().map { items[$0]! }),
    ]
    return json.bytes
  }

  /// Nil if the bytes are not a calendar in the current format.
  public init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, values: .max), json["google"]?.int == Self.format,
      let list = json["items"]?.array
    else { return nil }
    name = json["name"]?.string
    zone = json["zone"]?.string
    for item in list { if let id = item["id"]?.string { items[id] = item } }
  }
}

/// A page of events.list.
public struct GooglePage: Sendable {
  /// The calendar's name and zone.
  public let name: String?
  let zone: String?
  /// Events with their identifiers, in the order of the page, reduced to the members in use.
  let items: [(id: String, item: JSON)]
  /// The token of the next page; nil on the last one, however short the others are.
  public let next: String?
  /// The sync token to ask for later changes with; only the last page has it.
  public let sync: String?

  public var isEmpty: Bool { items.isEmpty }

  /// The members of an event that are in use; the others (guests, creator, reminders) are not kept.
  private static let members: Set<String> = [
    "id", "status", "summary", "description", "location", "start", "end", "endTimeUnspecified", "recurrence",
    "recurringEventId", "originalStartTime", "visibility", "sequence", "updated", "eventType",
  ]

  public init(_ bytes: [UInt8]) throws(CalendarError) {
    guard let page = try? JSON(parsing: bytes, values: CalendarLimits.googleValues), let list = page["items"]?.array
    else {
      throw CalendarError.notAListOfEvents
    }
    name = page["summary"]?.string
    zone = page["timeZone"]?.string
    next = page["nextPageToken"]?.string
    sync = page["nextSyncToken"]?.string
    var items: [(id: String, item: JSON)] = []
    items.reserveCapacity(list.count)
    for item in list {
      guard let id = item["id"]?.string, !id.isEmpty, id.utf8.count <= CalendarLimits.lineBytes else {
        throw CalendarError.notAListOfEvents
      }
      items.append((id, .object((item.members ?? []).filter { Self.members.contains($0.name) })))
    }
    self.items = items
  }
}

/// Parses the stored copy of a Google calendar.
public func parseGoogleCalendar(_ bytes: [UInt8], zone: Zone) throws(CalendarError) -> ParsedCalendar {
  guard let calendar = GoogleCalendar(bytes) else { throw CalendarError.notAListOfEvents }
  return try parseCalendar(calendar.iCalendar(zone: zone), zone: zone)
}
