/// The answer of a WebDAV server to a question about many resources (RFC 4918 section 14.16): what a folder has, or
/// what has changed in it (RFC 6578), and the calendars there (RFC 4791).
public struct Multistatus {
  /// A file or folder.
  public struct Entry: Equatable, Sendable {
    public internal(set) var href = ""
    public internal(set) var etag: String?
    public internal(set) var modified: String?
    public internal(set) var length: Int?
    public internal(set) var isFolder = false
    /// True for a folder of events.
    public internal(set) var isCalendar = false
    /// The name that people see.
    public internal(set) var name: String?
    /// The iCalendar file of an event.
    public internal(set) var calendar: String?
    /// What the server says of the whole entry, such as 404 for one that is gone; nil if it says what it has.
    public internal(set) var status: Int?
    /// The status of properties that the server does not give, such as 404 if the entry has none of them.
    public internal(set) var refusal: Int?
  }
  public private(set) var entries: [Entry] = []
  /// What to ask for later changes with.
  public private(set) var token: String?

  /// The namespaces in use.
  private static let namespaces: Set<String> = ["DAV:", "urn:ietf:params:xml:ns:caldav"]
  /// Levels of elements; an answer has six.
  private static let levels = 64

  /// An open element.
  private typealias Open = (name: String, isKnown: Bool, spaces: [String: String])

  private var entry: Entry?
  /// The properties of one propstat, which count if its status is 200.
  private var properties = Entry()
  private var propstat: Int? = 200
  private var text = ""

  /// Reads the document. Any prefix may stand for a namespace; a document type is refused, since with entities of its
  /// own a small answer becomes a huge one.
  /// - Parameter most: entries that are wanted: after one more, what follows is not read.
  public init(_ bytes: [UInt8], atMost most: Int = .max) throws(XMLScanner.Malformed) {
    var scanner = XMLScanner(bytes)
    var open: [Open] = []
    var spaces: [String: String] = [:]
    while entries.count <= most, let token = try scanner.next() {
      switch token {
      case .text(let part): text += part
      case .open(let name, let attributes, let isEmpty):
        let before = spaces
        for (key, value) in attributes {
          if key == "xmlns" { spaces[""] = value }
          if key.hasPrefix("xmlns:") { spaces[String(key.dropFirst(6))] = value }
        }
        guard spaces.count <= Self.levels else { throw XMLScanner.Malformed() }
        let (prefix, local) = Self.parts(of: name)
        let isKnown = Self.namespaces.contains(spaces[prefix] ?? "")
        guard open.count < Self.levels else { throw XMLScanner.Malformed() }
        if isKnown { begin(local) }
        if isEmpty {
          if isKnown { end(local, in: Self.known(open.last)) }
          spaces = before
        } else {
          open.append((local, isKnown, before))
        }
      case .close(let name):
        guard let last = open.popLast(), last.name == Self.parts(of: name).local else { throw XMLScanner.Malformed() }
        if last.isKnown { end(last.name, in: Self.known(open.last)) }
        spaces = last.spaces
      }
    }
    guard open.isEmpty || entries.count > most else { throw XMLScanner.Malformed() }
  }

  private static func parts(of name: String) -> (prefix: String, local: String) {
    guard let colon = name.firstIndex(of: ":") else { return ("", name) }
    return (String(name[..<colon]), String(name[name.index(after: colon)...]))
  }

  /// The number in a line such as "HTTP/1.1 404 Not Found".
  private static func status(_ line: String) -> Int? {
    line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  private mutating func begin(_ name: String) {
    text = ""
    switch name {
    case "response": entry = Entry()
    case "propstat": (properties, propstat) = (Entry(), 200)
    default: break
    }
  }

  /// The name of an element of ours.
  private static func known(_ element: Open?) -> String? { element.flatMap { $0.isKnown ? $0.name : nil } }

  private mutating func end(_ name: String, in parent: String?) {
    let value = text.trimmed
    text = ""
    switch (name, parent) {
    case ("href", "response"): entry?.href = value
    case ("status", "propstat"): propstat = Self.status(value)
    case ("getetag", "prop"): properties.etag = value.isEmpty ? nil : value
    case ("getlastmodified", "prop"): properties.modified = value.isEmpty ? nil : value
    case ("getcontentlength", "prop"): properties.length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case ("collection", "resourcetype"): properties.isFolder = true
    case ("calendar", "resourcetype"): properties.isCalendar = true
    case ("displayname", "prop"): properties.name = value.isEmpty ? nil : value
    case ("calendar-data", "prop"): properties.calendar = value.isEmpty ? nil : value
    case ("sync-token", "multistatus"): token = value.isEmpty ? nil : value
    case ("status", "response"): entry?.status = Self.status(value)
    case ("propstat", "response") where propstat != 200: entry?.refusal = propstat
    case ("propstat", "response"):
      guard var found = entry else { break }
      found.etag = properties.etag ?? found.etag
      found.modified = properties.modified ?? found.modified
      found.length = properties.length ?? found.length
      found.name = properties.name ?? found.name
      found.calendar = properties.calendar ?? found.calendar
      if properties.isFolder { found.isFolder = true }
      if properties.isCalendar { found.isCalendar = true }
      entry = found
    case ("response", _):
      if let entry, !entry.href.isEmpty { entries.append(entry) }
      entry = nil
    default: break
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
