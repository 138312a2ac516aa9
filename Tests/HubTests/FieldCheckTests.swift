import Hub
import Server
import Testing
import Wire

struct FieldCheckTests {
  enum Color: String { case red, green }

  static func check(_ text: String, nullIsNothing: Bool = false) throws -> FieldCheck {
    FieldCheck(try JSON(parsing: text), known: ["a", "b"], nullIsNothing: nullIsNothing)
  }

  /// The message of each check for a value, and its code, for which pages have words.
  @Test(arguments: [
    ("{}", "missing", "field-missing"), ("{\"a\":7}", "a number", "not-accepted"),
    ("{\"a\":\"\"}", "empty", "field-empty"),
    ("{\"a\":\" \\t\"}", "a control character", "field-control"), ("{\"a\":\"  \"}", "empty", "field-empty"),
    ("{\"a\":\"a\\u202eb\"}", "a control character", "field-control"), ("{\"a\":null}", "null", "not-accepted"),
    ("{\"a\":\"12345678901\"}", "11 characters; 1 to 10", "field-length"),
  ])
  func `a line is refused with the reason`(text: String, said: String, code: String) throws {
    var check = try Self.check(text)
    #expect(check.line("a", longest: 10, isNeeded: true) == nil)
    #expect(check.errors.map(\.field) == ["a"])
    #expect(check.errors[0].reason.code == code)
    #expect(check.errors[0].reason.text.contains(said), "\(check.errors[0].message)")
  }

  @Test func `a line loses the spaces around it and a text keeps them`() throws {
    var check = try Self.check(#"{"a":" Ada ","b":" two\nlines "}"#)
    #expect(check.line("a") == "Ada")
    #expect(check.text("b", longest: 20) == " two\nlines ")
    #expect(check.errors.isEmpty)
  }

  @Test func `a character with a thousand accents is too long`() throws {
    var check = try Self.check("{\"a\":\"e\(String(repeating: "\u{301}", count: 1_000))\"}")
    #expect(check.line("a", longest: 10) == nil)
    #expect(check.errors.map(\.reason.code) == ["field-length"])
  }

  @Test(arguments: [("7", 7), ("10", 10), ("11", nil), ("7.5", nil), ("\"7\"", nil), ("1e400", nil)])
  func `a whole number is one`(text: String, expected: Int?) throws {
    guard var check = try? Self.check("{\"a\":\(text)}") else { return }
    #expect(check.int("a", in: 1...10) == expected)
    #expect(check.errors.isEmpty == (expected != nil))
  }

  @Test func `a choice names what it takes`() throws {
    var check = try Self.check(#"{"a":"green","b":"blue"}"#)
    #expect(check.choice("a", among: [Color.red, .green]) == .green)
    #expect(check.choice("b", among: [Color.red, .green]) == nil)
    #expect(check.errors.map(\.message) == ["b: \"blue\"; one of red, green is accepted."])
  }

  @Test func `a list has an end`() throws {
    var check = try Self.check(#"{"a":[1,2,3],"b":{}}"#)
    #expect(check.list("a", of: "numbers", atMost: 3)?.count == 3)
    #expect(check.list("a", of: "numbers", atMost: 2) == nil)
    #expect(check.list("b", of: "numbers", atMost: 2) == nil)
    #expect(
      check.errors.map(\.message) == [
        "a: 3 numbers; a list of at most 2 numbers is accepted.",
        "b: an object; a list of at most 2 numbers is accepted.",
      ])
  }

  @Test(arguments: [
    ("http://a.example", true), ("HTTPS://a.example/x?y", true), ("ftp://a.example", false), ("https://", false),
    ("https://:80", false), ("javascript:alert(1)", false), ("https://a b", false), ("https://a\\b", false),
  ])
  func `an address is one of the web`(text: String, isOne: Bool) throws {
    var check = FieldCheck(["a": .string(text)], known: ["a"])
    #expect((check.webAddress("a", longest: 100) != nil) == isOne)
  }

  @Test func `null is nothing where a whole object is sent`() throws {
    var check = try Self.check(#"{"a":null}"#, nullIsNothing: true)
    #expect(check.line("a") == nil)
    #expect(check.errors.isEmpty)
    #expect(check.line("a", isNeeded: true) == nil)
    #expect(check.errors.map(\.message) == ["a: null; a text of 1 to 100 characters is needed."])
  }

  @Test func `all that is wrong is told at once, each beside its field`() throws {
    var check = try Self.check(#"{"a":7,"c":1}"#)
    _ = check.line("a")
    _ = check.flag("b")
    let refusal = try #require(throws: HTTPError.self) { try check.finish(help: "Do better.") }
    #expect(refusal.code == .invalidField && refusal.help == "Do better.")
    #expect(refusal.problems.map(\.field) == ["c", "a", "b"])
    #expect(refusal.error.hasPrefix("c: unknown; a, b are accepted. a: a number;"))
    #expect(FieldCheck(["c": 1], known: ["a"]).errors.map(\.message) == ["c: unknown; a is accepted."])
  }

  @Test func `of thousands of unknown fields the first are told`() throws {
    let members = (0..<9_000).map { JSON.Member("x\($0)", 0) }
    var check = FieldCheck(JSON.object(members + [JSON.Member("a", 7)]), known: ["a"])
    _ = check.line("a")
    let refusal = try #require(throws: HTTPError.self) { try check.finish(help: "") }
    #expect(refusal.problems.map(\.field) == (0..<20).map { "x\($0)" } + ["a"])
  }

  @Test func `what is no object has no fields`() throws {
    var check = try Self.check("[1]")
    #expect(check.line("a", isNeeded: true) == nil)
    let refusal = try #require(throws: HTTPError.self) { try check.finish(help: "") }
    #expect(refusal.error.hasPrefix("body: "))
    #expect(refusal.problems.isEmpty)
  }

  @Test(
    arguments: [
      (nil, "v1", true), ("\"v1\"", "v1", true), ("\"v0\"", "v1", false), ("W/\"v1\"", "v1", true), ("*", nil, false),
      ("*", "v1", true), ("\"v1\"", nil, false), ("nonsense", "v1", false),
    ] as [(String?, String?, Bool)])
  func `a change of another version than the kept one is refused`(condition: String?, kept: String?, isTaken: Bool) {
    var fields: Fields = Fields()
    if let condition { fields = Fields(["If-Match": condition]) }
    let request = Request(head: RequestHead(method: .put, target: "/", fields: fields))
    #expect(request.isConditional == (condition != nil))
    do throws(HTTPError) {
      try request.demand(unchanged: kept, "the list", now: 1_795_200_000)
      #expect(isTaken)
    } catch {
      #expect(!isTaken && error.code == .preconditionFailed && error.error.contains("the list"))
    }
  }
}
