import CivilTime
import Ntfy
import Testing
import Wire

/// 2026-11-21 (a Saturday), 12:00:00 UTC.
let noon = 1_795_262_400.0

func published(
  _ body: String = "", _ headers: [(name: String, value: String)] = [], query: [String: String] = [:],
  contentType: String? = nil
) throws(NtfyFault) -> NtfyMessage {
  try NtfyMessage(
    topic: "coffee", NtfyParameters(headers: headers, query: query), body: Array(body.utf8), contentType: contentType,
    now: noon, zone: .utc)
}

func read(_ json: String, _ headers: [(name: String, value: String)] = []) throws(NtfyFault) -> NtfyMessage {
  try NtfyMessage(
    json: Array(json.utf8), NtfyParameters(headers: headers, query: [:]), now: noon, zone: .utc)
}

struct MessageTests {
  @Test func `the body is the message, and nothing at all is a message, too`() throws {
    #expect(try published(" Backup done\n").message == "Backup done")
    #expect(try published().message == "triggered")
    #expect(try published(query: ["message": "one\\ntwo"]).message == "one\ntwo")
    #expect(try published("body", [("Message", "header")]).message == "body")
  }

  @Test func `a text goes without zero bytes, which no JSON here has`() throws {
    #expect(try published("one\u{0}two\u{0}").message == "onetwo")
    #expect(try published("\u{0}").message == "triggered")
    let bytes = try published("a\u{0}b", query: ["up": "1"])
    #expect(bytes.message == "YQBi" && bytes.isBinary)
  }

  @Test(arguments: ["Title", "X-Title", "x-title", "TITLE", "t", "X-T"])
  func `a field may be spelt in several ways`(name: String) throws {
    #expect(try published("m", [(name, "Hello")]).title == "Hello")
    #expect(try published("m", query: [name: "Hello"]).title == "Hello")
  }

  @Test func `a header counts before a parameter, and an empty one does not count`() throws {
    #expect(try published("m", [("Title", "header")], query: ["title": "query"]).title == "header")
    #expect(try published("m", [("Title", "")], query: ["title": "query"]).title == "query")
  }

  @Test(arguments: [
    ("=?UTF-8?B?8J+NlSBHcsO8w59l?=", "🍕 Grüße"), ("=?utf-8?q?Gr=C3=BC=C3=9Fe_an_alle?=", "Grüße an alle"),
    ("a =?UTF-8?B?Yg==?= =?UTF-8?B?Yw==?= d", "a bc d"), ("Grüße", "Grüße"), ("=?nothing", "=?nothing"),
    ("=?UTF-8?B?!!?= x", "=?UTF-8?B?!!?= x"), ("=?UTF-8?B?/w==?=", "=?UTF-8?B?/w==?="), ("1 =? 2", "1 =? 2"),
    ("=?UTF-8?B?YQBi?=", "=?UTF-8?B?YQBi?="),
    ("=?latin1?Q?=FC?=", "=?latin1?Q?=FC?="),
  ])
  func `encoded words are decoded, and what is none stays`(value: String, text: String) throws {
    #expect(try published("m", [("Title", value)]).title == text)
  }

  @Test(
    arguments: [
      ("1", 1), ("5", 5), ("min", 1), ("low", 2), ("default", 3), ("high", 4), ("URGENT", 5), ("max", 5),
      ("u=1, i", nil),
    ] as [(String, Int?)])
  func `priorities have numbers and names`(word: String, priority: Int?) throws {
    #expect(try published("m", [("Priority", word)]).priority == priority)
  }

  @Test(arguments: ["u=1, i", "i", "u=3, i=?0", "u=7"])
  func `a browser's own field leaves the message's priority alone, and asks for none`(field: String) throws {
    let own = [(name: "Priority", value: field)]
    #expect(try published("m", own, query: ["priority": "5"]).priority == 5)
    #expect(try published("m", own + [(name: "X-Priority", value: "high")]).priority == 4)
    #expect(
      try NtfyFilter(NtfyParameters(headers: own, query: [:])) == NtfyFilter(NtfyParameters(headers: [], query: [:])))
  }

  @Test(arguments: ["0", "6", "-1", "highest", "3.5", "1e0"])
  func `other priorities are refused`(word: String) {
    #expect(throws: NtfyFault.self) { try published("m", query: ["p": word]) }
    let fault = #expect(throws: NtfyFault.self) { try published("m", [("prio", word)]) }
    #expect(fault?.code == 40_007 && fault?.status == 400)
  }

  @Test func `tags are between commas`() throws {
    #expect(try published("m", [("Tags", "warning, disk full,,")]).tags == ["warning", "disk full"])
    let many = Array(repeating: "x", count: NtfyLimits.tags).joined(separator: ",")
    #expect(try published("m", [("ta", many)]).tags.count == NtfyLimits.tags)
    #expect(throws: NtfyFault.self) { try published("m", [("ta", many + ",x")]) }
  }

  @Test func `a message of the most bytes is accepted, one more is refused`() throws {
    let most = String(repeating: "x", count: NtfyLimits.messageBytes)
    #expect(try published(most).message == most)
    let fault = #expect(throws: NtfyFault.self) { try published(most + "x") }
    #expect(fault?.code == 40_014)
  }

  @Test func `files are refused, unless they are elsewhere`() throws {
    let fault = #expect(throws: NtfyFault.self) { try published("bytes", [("Filename", "a.jpg")]) }
    #expect(fault?.code == 40_014)
    let elsewhere = try published("look", [("Attach", "https://example.org/a/flower.jpg?x=1")])
    #expect(elsewhere.attachment?.name == "flower.jpg" && elsewhere.message == "look")
    let named = try published("", [("Attach", "https://example.org/1"), ("f", "rose.jpg")])
    #expect(named.attachment?.name == "rose.jpg" && named.message == "You received a file: rose.jpg")
    for url in ["ftp://example.org/a", "/a", "javascript:x", "https://a b"] {
      let fault = #expect(throws: NtfyFault.self) { try published("m", [("a", url)]) }
      #expect(fault?.code == 40_013)
    }
  }

  @Test func `bytes that are no text are base64 for UnifiedPush, and refused otherwise`() throws {
    let bytes: [UInt8] = [0xFF, 0, 1, 2]
    func made(_ query: [String: String]) throws(NtfyFault) -> NtfyMessage {
      try NtfyMessage(
        topic: "up", NtfyParameters(headers: [], query: query), body: bytes, contentType: nil, now: noon, zone: .utc)
    }
    let message = try made(["up": "1"])
    #expect(message.message == "/wABAg==" && message.isBinary)
    #expect(message.content["ntfy"]?["encoding"] == "base64")
    #expect(throws: NtfyFault.self) { try made([:]) }
  }

  @Test(arguments: [(3, "////"), (2, "//8="), (1, "/w==")])
  func `base64 has its padding`(count: Int, text: String) throws {
    let message = try NtfyMessage(
      topic: "up", NtfyParameters(headers: [], query: ["up": "1"]), body: Array(repeating: 255, count: count),
      contentType: nil, now: noon, zone: .utc)
    #expect(message.message == text)
  }

  @Test func `what the hub does not do is refused, and not left out`() {
    let fields = [
      ("Email", "a@example.org"), ("Call", "yes"), ("Template", "yes"), ("X-Template", "github"), ("tpl", "grafana"),
    ]
    for field in fields {
      #expect(throws: NtfyFault.self, "\(field)") { try published("m", [field]) }
    }
    #expect(throws: Never.self) { try published("m", [("Template", "no")]) }
    #expect(throws: NtfyFault.self) { try published("m", [("Cache", "no"), ("In", "1h")]) }
    #expect(throws: NtfyFault.self) { try published("m", [("Sequence-ID", "a/b")]) }
  }

  @Test func `JSON says the same as fields do`() throws {
    let fields: [(name: String, value: String)] = [
      ("Title", "T"), ("Priority", "4"), ("Tags", "a,b"), ("Click", "https://example.org"), ("Markdown", "yes"),
      ("Icon", "https://example.org/i.png"), ("Attach", "https://example.org/f.pdf"), ("Filename", "g.pdf"),
      ("Delay", "30m"), ("X-Sequence-ID", "s1"), ("Actions", "view, Open, https://example.org"),
    ]
    let json = """
      {"topic": "coffee", "message": "M", "title": "T", "priority": 4, "tags": ["a", "b"], "markdown": true,
       "click": "https://example.org", "icon": "https://example.org/i.png", "attach": "https://example.org/f.pdf",
       "filename": "g.pdf", "delay": "30m", "sequence_id": "s1",
       "actions": [{"action": "view", "label": "Open", "url": "https://example.org"}]}
      """
    #expect(try read(json) == published("M", fields))
  }

  @Test func `what JSON does not say may stand beside it`() throws {
    let fields = [(name: "X-Priority", value: "high"), (name: "X-Title", value: "beside"), (name: "Tags", value: "a")]
    let message = try read("{\"topic\": \"coffee\", \"message\": \"M\", \"title\": \"T\"}", fields)
    #expect(message.priority == 4 && message.title == "T" && message.tags == ["a"])
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"topic\": \"\"}", "{\"topic\": 1}", "{\"topic\": \"a b\"}", "{\"topic\": \"a\", \"title\": 1}",
    "{\"topic\": \"a\", \"priority\": 9}", "{\"topic\": \"a\", \"tags\": [1]}", "{\"topic\": \"a\", \"actions\": 1}",
    "{\"topic\": \"a\", \"markdown\": \"perhaps\"}", "{\"topic\": \"a\", \"delay\": \"whenever\"}",
    "{\"topic\": \"a\", \"email\": \"a@b\"}", "{\"topic\": \"a\"",
  ])
  func `other JSON is refused`(text: String) {
    #expect(throws: NtfyFault.self) { try read(text) }
  }

  @Test func `a message becomes a notification for every device`() throws {
    let message = try published(
      "Disk full",
      [
        ("Title", "nas"), ("Priority", "5"), ("Tags", "warning,disk"), ("Click", "https://example.org"),
        ("Sequence-ID", "disk"), ("At", "tomorrow, 10am"),
      ])
    let request = message.request { "at \(Int($0 - noon))" }
    #expect(request["to"] == ["topic": "coffee"] && request["priority"] == "high")
    #expect(request["collapse_id"] == "ntfy coffee/disk")
    #expect(request["at"] == .string("at \(22 * 3_600)"))
    let content = try #require(request["content"])
    #expect(content["title"] == "nas" && content["body"] == "Disk full" && content["subtitle"] == "⚠️ disk")
    #expect(content["interruption_level"] == "critical" && content["url"] == "https://example.org")
    #expect(content["sound"] == "default")
    #expect(try published("m", [("Priority", "2")]).content["sound"] == nil)
    let long = try published("m", [("Sequence-ID", String(repeating: "x", count: NtfyLimits.sequenceBytes))])
    #expect(long.request { _ in "" }["collapse_id"]?.string?.utf8.count == 43, "a digest")
    // An address that browsers do not open is for ntfy's clients alone.
    let other = try published("m", [("Click", "geo:53.1,8.8")]).content
    #expect(other["url"] == nil && other["ntfy"]?["click"] == "geo:53.1,8.8")
    let buttons = (name: "Actions", value: "http, Off, https://example.org/off; view, Open, https://example.org/b")
    #expect(try published("m", [buttons]).content["url"] == "https://example.org/b")
    #expect(try published("m", [buttons, ("Click", "https://example.org")]).content["url"] == "https://example.org")
  }
}
