import CPcre2
import Lifecycle
import Synchronization

/// A pattern of Perl's kind, compiled by PCRE2. It is compiled once and may be used on several threads.
///
/// Each match has a limit of steps, so that a pattern that tries all ways through a text ends soon. What ran into the
/// limit did not match, and is counted: `overruns`. After some of those nothing matches any more.
public final class RegularExpression: @unchecked Sendable, Hashable {
  public let pattern: String
  public let options: String
  private let code: OpaquePointer
  private static let time = SystemTime()
  /// The number of matches that ended at the limit.
  private let counter = Atomic<Int>(0)
  /// The nanoseconds that the present object's texts have taken.
  private let taken = Atomic<Int>(0)

  public var overruns: Int { counter.load(ordering: .relaxed) }

  /// - Parameter options: letters of i (no difference between capitals and small letters), m (^ and $ at each line),
  ///   x (spaces and comments in the pattern), s (a dot is a line's end too).
  public init(_ pattern: String, options: String = "") throws(ObjectError) {
    var flags = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_UTF_CHECK | PCRE2_USE_OFFSET_LIMIT
    for option in options.utf8 {
      switch option {
      case UInt8(ascii: "i"): flags |= PCRE2_CASELESS
      case UInt8(ascii: "m"): flags |= PCRE2_MULTILINE
      case UInt8(ascii: "x"): flags |= PCRE2_EXTENDED
      case UInt8(ascii: "s"): flags |= PCRE2_DOTALL
      default: throw .query("Bad $options value for query: \(options.prefix(60)); i, m, x and s are accepted.")
      }
    }
    guard pattern.utf8.count <= ObjectsLimits.patternBytes else {
      throw .query(
        "$regex: a pattern of \(pattern.utf8.count) bytes; up to \(ObjectsLimits.patternBytes) are accepted.")
    }
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_parens_nest_limit_8(context, ObjectsLimits.patternLevels)
    var (error, place): (Int32, Int) = (0, 0)
    let bytes = Array(pattern.utf8)
    guard let code = pcre2_compile_8(bytes, bytes.count, flags, &error, &place, context) else {
      var words = [UInt8](repeating: 0, count: 160)
      pcre2_get_error_message_8(error, &words, words.count)
      let reason = String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)
      throw .query("$regex: not a regular expression: \(reason), at character \(place)")
    }
    self.code = code
    self.pattern = pattern
    self.options = options
  }

  deinit { pcre2_code_free_8(code) }

  /// Bytes of the compiled pattern; a few characters may become many thousand.
  var bytes: Int {
    var size = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_SIZE), &size)
    return size
  }

  /// To be called when a query comes to another object, whose texts have a time of their own.
  func begin() { taken.store(0, ordering: .relaxed) }

  /// True if the pattern is found anywhere in the text. In a query it is tried no more after some overruns, and no more
  /// with an object whose texts have taken too long together: a list may have tens of thousands of them.
  public func matches(_ text: String) -> Bool {
    let (before, most) = (overruns, Int(ObjectsLimits.patternObjectSeconds * 1e9))
    guard before < ObjectsLimits.overruns, taken.load(ordering: .relaxed) < most else { return false }
    let began = Self.time.uptime
    let isFound = isFound(in: text)
    let nanoseconds = Int((Self.time.uptime - began) * 1e9)
    let sum = taken.add(nanoseconds, ordering: .relaxed).newValue
    if !isFound, sum >= most, overruns == before { counter.add(1, ordering: .relaxed) }
    return isFound
  }

  /// The same for a pattern that outlives a query: the long texts of some do not end it for others.
  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let context = pcre2_match_context_create_8(nil)
      let found = pcre2_match_data_create_8(1, nil)
      defer {
        pcre2_match_data_free_8(found)
        pcre2_match_context_free_8(context)
      }
      pcre2_set_match_limit_8(context, UInt32(ObjectsLimits.patternSteps))
      pcre2_set_heap_limit_8(context, ObjectsLimits.patternKilobytes)
      // One step may go through the whole text, from each byte at which a match may begin. So some of these are tried,
      // then twice as many, and each time it is looked at how long it has taken.
      var width = ObjectsLimits.patternStarts
      let began = Self.time.uptime
      var start = 0
      while true {
        pcre2_set_offset_limit_8(context, start + width - 1)
        let result = pcre2_match_8(code, bytes.baseAddress, bytes.count, start, PCRE2_NO_UTF_CHECK, found, context)
        if result >= 0 { return true }
        let isOver = Self.time.uptime - began > ObjectsLimits.patternSeconds
        if isOver || [PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT].contains(result) {
          counter.add(1, ordering: .relaxed)
          return false
        }
        start += width
        width *= 2
        while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        if start > bytes.count { return false }
      }
    }
  }

  /// The bytes below 128 that mean themselves wherever they stand, without the option x.
  private static let literal = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#%&',-/:;<=>@_`~".utf8)

  /// The text with which each match has to begin, if the pattern says no more than that: `^abc`, `^\Qa.c\E`.
  var prefix: String? {
    var rest = Array(pattern.utf8)[...]
    guard options.utf8.allSatisfy({ $0 == UInt8(ascii: "s") }), rest.popFirst() == UInt8(ascii: "^") else { return nil }
    var prefix: [UInt8] = []
    while let next = rest.popFirst() {
      if next == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "Q") {
        while !rest.isEmpty, !rest.starts(with: "\\E".utf8) { prefix.append(rest.removeFirst()) }
        rest = rest.dropFirst(2)
      } else if next >= 128 || Self.literal.contains(next) {
        prefix.append(next)
      } else {
        return nil
      }
    }
    return prefix.isEmpty ? nil : String(decoding: prefix, as: UTF8.self)
  }

  public static func == (left: RegularExpression, right: RegularExpression) -> Bool {
    left.pattern == right.pattern && left.options == right.options
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(options)
  }
}
