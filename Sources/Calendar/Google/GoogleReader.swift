import Client
import Lifecycle
import Wire

/// Reads calendars from the Google Calendar API (version 3, events.list) with an API key: first all events, later only
/// the changes.
struct GoogleReader: Sendable {
  let client: HTTPClient
  let time: any TimeSource
  /// The API's address, such as "https://www.googleapis.com/calendar/v3".
  let base: String

  /// Fetches the changes since the stored copy, whose `etag` is Google's sync token.
  /// - Parameters:
  ///   - name: the calendar's name at the last look.
  ///   - copy: loads the stored copy, only when something has changed.
  nonisolated(nonsending) func read(
    _ kept: KeptCalendar, id: String, key: String, name: String?, copy: () async -> [UInt8]?
  ) async throws(LookFailure) -> CalendarReading {
    if kept.digest != nil, let token = kept.etag {
      do throws(LookFailure) {
        let (pages, next) = try await list(id: id, key: key, since: token)
        let isSame = pages.allSatisfy { $0.isEmpty && ($0.name == nil || $0.name == name) }
        if isSame { return .unchanged(etag: next) }
        if let known = await copy().flatMap({ GoogleCalendar($0) }) { return try reading(known, pages, next, kept) }
      } catch {
        // The sync token has expired or is not valid: everything has to be fetched again.
        guard error.isExpired else { throw error }
      }
    }
    let (pages, next) = try await list(id: id, key: key, since: nil)
    return try reading(GoogleCalendar(), pages, next, kept)
  }

  private func reading(
    _ known: GoogleCalendar, _ pages: [GooglePage], _ token: String?, _ kept: KeptCalendar
  ) throws(LookFailure) -> CalendarReading {
    var calendar = known
    do throws(CalendarError) {
      for page in pages { try calendar.take(page) }
    } catch {
      throw LookFailure(error.reason)
    }
    let bytes = calendar.bytes
    return KeptCalendar.digest(of: bytes) == kept.digest
      ? .unchanged(etag: token) : .new(bytes, etag: token, lastModified: nil)
  }

  // MARK: Pages

  /// Fetches all pages of one query. None of them counts before the last one has come.
  /// - Returns: the pages, and the sync token for the next query.
  private nonisolated(nonsending) func list(
    id: String, key: String, since token: String?
  ) async throws(LookFailure) -> ([GooglePage], String?) {
    var pages: [GooglePage] = []
    var next: String?
    var bytes = 0
    let end = time.uptime + CalendarLimits.lookSeconds
    for _ in 0..<CalendarLimits.googlePages {
      guard time.uptime < end else {
        throw LookFailure(Reason(.googleLate, ["seconds": .number(Int(CalendarLimits.lookSeconds))]))
      }
      let answer = try await ask(address(id: id, key: key, token: token, page: next), key: key)
      bytes += answer.count
      guard bytes <= CalendarLimits.bytes else {
        throw LookFailure(Reason(.googleTooLarge, ["megabytes": .number(CalendarLimits.bytes / 1_000_000)]))
      }
      let page: GooglePage
      do throws(CalendarError) { page = try GooglePage(answer) } catch { throw LookFailure(error.reason) }
      pages.append(page)
      guard let following = page.next else { return (pages, page.sync) }
      guard following != next else { throw LookFailure(Reason(.googleCircle)) }
      next = following
    }
    throw LookFailure(Reason(.googleTooManyPages, ["limit": .number(CalendarLimits.googlePages)]))
  }

  private func address(id: String, key: String, token: String?, page: String?) -> String {
    // A query with a sync token needs the same parameters as the one that the token came from.
    var query = [("maxResults", "\(CalendarLimits.googlePage)"), ("singleEvents", "false"), ("key", key)]
    if let token { query.append(("syncToken", token)) }
    if let page { query.append(("pageToken", page)) }
    let text = query.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    return "\(base)/calendars/\(percentEncoded(id))/events?\(text)"
  }

  /// Requests a page. The address contains the key, so it is kept out of messages, and redirects are not followed.
  private nonisolated(nonsending) func ask(_ address: String, key: String) async throws(LookFailure) -> [UInt8] {
    let response: FetchResponse
    do throws(FetchError) {
      response = try await client.fetch(
        FetchRequest(
          address, fields: [("Accept", "application/json")], bodyLimit: CalendarLimits.bytes, redirects: 0))
    } catch {
      let problem = error.publicExplanation
      let words = error.words.map { Reason.Value.text(LookFailure.withoutSecret($0, key)) }
      throw LookFailure(
        problem,
        full: words.map { Reason(.inOthersWords, ["reason": .reason(problem), "words": $0]) } ?? error.explanation)
    }
    guard response.status == 200 else { throw failure(of: response, key: key) }
    return response.body
  }

  // MARK: Errors

  /// The failure that a status and the reasons in its response stand for
  /// (developers.google.com/workspace/calendar/api/guides/errors).
  private func failure(of response: FetchResponse, key: String) -> LookFailure {
    let error = (try? JSON(parsing: response.body))?["error"]
    let reasons = Set(error?["errors"]?.array?.compactMap { $0["reason"]?.string } ?? [])
    let details = Set(error?["details"]?.array?.compactMap { $0["reason"]?.string } ?? [])
    let isLimit = response.status == 429 || reasons.contains { $0.hasSuffix("LimitExceeded") || $0 == "quotaExceeded" }
    let isKey = details.contains("API_KEY_INVALID") || reasons.contains("keyInvalid")
    let status = Reason.Value.number(response.status)
    let reason =
      switch response.status {
      case 410: Reason(.googleTooOld)
      case 403 where isLimit, 429: Reason(.googleTooOften)
      case 400 where isKey, 401: Reason(.googleUnknownKey)
      case 403: Reason(.googleForbidden)
      case 404: Reason(.googleNoCalendar)
      case 300..<400: Reason(.googleRedirect)
      default: Reason(.serverAnswered, ["status": status])
      }
    let full =
      if let message = error?["message"]?.string {
        Reason(
          .googleSaid,
          [
            "reason": .reason(reason), "status": status,
            "words": .text(shortened(oneLine(LookFailure.withoutSecret(message, key)), bytes: 300)),
          ])
      } else {
        Reason(.googleStatus, ["reason": .reason(reason), "status": status])
      }
    return LookFailure(
      reason, full: full, retryAfter: retryAfterSeconds(response["retry-after"], now: Int(time.now)),
      // An invalid token is treated like an expired one.
      isExpired: response.status == 410 || response.status == 400 && !isKey)
  }
}

extension Reason.Kind {
  static let googleLate = Self("google-late", "not all of it has come within {seconds} s")
  static let googleTooLarge = Self("google-too-large", "its parts are together larger than {megabytes} MB")
  static let googleCircle = Self("google-circle", "its pages go round in a circle")
  static let googleTooManyPages = Self("google-too-many-pages", "it has more than {limit} pages")
  static let googleTooOld = Self("google-too-old", "what it has told is too old to go on from")
  static let googleTooOften = Self("google-too-often", "Google asks to be asked less often")
  static let googleUnknownKey = Self("google-unknown-key", "Google does not know the key")
  static let googleForbidden = Self("google-forbidden", "Google does not let the key read it")
  static let googleNoCalendar = Self("google-no-calendar", "Google has no public calendar with this identifier")
  static let googleRedirect = Self("google-redirect", "the server sends on to another address")
  static let googleStatus = Self("google-status", "{reason} (status {status})")
  static let googleSaid = Self("google-said", "{reason} (status {status}: {words})")
}
