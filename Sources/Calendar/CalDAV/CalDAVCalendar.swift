import CivilTime
import Wire

/// The copy kept of a CalDAV collection: each event's file by its path at the server.
struct CalDAVCalendar {
  /// The name that the collection has at its server.
  var name: String?
  private(set) var files: [String: String] = [:]
  /// The paths that the server names and refuses. What was known of them stays, and they are asked for with the next
  /// change.
  private(set) var refused: Set<String> = []
  private var byteCount = 0

  /// The version of the stored form.
  private static let format = 1

  init() {}

  /// - Parameter file: nil if it is gone.
  mutating func set(_ path: String, _ file: String?) throws(CalendarError) {
    byteCount += (file?.utf8.count ?? 0) - (files[path]?.utf8.count ?? 0)
    files[path] = file
    refused.remove(path)
    guard files.count <= CalendarLimits.events else { throw CalendarError.tooManyItems }
    guard byteCount <= CalendarLimits.bytes else { throw CalendarError.tooLarge(bytes: byteCount) }
  }

  mutating func refuse(_ path: String) throws(CalendarError) {
    refused.insert(path)
    guard refused.count <= CalendarLimits.events else { throw CalendarError.tooManyItems }
  }

  /// The form for the store; the same calendar always has the same bytes.
  var bytes: [UInt8] {
    let list = files.keys.sorted().map { JSON.array([.string($0), .string(files[$0]!)]) }
    let refused = self.refused.sorted().map { JSON.string($0) }
    let json: JSON = [
      "caldav": .int(Self.format), "name": JSON(name), "files": .array(list), "refused": .array(refused),
    ]
    return json.bytes
  }

  /// Nil if the bytes are not a calendar in the current format.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, values: .max), json["caldav"]?.int == Self.format,
      let list = json["files"]?.array
    else { return nil }
    name = json["name"]?.string
    refused = Set(json["refused"]?.array?.compactMap(\.string) ?? [])
    for pair in list {
      guard let pair = pair.array, pair.count == 2, let path = pair[0].string, let file = pair[1].string else {
        return nil
      }
      files[path] = file
      byteCount += file.utf8.count
    }
  }
}

/// Parses the stored copy of a CalDAV collection.
func parseCalDAVCalendar(_ bytes: [UInt8], zone: Zone) throws(CalendarError) -> ParsedCalendar {
  guard let calendar = CalDAVCalendar(bytes) else { throw CalendarError.notAListOfEvents }
  let files = calendar.files.sorted { $0.key < $1.key }.map { (path: $0.key, text: $0.value) }
  return try parseCalendars(files, refused: calendar.refused.sorted(), name: calendar.name, zone: zone)
}
