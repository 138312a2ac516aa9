import Crypto

/// Where a calendar comes from, and how it is shown.
public struct CalendarSource: Equatable, Sendable {
  public enum Origin: Equatable, Sendable {
    /// An iCalendar file: http:, https: or file:.
    case ics(url: String)
    /// A calendar of the Google Calendar API. The key is a secret.
    case google(id: String, key: String)
    /// A file that the owner has sent.
    case upload(id: String)
  }

  public var origin: Origin
  /// Shown instead of the name that the calendar gives itself.
  public var name: String?
  /// "#rrggbb", in small letters.
  public var color: String?

  public init(_ origin: Origin, name: String? = nil, color: String? = nil) {
    self.origin = origin
    self.name = name
    self.color = color
  }

  public init(url: String) { self.init(.ics(url: url)) }

  /// Tells it from other calendars, and names its copy. It may itself be a secret.
  public var address: String {
    switch origin {
    case .ics(let url): url
    case .google(let id, _): Self.googlePrefix + id
    case .upload(let id): Self.uploadPrefix + id
    }
  }

  public static let googlePrefix = "google:"
  public static let uploadPrefix = "upload:"

  /// "ics", "google" or "upload".
  public var kind: String {
    switch origin {
    case .ics: "ics"
    case .google: "google"
    case .upload: "upload"
    }
  }

  /// A short name for a calendar that does not give its address away.
  public static func id(of address: String) -> String { Digest.hex(Digest.sha256(address.utf8).prefix(4)) }
}
