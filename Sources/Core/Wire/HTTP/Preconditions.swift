/// The result of a request's conditions (RFC 9110 section 13).
public enum Precondition: Equatable, Sendable {
  /// Carry out the request.
  case proceed
  /// 304: the client has the current representation.
  case notModified
  /// 412: the representation is not the one that the client expects.
  case failed
}

/// An entity tag (RFC 9110 section 8.8.3), without its quotes.
struct EntityTag: Equatable, Sendable {
  var isWeak: Bool
  var opaque: String

  /// The tags of a comma-separated list, whose tags may contain commas; nil if anything else is in it.
  static func list(_ text: String) -> [EntityTag]? {
    let bytes = Array(text.utf8)
    var tags: [EntityTag] = []
    var position = 0
    var isSeparated = true
    while position < bytes.count {
      switch bytes[position] {
      case 32, 9: position += 1
      case UInt8(ascii: ","):
        isSeparated = true
        position += 1
      default:
        guard isSeparated, let tag = read(bytes, &position) else { return nil }
        tags.append(tag)
        isSeparated = false
      }
    }
    return tags
  }

  /// A single tag; nil for anything else.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    var position = 0
    guard let tag = Self.read(bytes, &position), position == bytes.count else { return nil }
    self = tag
  }

  init(isWeak: Bool, opaque: String) {
    self.isWeak = isWeak
    self.opaque = opaque
  }

  private static func read(_ bytes: [UInt8], _ position: inout Int) -> EntityTag? {
    let isWeak = bytes[position...].starts(with: "W/".utf8)
    let start = position + (isWeak ? 2 : 0)
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
    guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let opaque = bytes[(start + 1)..<end]
    guard opaque.allSatisfy({ $0 > 32 && $0 != 127 }) else { return nil }
    position = end + 1
    return EntityTag(isWeak: isWeak, opaque: String(decoding: opaque, as: UTF8.self))
  }
}

extension RequestHead {
  private var isRead: Bool { method == .get || method == .head }

  /// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since in the order of RFC 9110 section
  /// 13.2.2. To be called when the response would otherwise be a success.
  ///
  /// A malformed list of tags matches nothing, so a change with such a condition is not made.
  /// - Parameters:
  ///   - exists: true if the target exists now.
  ///   - etag: its strong entity tag, without quotes.
  ///   - lastModified: the time of its last change, in seconds since 1970.
  ///   - now: seconds since 1970.
  public func precondition(exists: Bool = true, etag: String?, lastModified: Int? = nil, now: Int) -> Precondition {
    if let wanted = fields.list("if-match") {
      guard exists,
        wanted == "*" || EntityTag.list(wanted)?.contains(where: { isMatch($0, etag) }) == true
      else { return .failed }
    } else if let limit = date("if-unmodified-since", now), let lastModified {
      if lastModified > limit { return .failed }
    }
    if let wanted = fields.list("if-none-match") {
      let isThere: Bool
      if wanted == "*" {
        isThere = exists
      } else if let tags = EntityTag.list(wanted) {
        isThere = exists && tags.contains { $0.opaque == etag }
      } else {
        isThere = !isRead
      }
      if isThere { return isRead ? .notModified : .failed }
    } else if isRead, let since = date("if-modified-since", now), let lastModified {
      if lastModified <= since { return .notModified }
    }
    return .proceed
  }

  /// True if a tag of If-Match is that of the representation, by the strong comparison. A change takes it also as a web
  /// server in front tells it that compresses answers: weak (nginx, Cloudflare), or with the coding behind it (Caddy,
  /// Apache). The state is the same.
  private func isMatch(_ tag: EntityTag, _ etag: String?) -> Bool {
    guard let etag else { return false }
    if isRead { return !tag.isWeak && tag.opaque == etag }
    return ["", "-gzip", "-br", "-zstd"].contains { tag.opaque == etag + $0 }
  }

  /// True if a Range may be served by the request's If-Range (RFC 9110 section 13.1.5): the same strong tag, or exactly
  /// the same date, if that is past and so cannot stand for two versions.
  func isRangeCurrent(etag: String?, lastModified: Int?, now: Int) -> Bool {
    guard let condition = fields["if-range"] else { return true }
    guard fields.count(of: "if-range") == 1 else { return false }
    if let tag = EntityTag(condition) { return !tag.isWeak && tag.opaque == etag }
    guard let lastModified, let date = HTTPDate.seconds(condition, now: now) else { return false }
    return date == lastModified && lastModified < now
  }

  /// A date that comes once and can be parsed; others are ignored (RFC 9110 sections 13.1.3 and 13.1.4).
  private func date(_ name: StaticString, _ now: Int) -> Int? {
    guard fields.count(of: name) == 1, let text = fields[name] else { return nil }
    return HTTPDate.seconds(text, now: now)
  }
}
