import Crypto

/// The source of a calendar, and the name and colour it is shown with.
public struct CalendarSource: Equatable, Sendable {
  public enum Origin: Equatable, Sendable {
    /// An iCalendar file by an http:, https: or file: address.
    case ics(url: String)
    /// A calendar of the Google Calendar API. The key is a secret.
    case google(id: String, key: String)
    /// A collection of a CalDAV server. The password is a secret.
    case caldav(url: String, user: String?, password: String?)
    /// A file that the owner has uploaded.
    case upload(id: String)
  }

  public var origin: Origin
  /// The name shown instead of the calendar's own.
  public var name: String?
  /// "#rrggbb", in lower case.
  public var color: String?

  public init(_ origin: Origin, name: String? = nil, color: String? = nil) {
    self.origin = origin
    self.name = name
    self.color = color
  }

  /// The address that identifies the calendar and its copy. It may contain a secret.
  public var address: String {
    switch origin {
    case .ics(let url): url
    case .google(let id, _): Self.googlePrefix + id
    case .caldav(let url, _, _): Self.calDAVPrefix + url
    case .upload(let id): Self.uploadPrefix + id
    }
  }

  public static let googlePrefix = "google:"
  public static let calDAVPrefix = "caldav:"
  public static let uploadPrefix = "upload:"

  /// "ics", "google", "caldav" or "upload".
  public var kind: String {
    switch origin {
    case .ics: "ics"
    case .google: "google"
    case .caldav: "caldav"
    case .upload: "upload"
    }
  }

  /// A short identifier for a calendar, from which its address cannot be found.
  public static func id(of address: String) -> String { Digest.hex(Digest.sha256(address.utf8).prefix(4)) }
}
