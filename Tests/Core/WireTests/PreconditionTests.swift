import Testing
import Wire

struct PreconditionTests {
  /// 1994-11-06T08:49:37Z, RFC 9110's own example.
  static let example = 784_111_777
  /// 2026-11-20T00:00:00Z.
  static let now = 1_795_132_800

  // MARK: Dates

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", example), ("Sunday, 06-Nov-94 08:49:37 GMT", example),
      ("Sun Nov  6 08:49:37 1994", example), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu Jan 01 00:00:00 1970", 0), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      // 2026 + 50 is the last future year that two digits can mean.
      ("Friday, 20-Nov-76 00:00:00 GMT", 3_373_056_000), ("Sunday, 20-Nov-77 00:00:00 GMT", 248_832_000),
    ] as [(String, Int)])
  func `a date is read in its three forms`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(text, now: Self.now) == seconds)
  }

  @Test(arguments: [
    "", "Sun", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
    "Mon, 06 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
    "Sun Nov 006 08:49:37 1994", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:3² GMT", "784111777",
  ])
  func `what is no date is none`(text: String) { #expect(HTTPDate.seconds(text, now: Self.now) == nil) }

  @Test func `dates are written and read as the same`() {
    for second in stride(from: -62_135_596_800, to: 253_402_300_799, by: 86_400 * 997 + 12_345) {
      #expect(HTTPDate.seconds(ResponseHead.date(second), now: Self.now) == second)
    }
  }

  // MARK: Conditions

  /// A request with these fields for a representation with the tag `a,b`, changed at `example`.
  static func ask(_ fields: KeyValuePairs<String, String>, _ method: Wire.Method = .get, exists: Bool = true)
    -> Precondition
  {
    RequestHead(method: method, target: "/", fields: Fields(fields))
      .precondition(
        exists: exists, etag: exists ? "a,b" : nil, lastModified: exists ? example : nil, now: now)
  }

  @Test(arguments: [
    ("\"a,b\"", true), ("W/\"a,b\"", true), ("\"x\", \"a,b\"", true), ("\"x\",,W/\"a,b\" ,", true), ("*", true),
    ("\"a\"", false), ("\"a\",\"b\"", false), ("a,b", false), ("\"a,b", false), ("\"a,b\"x", false),
    ("\"a,b\" \"x\"", false), ("w/\"a,b\"", false), ("\"x\", *", false), ("", false), (" ", false), ("W/", false),
    ("\"a,b\", x", false),
  ])
  func `If-None-Match compares tags, whatever is in them`(tags: String, isThere: Bool) {
    #expect(Self.ask(["If-None-Match": tags]) == (isThere ? .notModified : .proceed))
    #expect(Self.ask(["If-None-Match": tags], .head) == (isThere ? .notModified : .proceed))
    #expect(Self.ask(["If-None-Match": tags], exists: false) == .proceed)
  }

  @Test func `a change is held back where something is there, or where its condition cannot be read`() {
    for (tags, result) in [("*", Precondition.failed), ("\"a,b\"", .failed), ("\"x\"", .proceed), ("x", .failed)] {
      #expect(Self.ask(["If-None-Match": tags], .put) == result)
    }
    #expect(Self.ask(["If-None-Match": "*"], .put, exists: false) == .proceed)
  }

  @Test(arguments: [
    ("\"a,b\"", true, true), ("\"x\", \"a,b\"", true, true), ("*", true, true), ("W/\"a,b\"", false, true),
    ("\"a,b-gzip\"", false, true), ("W/\"a,b-br\"", false, true), ("\"a,b-\"", false, false),
    ("\"x-gzip\"", false, false), ("\"x\"", false, false), ("a,b", false, false), ("", false, false),
  ])
  func `If-Match compares strongly, but for a change takes a tag that a web server in front has altered`(
    tags: String, isThere: Bool, isThereForChange: Bool
  ) {
    for method: Wire.Method in [.get, .put, .delete] {
      let isThere = method == .get ? isThere : isThereForChange
      #expect(Self.ask(["If-Match": tags], method) == (isThere ? .proceed : .failed))
      #expect(Self.ask(["If-Match": tags], method, exists: false) == .failed)
    }
  }

  @Test func `dates are compared to the second`() {
    let (before, same, after) = (
      ResponseHead.date(Self.example - 1), ResponseHead.date(Self.example), ResponseHead.date(Self.example + 1)
    )
    #expect(Self.ask(["If-Modified-Since": before]) == .proceed)
    for date in [same, after] {
      #expect(Self.ask(["If-Modified-Since": date]) == .notModified)
      #expect(Self.ask(["If-Modified-Since": date], .put) == .proceed)
      #expect(Self.ask(["If-Modified-Since": date], exists: false) == .proceed)
      #expect(Self.ask(["If-Modified-Since": date, "if-modified-since": date]) == .proceed)
      #expect(Self.ask(["If-Unmodified-Since": date], .put) == .proceed)
    }
    #expect(Self.ask(["If-Unmodified-Since": before], .put) == .failed)
    #expect(Self.ask(["If-Unmodified-Since": before], .put, exists: false) == .proceed)
    #expect(Self.ask(["If-Unmodified-Since": "yesterday"], .put) == .proceed)
    #expect(Self.ask(["If-Modified-Since": "yesterday"]) == .proceed)
  }

  @Test func `tags come before dates, and what is to match before what is not to`() {
    let (before, after) = (ResponseHead.date(Self.example - 1), ResponseHead.date(Self.example + 1))
    #expect(Self.ask(["If-None-Match": "\"x\"", "If-Modified-Since": after]) == .proceed)
    #expect(Self.ask(["If-None-Match": "\"a,b\"", "If-Modified-Since": before]) == .notModified)
    #expect(Self.ask(["If-Match": "\"a,b\"", "If-Unmodified-Since": before]) == .proceed)
    #expect(Self.ask(["If-Match": "\"x\"", "If-None-Match": "\"a,b\""]) == .failed)
    #expect(Self.ask(["If-Match": "*", "If-None-Match": "\"a,b\""]) == .notModified)
    #expect(Self.ask(["If-Unmodified-Since": before, "If-None-Match": "\"a,b\""]) == .failed)
  }

  @Test func `a list may come in several fields`() {
    #expect(Self.ask(["If-None-Match": "\"x\"", "if-none-match": "\"a,b\""]) == .notModified)
    #expect(Self.ask(["If-Match": "\"x\"", "if-match": "\"a,b\""]) == .proceed)
  }

  // MARK: Ranges

  static func range(_ text: String, of size: Int = 1000, _ more: [(String, String)] = [], _ method: Wire.Method = .get)
    -> RequestedRange
  {
    var fields = "GET / HTTP/1.1\r\nHost: a\r\nRange: \(text)\r\n"
    for (name, value) in more { fields += "\(name): \(value)\r\n" }
    var parser = RequestParser()
    var head: RequestHead?
    Array((fields + "\r\n").utf8).withUnsafeBufferPointer { input in
      var position = 0
      if case .head(let found)? = try? parser.next(input, &position) { head = found }
    }
    head?.method = method
    return head!.range(of: size, etag: "a,b", lastModified: example, now: now)
  }

  static func part(_ start: Int, _ count: Int) -> RequestedRange { .part(ByteRange(start: start, count: count)) }

  @Test(arguments: [
    ("bytes=0-499", part(0, 500)), ("bytes=500-999", part(500, 500)), ("bytes=500-", part(500, 500)),
    ("bytes=-500", part(500, 500)), ("bytes=0-0", part(0, 1)), ("bytes=-1", part(999, 1)),
    ("bytes=999-", part(999, 1)), ("bytes=0-5000", part(0, 1000)), ("bytes=-5000", part(0, 1000)),
    ("BYTES=1-1", part(1, 1)), ("bytes= 1-1 ,", part(1, 1)), ("bytes=,1-1", part(1, 1)),
    ("bytes=0-99999999999999999999999", part(0, 1000)), ("bytes=-99999999999999999999999", part(0, 1000)),
    ("bytes=1000-", .unsatisfiable), ("bytes=1000-2000", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ("bytes=99999999999999999999999-", .unsatisfiable),
    // Several ranges, malformed ones, or another unit: the whole.
    ("bytes=0-1,3-4", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=1", .whole), ("bytes=4-3", .whole),
    ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes=1-2-3", .whole), ("bytes=1 - 2", .whole),
    ("bytes 0-1", .whole), ("bytes =0-1", .whole), ("items=0-1", .whole), ("bytes=0x1-2", .whole), ("0-1", .whole),
    ("bytes=--1", .whole), ("bytes=²-", .whole),
  ])
  func `a range is read`(text: String, expected: RequestedRange) {
    #expect(Self.range(text) == expected)
    #expect(Self.range(text, of: 1000, [], .head) == .whole)
  }

  @Test func `nothing has no part`() {
    #expect(Self.range("bytes=0-", of: 0) == .unsatisfiable)
    #expect(Self.range("bytes=-5", of: 0) == .whole)
    #expect(Self.range("bytes=0-1", [("range", "bytes=2-3")]) == .whole)
  }

  @Test(arguments: [
    ("\"a,b\"", true), ("W/\"a,b\"", false), ("\"x\"", false), ("\"a,b\", \"x\"", false), ("*", false), ("a,b", false),
    (ResponseHead.date(example), true), (ResponseHead.date(example + 1), false),
    (ResponseHead.date(example - 1), false), ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("yesterday", false),
  ])
  func `If-Range sends the whole when it is another`(condition: String, isSame: Bool) {
    #expect(Self.range("bytes=0-0", [("If-Range", condition)]) == (isSame ? Self.part(0, 1) : .whole))
    // It applies to 416 too, which depends on the version.
    #expect(Self.range("bytes=5000-", [("If-Range", condition)]) == (isSame ? .unsatisfiable : .whole))
  }

  @Test func `a date of this very second is no proof`() {
    let head = RequestHead(
      method: .get, target: "/", fields: Fields(["Range": "bytes=0-0", "If-Range": ResponseHead.date(Self.now)]))
    #expect(head.range(of: 9, etag: nil, lastModified: Self.now, now: Self.now) == .whole)
    #expect(head.range(of: 9, etag: nil, lastModified: Self.now, now: Self.now + 1) == Self.part(0, 1))
  }

  @Test func `Content-Range says which part of how much`() {
    #expect(ByteRange(start: 0, count: 500).contentRange(of: 1234) == "bytes 0-499/1234")
    #expect(ByteRange.unsatisfied(of: 1234) == "bytes */1234")
  }
}
