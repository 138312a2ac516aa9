/// The answer to PROPFIND (RFC 4918 section 14.16): what a folder has.
struct Multistatus {
  /// A file or folder.
  struct Entry: Equatable {
    var href = ""
    var etag: String?
    var modified: String?
    var length: Int?
    var isFolder = false
  }
  private(set) var entries: [Entry] = []

  struct Malformed: Error {}

  private static let dav = "DAV:"
  /// Levels of elements; an answer has six.
  private static let levels = 64

  private var entry: Entry?
  /// The properties of one propstat, which count if its status is 200.
  private var properties = Entry()
  private var isGood = true
  private var text = ""

  /// Reads the document. Any prefix may stand for a namespace; a document type is refused, since with entities of its
  /// own a small answer becomes a huge one.
  init(_ bytes: [UInt8]) throws(Malformed) {
    var scanner = MarkupScanner(bytes)
    var open: [(name: String, isDAV: Bool, spaces: [String: String])] = []
    var spaces: [String: String] = [:]
    while let token = try scanner.next() {
      switch token {
      case .text(let part): text += part
      case .open(let name, let attributes, let isEmpty):
        let before = spaces
        for (key, value) in attributes {
          if key == "xmlns" { spaces[""] = value }
          if key.hasPrefix("xmlns:") { spaces[String(key.dropFirst(6))] = value }
        }
        guard spaces.count <= Self.levels else { throw Malformed() }
        let (prefix, local) = Self.parts(of: name)
        let isDAV = spaces[prefix] == Self.dav
        guard open.count < Self.levels else { throw Malformed() }
        if isDAV { begin(local) }
        if isEmpty {
          if isDAV { end(local, in: open.map { $0.isDAV ? $0.name : "" }) }
          spaces = before
        } else {
          open.append((local, isDAV, before))
        }
      case .close(let name):
        guard let last = open.popLast(), last.name == Self.parts(of: name).local else { throw Malformed() }
        if last.isDAV { end(last.name, in: open.map { $0.isDAV ? $0.name : "" }) }
        spaces = last.spaces
      }
    }
    guard open.isEmpty else { throw Malformed() }
  }

  private static func parts(of name: String) -> (prefix: String, local: String) {
    guard let colon = name.firstIndex(of: ":") else { return ("", name) }
    return (String(name[..<colon]), String(name[name.index(after: colon)...]))
  }

  private mutating func begin(_ name: String) {
    text = ""
    switch name {
    case "response": entry = Entry()
    case "propstat": (properties, isGood) = (Entry(), true)
    default: break
    }
  }

  private mutating func end(_ name: String, in path: [String]) {
    let value = text.trimmed
    text = ""
    switch (name, path.last) {
    case ("href", "response"): entry?.href = value
    case ("status", "propstat"): isGood = value.split(separator: " ").dropFirst().first == "200"
    case ("getetag", "prop"): properties.etag = value.isEmpty ? nil : value
    case ("getlastmodified", "prop"): properties.modified = value.isEmpty ? nil : value
    case ("getcontentlength", "prop"): properties.length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case ("collection", "resourcetype"): properties.isFolder = true
    case ("propstat", "response") where isGood:
      guard var found = entry else { break }
      found.etag = properties.etag ?? found.etag
      found.modified = properties.modified ?? found.modified
      found.length = properties.length ?? found.length
      if properties.isFolder { found.isFolder = true }
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
