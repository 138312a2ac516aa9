import Client
import Crypto
import Lifecycle
import Wire
import XML

/// Reads the collection of a CalDAV server (RFC 4791): first all events, later only the changes (RFC 6578). It is made
/// for one look, whose time and bytes it counts.
struct CalDAVReader: Sendable {
  let client: HTTPClient
  let time: any TimeSource
  /// Scheme, host and port.
  let origin: String
  /// The collection's path, which ends in a slash.
  let path: String
  let user: String?
  let password: String?
  /// The path without its percent-encoding.
  private let folder: [UInt8]
  /// The uptime at which the look has to be over, and the bytes of all answers so far.
  private let end: Double
  private var bytes = 0

  init?(client: HTTPClient, time: any TimeSource, url: String, user: String?, password: String?) {
    (self.client, self.time, self.user, self.password) = (client, time, user, password)
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, !parts[2].isEmpty, !url.contains("?"), !url.contains("#") else { return nil }
    origin = parts[..<3].joined(separator: "/")
    let rest = parts.count > 3 ? String(parts[3]) : ""
    path = "/" + rest + (rest.isEmpty || rest.hasSuffix("/") ? "" : "/")
    folder = Self.plain(path)
    end = time.uptime + CalendarLimits.lookSeconds
  }

  /// Fetches the changes since the stored copy, whose `etag` is the server's sync token.
  /// - Parameters:
  ///   - known: the name of the stored copy.
  ///   - copy: loads the stored copy, only when something has changed.
  mutating nonisolated(nonsending) func read(
    _ kept: KeptCalendar, name known: String?, copy: () async -> [UInt8]?
  ) async throws(LookFailure) -> CalendarReading {
    if kept.digest != nil, let token = kept.etag {
      do throws(LookFailure) {
        let changes = try await changes(since: token)
        if changes.token == token, changes.paths.isEmpty { return .unchanged(etag: token) }
        // With another name a collection is another version of itself, at least at some servers.
        let name = try await name()
        if changes.paths.isEmpty, name == known { return .unchanged(etag: changes.token) }
        if var calendar = await copy().flatMap({ CalDAVCalendar($0) }) {
          calendar.name = name
          return try await reading(calendar, changes, kept, copy)
        }
      } catch {
        // The server does not know the token any more: everything has to be fetched again.
        guard error.isExpired else { throw error }
      }
    }
    var calendar = CalDAVCalendar()
    calendar.name = try await name()
    let all = try await changes(since: "")
    return try await reading(calendar, all, kept, copy)
  }

  private mutating nonisolated(nonsending) func reading(
    _ known: CalDAVCalendar, _ changes: Changes, _ kept: KeptCalendar, _ copy: () async -> [UInt8]?
  ) async throws(LookFailure) -> CalendarReading {
    var calendar = known
    do throws(CalendarError) {
      for (path, isThere) in changes.paths where !isThere { try calendar.set(path, nil) }
    } catch { throw LookFailure(error.reason) }
    let changed = calendar.refused.union(changes.paths.filter(\.value).keys).sorted()
    for start in stride(from: 0, to: changed.count, by: CalendarLimits.calDAVBatch) {
      let wanted = changed[start..<min(start + CalendarLimits.calDAVBatch, changed.count)]
      let found = try await files(Array(wanted), known)
      do throws(CalendarError) {
        for (path, file) in found.files { try calendar.set(path, file) }
        for path in found.refused { try calendar.refuse(path) }
      } catch { throw LookFailure(error.reason) }
    }
    // It may refuse one event, but not all of a calendar that was never read.
    if known.files.isEmpty, calendar.files.isEmpty, !calendar.refused.isEmpty {
      throw LookFailure(Reason(.serverAnswered, ["status": .number(403)]))
    }
    // The known copies of those stay, also where everything was asked for anew.
    if known.files.isEmpty, !calendar.refused.isEmpty, let before = await copy().flatMap({ CalDAVCalendar($0) }) {
      do throws(CalendarError) {
        for (path, file) in before.files where calendar.refused.contains(path) {
          try calendar.set(path, file)
          try calendar.refuse(path)
        }
      } catch { throw LookFailure(error.reason) }
    }
    let bytes = calendar.bytes
    return KeptCalendar.digest(of: bytes) == kept.digest
      ? .unchanged(etag: changes.token) : .new(bytes, etag: changes.token, lastModified: nil)
  }

  // MARK: Questions

  private struct Changes {
    /// True for what is there, false for what is gone.
    var paths: [String: Bool] = [:]
    var token: String?
  }

  private mutating nonisolated(nonsending) func changes(since token: String) async throws(LookFailure) -> Changes {
    var changes = Changes(token: token)
    // A server may tell a part, and the rest to the token that it gives with it (section 3.6).
    for _ in 0..<CalendarLimits.calDAVParts {
      let body = """
        <?xml version="1.0" encoding="utf-8"?><d:sync-collection xmlns:d="DAV:"><d:sync-token>\
        \((changes.token ?? "").escapedForMarkup)</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/>\
        </d:prop></d:sync-collection>
        """
      let list = try await ask("REPORT", body, depth: "0", isSync: !token.isEmpty)
      var isWhole = true
      for entry in list.entries {
        guard let place = place(of: entry.href) else { continue }
        if place == path {
          if entry.status == 507 { isWhole = false }
        } else if !entry.isFolder {
          changes.paths[place] = entry.status != 404 && entry.status != 410
        }
      }
      guard changes.paths.count <= CalendarLimits.events else {
        throw LookFailure(CalendarError.tooManyItems.reason)
      }
      guard let next = list.token, next.utf8.count <= CalendarLimits.lineBytes else {
        throw LookFailure(Reason(.calDAVNoSync))
      }
      let isSame = changes.token == next
      changes.token = next
      if isWhole { return changes }
      if isSame { break }
    }
    throw LookFailure(Reason(.googleCircle))
  }

  /// The collection's name.
  /// - Throws: if it is no calendar.
  private mutating nonisolated(nonsending) func name() async throws(LookFailure) -> String? {
    let body = """
      <?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop><d:displayname/><d:resourcetype/>\
      </d:prop></d:propfind>
      """
    let list = try await ask("PROPFIND", body, depth: "0")
    guard let found = list.entries.first(where: { place(of: $0.href) == path }), found.isCalendar else {
      throw LookFailure(Reason(.calDAVNoCalendar))
    }
    return found.name
  }

  /// The files of events by their paths, nil for those that are gone, or are no events; and the paths of those that the
  /// server refuses, as it may do for good.
  /// - Throws: if the server says nothing of one, does not give it, or sends one broken that was whole before. With the
  ///   version that it has told it would never name it again, and the event would be missing: so the last one stays,
  ///   and all is asked again.
  private mutating nonisolated(nonsending) func files(
    _ paths: [String], _ known: CalDAVCalendar
  ) async throws(LookFailure) -> (files: [String: String?], refused: Set<String>) {
    let hrefs = paths.map { "<d:href>\($0.escapedForMarkup)</d:href>" }.joined()
    let body = """
      <?xml version="1.0" encoding="utf-8"?><c:calendar-multiget xmlns:d="DAV:" \
      xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop>\(hrefs)\
      </c:calendar-multiget>
      """
    let list = try await ask("REPORT", body, depth: "0")
    // A server may spell a path in two ways.
    let wanted = Dictionary(paths.map { (Self.plain($0), $0) }, uniquingKeysWith: { first, _ in first })
    var files: [String: String?] = [:]
    var refused: Set<String> = []
    for entry in list.entries {
      guard let place = place(of: entry.href), let path = wanted[Self.plain(place)] else { continue }
      if let file = entry.calendar {
        // One that has never been whole may be so for good, and is left out with a warning.
        if isWhole(file) || !(known.files[path].map(isWhole) ?? false) { files.updateValue(file, forKey: path) }
      } else if [404, 410].contains(entry.status ?? entry.refusal) {
        files.updateValue(nil, forKey: path)
      } else if (entry.status ?? entry.refusal) == 403 {
        refused.insert(path)
      }
    }
    refused.subtract(files.keys)
    guard files.count + refused.count == wanted.count else { throw LookFailure(Reason(.calDAVIncomplete)) }
    return (files, refused)
  }

  /// - Parameter isSync: true where a refusal means that the token is not known any more.
  private mutating nonisolated(nonsending) func ask(
    _ method: String, _ body: String, depth: String, isSync: Bool = false
  ) async throws(LookFailure) -> Multistatus {
    var fields = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
    if let user {
      fields.append(("Authorization", "Basic \(Digest.base64(Array("\(user):\(password ?? "")".utf8)))"))
    }
    guard time.uptime < end else {
      throw LookFailure(Reason(.googleLate, ["seconds": .number(Int(CalendarLimits.lookSeconds))]))
    }
    // The password is for this server alone.
    let response = try await client.look(
      FetchRequest(
        origin + path, method: method, fields: fields, body: Array(body.utf8), bodyLimit: CalendarLimits.bytes,
        redirects: 0))
    bytes += response.body.count
    guard bytes <= CalendarLimits.calDAVBytes else {
      throw LookFailure(Reason(.googleTooLarge, ["megabytes": .number(CalendarLimits.calDAVBytes / 1_000_000)]))
    }
    let status = Reason.Value.number(response.status)
    let reason: Reason
    switch response.status {
    case 207:
      if let list = try? Multistatus(response.body) { return list }
      reason = Reason(.calDAVNoCalendar)
    case 401:
      reason =
        Self.otherScheme(response).map { Reason(.calDAVNoBasic, ["scheme": .text($0)]) } ?? Reason(.calDAVDenied)
    case 300..<400: reason = Reason(.googleRedirect)
    case 404, 405, 501: reason = Reason(.calDAVNoCalendar)
    default: reason = Reason(.serverAnswered, ["status": status])
    }
    throw LookFailure(
      reason, retryAfter: retryAfterSeconds(response["retry-after"], now: Int(time.now)),
      isExpired: isSync && [400, 403, 409, 410, 412, 415].contains(response.status))
  }

  /// The scheme by which the server wants passwords, such as Digest; nil if it takes Basic, or names none (RFC 9110
  /// section 11.6.1).
  private static func otherScheme(_ response: FetchResponse) -> String? {
    let challenges = response.fields.filter { $0.name.lowercased() == "www-authenticate" }.map { $0.value }
    let words = challenges.joined(separator: ",").split { $0 == " " || $0 == "," }
    guard let scheme = words.first, !words.contains(where: { $0.lowercased() == "basic" }) else { return nil }
    return String(scheme.prefix(20))
  }

  // MARK: Paths

  /// The path of what is at this server and in this collection, or is it; nil for others.
  private func place(of href: String) -> String? {
    guard href.utf8.count <= CalendarLimits.lineBytes else { return nil }
    let place = href.hasPrefix(origin + "/") ? String(href.dropFirst(origin.count)) : href
    let plain = Self.plain(place)
    if plain == folder || plain + [UInt8(ascii: "/")] == folder { return path }
    return plain.starts(with: folder) ? place : nil
  }

  /// A path without its percent-encoding: servers write the collection's otherwise than people do, "@" as "%40" or "ä"
  /// as "%c3%a4". An encoded "/" stays, since it separates nothing.
  private static func plain(_ path: String) -> [UInt8] {
    let (bytes, slash) = (Array(path.utf8), UInt8(ascii: "/"))
    func digit(_ place: Int) -> UInt8? {
      place < bytes.count ? Character(UnicodeScalar(bytes[place])).hexDigitValue.map { UInt8($0) } : nil
    }
    var plain: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%"), let high = digit(position + 1), let low = digit(position + 2) {
        let byte = high << 4 | low
        plain += byte == slash ? Array("%2F".utf8) : [byte]
        position += 3
      } else {
        plain.append(bytes[position])
        position += 1
      }
    }
    return plain
  }
}

extension Reason.Kind {
  static let calDAVNoCalendar = Self("caldav-no-calendar", "there is no calendar that CalDAV reads")
  static let calDAVNoSync = Self("caldav-no-sync", "the server does not tell what has changed (RFC 6578)")
  static let calDAVIncomplete = Self("caldav-incomplete", "the server has not sent all of the events that it names")
  static let calDAVDenied = Self("caldav-denied", "the server does not accept the user and the password")
  static let calDAVNoBasic = Self(
    "caldav-no-basic",
    "the server asks for the password by {scheme}, and the hub sends it by Basic alone: let the server take Basic")
  static let calDAVPlain = Self(
    "caldav-plain", "a password goes by https: alone, or by http: to an address within reachable_networks")
  static let calDAVAddress = Self("caldav-unusable", "the address cannot be one of a calendar at a CalDAV server")
}
