import Crypto
public import Wire

/// The state kept of a calendar between two looks.
public struct KeptCalendar: Equatable, Sendable {
  public var url: String
  /// The copy itself, only while it is read or written; usually it is in the store alone.
  public var body: [UInt8]?
  /// Tells a copy from others (`digest(of:)`); nil if there is none.
  public var digest: [UInt8]?
  public var etag: String?
  public var lastModified: String?
  /// The time when the source last confirmed the copy, in seconds since 1970.
  public var goodAt: Int?
  public var problem: Reason?
  public var problemSince: Int?

  public init(url: String) { self.url = url }

  /// The SHA-256 of a copy without its DTSTAMP lines: Google, Outlook and others write the time of the request there,
  /// so that each look would bring another copy.
  public static func digest(of copy: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    rest.reserveCapacity(copy.count + 1)
    for line in copy.split(separator: Byte.newline) where !line.starts(with: "DTSTAMP".utf8) {
      rest += line
      rest.append(Byte.newline)
    }
    return Digest.sha256(rest)
  }

  /// For the log: a file's address, or only the host of a web address, since the rest may be secret.
  public var label: String {
    if url.lowercased().hasPrefix("file:") || url.hasPrefix(CalendarSource.uploadPrefix) { return url }
    if url.hasPrefix(CalendarSource.googlePrefix) { return "Google calendar \(CalendarSource.id(of: url))" }
    // Compared as bytes: a "/" with a combining accent is another character and would not end the host.
    let address = url.hasPrefix(CalendarSource.calDAVPrefix) ? url.utf8.dropFirst(7) : url.utf8[...]
    let host = address.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count).prefix { !"/?#".utf8.contains($0) }
    return host.split(separator: UInt8(ascii: "@")).last.map { String(Substring($0)) } ?? "calendar"
  }
}
