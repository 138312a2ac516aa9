package import CivilTime
package import Wire

/// A calendar of the Google Calendar API as it has been put together from its pages and from what changed since.
package struct GoogleCalendar: Equatable, Sendable {
  /// The calendar's name ("summary") and its own zone.
  package private(set) var name: String?
  package private(set) var zone: String?
  /// Events by their identifiers: a page may tell one again, and what changed replaces what was.
  private(set) var items: [String: JSON] = [:]

  package init() {}

  /// The number of this form of a kept copy. A copy in another form is fetched anew.
  private static let format = 1

  /// The members of an event that are of use; the rest (who comes, who made it, reminders) is not kept.
  private static let members: Set<String> = [
    "id", "status", "summary", "description", "location", "start", "end", "endTimeUnspecified", "recurrence",
    "recurringEventId", "originalStartTime", "visibility", "sequence", "updated", "eventType",
  ]

  // MARK: What comes

  /// Takes a page of events.list.
  /// - Returns: what it says of the pages that follow.
  package mutating func take(_ page: JSON) throws(CalendarError) -> Continuation {
    guard page.members != nil, let list = page["items"]?.array else { throw CalendarError.notAListOfEvents }
    if let summary = page["summary"]?.string { name = summary }
    if let timeZone = page["timeZone"]?.string { zone = timeZone }
    var gone: Set<String> = []
    for item in list {
      guard let id = item["id"]?.string, !id.isEmpty, id.utf8.count <= CalendarLimits.lineBytes else {
        throw CalendarError.notAListOfEvents
      }
      take(item, id, &gone)
      guard items.count <= CalendarLimits.events else { throw CalendarError.tooManyItems }
    }
    // A series goes with all its exceptions.
    if !gone.isEmpty { items = items.filter { !gone.contains($0.value["recurringEventId"]?.string ?? "") } }
    return Continuation(page: page["nextPageToken"]?.string, sync: page["nextSyncToken"]?.string)
  }

  package struct Continuation: Equatable, Sendable {
    /// Of the next page; nil on the last one, however short the others are.
    package var page: String?
    /// With which to ask for what changes from now on; the last page has it.
    package var sync: String?

    package init(page: String?, sync: String?) {
      self.page = page
      self.sync = sync
    }
  }

  private mutating func take(_ item: JSON, _ id: String, _ gone: inout Set<String>) {
    let isException = item["recurringEventId"]?.string != nil
    guard isException || item["status"]?.string != "cancelled" else {
      items[id] = nil
      gone.insert(id)
      return
    }
    items[id] = .object((item.members ?? []).filter { Self.members.contains($0.name) })
  }

  // MARK: What is kept

  /// For the store: the same calendar has the same bytes.
  package var bytes: [UInt8] {
    let json: JSON = [
      "google": .int(Self.format), "name": JSON(name), "zone": JSON(zone),
      "items": .array(items.keys.sorted().map { items[$0]! }),
    ]
    return json.bytes
  }

  /// Nil if the bytes are no calendar that this version has kept.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes), json["google"]?.int == Self.format, let list = json["items"]?.array
    else { return nil }
    name = json["name"]?.string
    zone = json["zone"]?.string
    for item in list { if let id = item["id"]?.string { items[id] = item } }
  }
}

/// Reads a kept copy of a Google calendar.
package func parseGoogleCalendar(_ bytes: [UInt8], zone: Zone) throws(CalendarError) -> ParsedCalendar {
  guard let calendar = GoogleCalendar(bytes) else { throw CalendarError.notAListOfEvents }
  return try parseCalendar(calendar.iCalendar(space: zone), zone: zone)
}
