import Testing
import Webhooks
import Wire

/// Texts of JSON, at their boundaries.
struct HookTemplateTests {
  static let json: JSON = [
    "repository": ["full_name": "octo/boat", "private": false, "empty": nil],
    "commits": [["message": "Fix the light"], ["message": "Row\r\nfaster\u{7}"]], "count": 2, "ratio": 0.5,
    "a key": "spaced", "": "nameless",
  ]

  static func text(_ template: String, _ json: JSON = json, longest: Int = 1_000) throws -> String {
    try HookTemplate(template).text(of: json, longest: longest)
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("{{repository.full_name}}", "octo/boat"),
    ("{{ commits[0].message }}!", "Fix the light!"), ("{{count}}{{ratio}}", "20.5"),
    ("{{repository.private}}", "false"),
    ("<{{repository.empty}}>", "<>"), ("<{{missing.path[3]}}>", "<>"), ("{{commits[2].message}}", ""),
    ("{{count.of}}", ""), ("{{commits.message}}", ""), ("{{repository[0]}}", ""), ("{{a key}}", "spaced"),
    ("{ {count} }", "{ {count} }"), ("}} {{count}}", "}} 2"), ("{{commits[0]}}", #"{"message":"Fix the light"}"#),
    ("{{commits[1].message}}", "Row\nfaster "),
  ])
  func `a path names a value, and what is not there is empty`(template: String, text: String) throws {
    #expect(try Self.text(template) == text)
  }

  @Test func `a list is entered by a number, also at the top and twice`() throws {
    #expect(try Self.text("{{[1].x[0][1]}}", [1, ["x": [[7, 8]]]]) == "8")
    #expect(try Self.text("{{[1]}}", ["no", "list"]) == "list")
    #expect(try Self.text("{{[1]}}", "text") == "")
  }

  @Test(arguments: [
    "{{", "{{a", "{{}}", "{{ }}", "{{a..b}}", "{{.a}}", "{{a.}}", "{{a[}}", "{{a[]}}", "{{a[x]}}", "{{a[-1]}}",
    "{{a[1]b}}", "{{a]}}", "{{a[1234567]}}", "{{{a}}}", "{{a{b}}",
  ])
  func `what is no path is refused when the template is made`(template: String) {
    #expect(throws: HookTemplate.Fault.self) { try HookTemplate(template) }
  }

  @Test func `templates and their paths have an end`() throws {
    #expect(throws: HookTemplate.Fault.self) { try HookTemplate(String(repeating: "x", count: 2_001)) }
    #expect(try Self.text(String(repeating: "x", count: 2_000), longest: 2_000).utf8.count == 2_000)
    #expect(throws: HookTemplate.Fault.self) { try HookTemplate(String(repeating: "{{a}}", count: 51)) }
    #expect(try Self.text(String(repeating: "{{count}}", count: 50)).count == 50)
    let path = Array(repeating: "a", count: 20).joined(separator: ".")
    #expect(try Self.text("{{\(path)}}") == "")
    #expect(throws: HookTemplate.Fault.self) { try HookTemplate("{{\(path).a}}") }
  }

  @Test func `a text that is too long is cut between characters`() throws {
    let json: JSON = ["a": .string(String(repeating: "ö", count: 100))]
    #expect(try Self.text("{{a}}", json, longest: 200) == String(repeating: "ö", count: 100))
    #expect(try Self.text("{{a}}", json, longest: 14) == "ööööö…")
    #expect(try Self.text("{{a}}", json, longest: 2) == "")
    let long: JSON = ["a": .string(String(repeating: "a", count: 60_000))]
    #expect(try Self.text("{{a}}{{a}}", long, longest: 100_000).utf8.count == 8_000)
  }

  @Test func `a value is not looked through for places`() throws {
    #expect(try Self.text("{{a}}", ["a": "{{b}}", "b": "no"]) == "{{b}}")
  }

  // MARK: Contents

  static func make(_ template: JSON, of json: JSON = json) throws -> ContentTemplate.Made {
    try ContentTemplate(template).make(of: json, name: "GitHub")
  }

  @Test func `a content has what is not empty, each member in its form`() throws {
    let made = try Self.make([
      "title": " {{repository.full_name}}\n {{missing}} now ", "body": "\n{{commits[0].message}}  \n\n\n {{count}} \n",
      "subtitle": "{{missing}}", "thread": "{{repository.full_name}}", "collapse_id": "{{count}}",
    ])
    #expect(
      made.content == [
        "title": "octo/boat now", "body": "Fix the light\n\n2", "thread": "octo/boat", "sound": "default",
      ])
    #expect(made.collapseID == "2")
  }

  @Test func `without a title and a body the hook's name is the title`() throws {
    let made = try Self.make(["title": "{{missing}}", "body": " ", "thread": "x"])
    #expect(made.content == ["title": "GitHub", "thread": "x", "sound": "default"])
  }

  @Test(arguments: [
    ("https://a.example/1", true), ("http://a.example/", true), ("/bells", true), ("//evil.example", false),
    ("javascript:alert(1)", false), ("https://", false), ("https://a b", false), ("ftp://a", false), ("/\\a", false),
  ])
  func `an address that cannot be opened is left out`(address: String, isKept: Bool) throws {
    let made = try Self.make(["title": "x", "url": "{{u}}"], of: ["u": .string(address)])
    #expect(made.content["url"] == (isKept ? .string(address) : nil))
  }

  @Test func `an address that was cut is none, and so is a level that is not known`() throws {
    let long = "https://a.example/" + String(repeating: "a", count: 3_000)
    #expect(try Self.make(["title": "x", "url": "{{u}}"], of: ["u": .string(long)]).content["url"] == nil)
    for (level, kept) in [("critical", true), ("passive", true), ("loud", false)] {
      let made = try Self.make(["title": "x", "interruption_level": "{{l}}"], of: ["l": .string(level)])
      #expect((made.content["interruption_level"] != nil) == kept)
      #expect((made.content["sound"] == nil) == (level == "passive"))
    }
  }

  @Test func `long names stay apart from each other`() throws {
    func collapse(_ end: String) throws -> String? {
      let id = String(repeating: "x", count: 100) + end
      return try Self.make(["title": "x", "collapse_id": "{{i}}"], of: ["i": .string(id)]).collapseID
    }
    let (one, other) = (try #require(try collapse("1")), try collapse("2"))
    #expect(one.utf8.count <= 64 && one != other)
    #expect(try collapse("1") == one)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"subtitle": "x"}"#, #"{"title": 1}"#, #"{"title": "x", "badge": "1"}"#, #"{"title": "{{"}"#,
  ])
  func `what is no template is refused`(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(throws: ContentTemplate.Fault.self) { try ContentTemplate(json) }
  }

  @Test func `a template is kept as it was written`() throws {
    let json: JSON = ["title": "{{ a }}", "body": "{{b[0]}}"]
    #expect(try ContentTemplate(json).json == json)
  }
}
