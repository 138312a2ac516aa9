/// A range of a representation's bytes (RFC 9110 section 14), at least one.
public struct ByteRange: Equatable, Sendable {
  public var start: Int
  public var count: Int

  public init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }

  /// The value of Content-Range for a 206, such as `bytes 0-499/1234`.
  public func contentRange(of size: Int) -> String { "bytes \(start)-\(start + count - 1)/\(size)" }

  /// The value of Content-Range for a 416, such as `bytes */1234`.
  public static func unsatisfied(of size: Int) -> String { "bytes */\(size)" }
}

/// The part of a representation that a request asks for.
public enum RequestedRange: Equatable, Sendable {
  /// 200: all of it.
  case whole
  /// 206: one part, with `contentRange(of:)`.
  case part(ByteRange)
  /// 416: no byte that exists, with `ByteRange.unsatisfied(of:)`.
  case unsatisfiable
}

extension RequestHead {
  /// The part of a representation of `size` bytes to send, by Range and If-Range. To be called after `precondition`,
  /// when the response would otherwise be 200.
  ///
  /// A request for several ranges gets the whole, as RFC 9110 section 14.2 allows: players and downloads ask for one,
  /// and many small ones are an attack (section 17.15). Malformed ranges and other units are ignored, as section 14.2
  /// demands.
  /// - Parameters: as those of `precondition`.
  public func range(of size: Int, etag: String?, lastModified: Int? = nil, now: Int) -> RequestedRange {
    guard method == .get, fields.count(of: "range") == 1, let text = fields["range"],
      let range = Self.range(text, of: size)
    else { return .whole }
    return isRangeCurrent(etag: etag, lastModified: lastModified, now: now) ? range : .whole
  }

  /// Nil for a range to be ignored.
  static func range(_ text: String, of size: Int) -> RequestedRange? {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, equalsIgnoringCase(halves[0], "bytes") else { return nil }
    // Empty elements of a list are skipped (RFC 9110 section 5.6.1.2).
    let specs = halves[1].split(separator: ",").map(trimmed).filter { !$0.isEmpty }
    guard specs.count == 1 else { return nil }
    let ends = specs[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let length = position(ends[1]) else { return nil }
      if length == 0 { return .unsatisfiable }
      // No range of zero bytes can be written.
      return size == 0 ? nil : .part(ByteRange(start: max(0, size - length), count: min(length, size)))
    }
    guard let first = position(ends[0]) else { return nil }
    var last = Int.max
    if !ends[1].isEmpty {
      guard let end = position(ends[1]), end >= first else { return nil }
      last = end
    }
    if first >= size { return .unsatisfiable }
    return .part(ByteRange(start: first, count: min(last, size - 1) - first + 1))
  }

  /// A number of digits only; one that is too large becomes the largest, which is past every end.
  private static func position(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return Int(text) ?? Int.max
  }
}
