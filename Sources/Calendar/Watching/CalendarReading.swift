public import CivilTime
import Client
public import Wire

/// The result of a look at a calendar.
public enum CalendarReading: Sendable {
  case new([UInt8], etag: String?, lastModified: String?)
  /// The copy is current; Google and CalDAV give a new sync token.
  case unchanged(etag: String? = nil)
  case failed(LookFailure)
}

/// The reason why a calendar could not be read.
public struct LookFailure: Error {
  /// The explanation for everyone.
  public var problem: Reason
  /// The explanation for the owner and the log; it names no secret.
  public var full: Reason
  /// The seconds of the server's Retry-After.
  public var retryAfter: Double?
  /// True if changes can no longer be fetched, so that all has to be read again.
  public var isExpired = false

  public init(_ problem: Reason, full: Reason? = nil, retryAfter: Double? = nil, isExpired: Bool = false) {
    self.problem = problem
    self.full = full ?? problem
    self.retryAfter = retryAfter
    self.isExpired = isExpired
  }

  /// A text of somebody else's in which a secret is replaced.
  static func withoutSecret(_ text: String, _ secret: String) -> String {
    guard !secret.isEmpty else { return text }
    // By bytes: an accent that follows a character makes another one of it.
    return String(decoding: Array(text.utf8).replacing(Array(secret.utf8), with: Array("(key)".utf8)), as: UTF8.self)
  }
}

extension HTTPClient {
  /// Fetches something of a calendar whose address is no secret.
  nonisolated(nonsending) func look(_ request: FetchRequest) async throws(LookFailure) -> FetchResponse {
    do throws(FetchError) {
      return try await fetch(request)
    } catch {
      throw LookFailure(error.publicExplanation, full: error.explanation)
    }
  }
}

/// Parses a copy, which is in its source's own format.
/// - Parameters:
///   - zone: the zone of times without one.
///   - isStored: false for one that has just been read.
public func parseCalendar(
  _ copy: [UInt8], of source: CalendarSource, zone: Zone, isStored: Bool = false
) throws(CalendarError) -> ParsedCalendar {
  switch source.origin {
  case .ics, .upload: try parseCalendar(copy, zone: zone, isStored: isStored)
  case .google: try parseGoogleCalendar(copy, zone: zone)
  case .caldav: try parseCalDAVCalendar(copy, zone: zone)
  }
}
