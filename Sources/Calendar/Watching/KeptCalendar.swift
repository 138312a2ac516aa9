public import Wire

/// What is kept of a calendar between two looks.
public struct KeptCalendar: Equatable, Sendable {
  public var url: String
  /// The copy itself, while it is read or written: for most of the time the store alone has it.
  public var body: [UInt8]?
  /// SHA-256 of the copy; nil if there is none.
  public var digest: [UInt8]?
  public var etag: String?
  public var lastModified: String?
  /// When the source last confirmed the copy, in seconds since 1970.
  public var goodAt: Int?
  public var problem: Reason?
  public var problemSince: Int?

  public init(url: String) { self.url = url }

  /// For the log: a file's address, or of a web address no more than its host, since the rest may be the secret.
  public var label: String {
    if url.lowercased().hasPrefix("file:") || url.hasPrefix(CalendarSource.uploadPrefix) { return url }
    if url.hasPrefix(CalendarSource.googlePrefix) { return "Google calendar \(CalendarSource.id(of: url))" }
    // Bytes: with an accent behind it, a "/" is another character, and would not end the host.
    let host = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count).prefix { !"/?#".utf8.contains($0) }
    return host.split(separator: UInt8(ascii: "@")).last.map { String(Substring($0)) } ?? "calendar"
  }
}
