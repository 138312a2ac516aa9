public import CivilTime
public import Wire

/// How a look at a calendar ended.
public enum CalendarReading {
  case new([UInt8], etag: String?, lastModified: String?)
  /// The copy we have is still the right one; a source that counts what it has told gives a new mark.
  case unchanged(etag: String? = nil)
  case failed(LookFailure)
}

/// Why a calendar could not be read.
public struct LookFailure: Error {
  /// What everyone may read.
  public var problem: Reason
  /// For the owner and the log; it names no secret.
  public var full: Reason
  /// The seconds for which the server asks to be left alone.
  public var retryAfter: Double?
  /// Whether what is known of the calendar cannot be gone on from.
  public var isExpired = false

  public init(_ problem: Reason, full: Reason? = nil, retryAfter: Double? = nil, isExpired: Bool = false) {
    self.problem = problem
    self.full = full ?? problem
    self.retryAfter = retryAfter
    self.isExpired = isExpired
  }

  /// A text in which a secret may stand, as somebody else wrote it.
  static func withoutSecret(_ text: String, _ secret: String) -> String {
    let (text, secret) = (Array(text.utf8), Array(secret.utf8))
    guard !secret.isEmpty, text.count >= secret.count else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      if text[position...].starts(with: secret) {
        result += "(key)".utf8
        position += secret.count
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Makes values of a copy, which is written as its source writes it.
/// - Parameter zone: what times without a zone are in.
public func parseCalendar(
  _ copy: [UInt8], of source: CalendarSource, zone: Zone
) throws(CalendarError) -> ParsedCalendar {
  switch source.origin {
  case .ics, .upload: try parseCalendar(copy, zone: zone)
  case .google: try parseGoogleCalendar(copy, zone: zone)
  }
}
