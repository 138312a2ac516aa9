import CivilTime
import Ntfy
import Testing
import Wire

struct DelayTests {
  /// Noon of a Saturday in UTC.
  @Test(
    arguments: [
      ("30m", 1_800), ("3 hours", 10_800), ("1h30m", 5_400), ("2 days", 172_800), ("10s", 10), ("in 5 min", 300),
      ("1795262401", 1), ("1pm", 3_600), ("12:30", 1_800), ("11am", 23 * 3_600), ("noon", 86_400),
      ("today 6:15 pm", 22_500), ("tomorrow, 10am", 22 * 3_600), ("tomorrow at 10 am", 22 * 3_600),
      ("tomorrow", 86_400), ("10am, tomorrow", 22 * 3_600), ("Sunday, 12am", 12 * 3_600), ("sat 1pm", 3_600),
      ("Saturday, 7am", 7 * 86_400 - 5 * 3_600), ("next tuesday 7:30", 3 * 86_400 - 16_200), ("midnight", 12 * 3_600),
    ] as [(String, Double)])
  func `times are said in words`(text: String, seconds: Double) throws {
    #expect(try NtfyDelay.instant(text, now: noon, zone: .utc) == noon + seconds)
  }

  @Test func `times of day are those of the hub`() throws {
    let east = Zone(name: "east", transitions: [], initialOffset: 3_600)
    #expect(try NtfyDelay.instant("1:30pm", now: noon, zone: east) == noon + 1_800)
  }

  @Test(arguments: [
    ("", 40_004), ("soon", 40_004), ("25:00", 40_004), ("13pm", 40_004), ("0am", 40_004), ("10", 40_005),
    ("30", 40_005), ("tomorrow tomorrow", 40_004), ("10am 11am", 40_004), ("today", 40_005), ("today 11am", 40_005),
    ("-5m", 40_004), ("1795262400", 40_005), ("401 days", 40_006), ("999999999999", 40_006), ("1.2.3h", 40_004),
    (String(repeating: "9", count: 101), 40_004), ("10 parsecs", 40_004), ("am", 40_004), ("to 5pm", 40_004),
  ])
  func `other times are refused`(text: String, code: Int) {
    let fault = #expect(throws: NtfyFault.self) { try NtfyDelay.instant(text, now: noon, zone: .utc) }
    #expect(fault?.code == code)
  }
}

struct ActionTests {
  static func actions(_ text: String) throws(NtfyFault) -> JSON {
    let message = try published("m", [("Actions", text)])
    return .array(message.actions)
  }

  @Test func `the simple format says what JSON says`() throws {
    let simple = """
      view, Open portal, https://home.nest.com/, clear=true; action=http, label='Turn, "down"', \
      url=https://api.nest.com/, method=put, headers.Authorization=Bearer x, body={"a": "b\\;"} ; copy, Copy, 123
      """
    let json = """
      [{"action": "view", "label": "Open portal", "url": "https://home.nest.com/", "clear": true},
       {"action": "http", "label": "Turn, \\"down\\"", "url": "https://api.nest.com/", "method": "PUT",
        "headers": {"Authorization": "Bearer x"}, "body": "{\\"a\\": \\"b\\\\"},
       {"action": "copy", "label": "Copy", "value": "123"}]
      """
    // Without quotes a semicolon ends a button, whatever stands before it.
    #expect(throws: NtfyFault.self) { try Self.actions(simple) }
    let quoted = simple.replacing("body={\"a\": \"b\\;\"}", with: "body='{\"a\": \"b\\\\'")
    #expect(try Self.actions(quoted) == Self.actions(json))
  }

  @Test func `what is not said is what ntfy says then`() throws {
    #expect(
      try Self.actions("http, Go, https://example.org")
        == [
          [
            "id": "action1", "action": "http", "label": "Go", "clear": false, "url": "https://example.org",
            "method": "POST",
          ]
        ])
    #expect(
      try Self.actions("broadcast, Take picture, extras.cmd=pic, extras.camera=front")
        == [
          [
            "id": "action1", "action": "broadcast", "label": "Take picture", "clear": false,
            "extras": ["cmd": "pic", "camera": "front"],
          ]
        ])
    #expect(try Self.actions("[]") == [] && Self.actions(" ; ") == [])
  }

  @Test(arguments: [
    "view", "view, Open", "fly, Off, https://example.org", "http, Go, gopher://example.org", "view, \"Open",
    "view, \"Open\" now, https://example.org", "view, Open, https://example.org, whatever", "[", "{}", "[1]",
    "[{\"action\": \"view\"}]", "[{\"action\": \"view\", \"label\": 1, \"url\": \"x\"}]",
    "[{\"action\": \"http\", \"label\": \"x\", \"url\": \"https://x\", \"headers\": [1]}]",
    "view, a, b; view, a, b; view, a, b; view, a, b", "copy, Copy",
    String(repeating: "x", count: NtfyLimits.actionsBytes + 1),
  ])
  func `other buttons are refused`(text: String) {
    let fault = #expect(throws: NtfyFault.self) { try Self.actions(text) }
    #expect(fault?.code == 40_018)
  }
}

struct NameTests {
  @Test(arguments: [
    ("coffee", true), ("Disk_full-2", true), ("upAbC123", true), ("a,b", true), ("space", false), ("SPACE", false),
    ("a,space", false), ("a.b", false), ("favicon.ico", false), ("", false), ("a,", false), ("-a", false),
    ("ä", false), (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
  ])
  func `names stand at the root unless they mean something else`(name: String, isAtRoot: Bool) {
    #expect(TopicNames.areAtRoot(name, reserved: ["space"]) == isAtRoot)
  }

  @Test func `a list has each topic once, and an end`() throws {
    #expect(try TopicNames.list("a,b.c,a") == ["a", "b.c"])
    let names = (0..<NtfyLimits.topics).map { "t\($0)" }
    #expect(try TopicNames.list(names.joined(separator: ",")) == names)
    #expect(throws: NtfyFault.self) { try TopicNames.list((names + ["more"]).joined(separator: ",")) }
    for text in ["", ",", "a,,b", "a b"] { #expect(throws: NtfyFault.self) { try TopicNames.list(text) } }
  }
}

struct SinceTests {
  @Test(
    arguments: [
      (nil, false, .none), (nil, true, .all), ("", true, .all), ("all", false, .all), ("none", true, .none),
      ("latest", false, .latest), ("10m", false, .time(noon - 600)), ("1795262000", false, .time(1_795_262_000)),
      ("1795262400123456", false, .id(1_795_262_400_123_456)), ("SLiKI64DOtxy", false, .all),
    ] as [(String?, Bool, NtfySince)])
  func `earlier messages are asked for in several ways`(text: String?, isPoll: Bool, since: NtfySince) throws {
    #expect(try NtfySince(text, isPoll: isPoll, now: noon) == since)
  }

  @Test(arguments: ["yesterday", "-5", "10x", "1.5", "99999999999999999999", "Sl iKI64DOtxy"])
  func `other ways are refused`(text: String) {
    let fault = #expect(throws: NtfyFault.self) { try NtfySince(text, isPoll: false, now: noon) }
    #expect(fault?.code == 40_008)
  }
}

struct CredentialTests {
  @Test(
    arguments: [
      ("Bearer eb_x", nil, .token("eb_x")), ("Basic bmFtZTplYl94", nil, .token("eb_x")),
      ("basic OmViX3g=", nil, .token("eb_x")), ("Basic ZWJfeDo=", nil, .token("eb_x")), (nil, nil, .none),
      (nil, "", .none), (nil, "QmVhcmVyIGViX3g", .token("eb_x")), (nil, "QmFzaWMgYm1GdFpUcGxZbDk0", .token("eb_x")),
      ("Bearer a", "QmVhcmVyIGViX3g", .token("a")), ("Bearer", nil, .unreadable), ("Basic", nil, .unreadable),
      ("vapid t=a.b.c, k=d", nil, .none), ("WebPush x", "QmVhcmVyIGViX3g", .token("eb_x")),
      (nil, "dmFwaWQgdD1h", .unreadable),
      ("Basic ZWJfeDpOb25l", nil, .token("eb_x")), ("Basic ZWJfYTplYl94", nil, .token("eb_x")),
      ("Basic !", nil, .unreadable), ("Basic ZWI=", nil, .unreadable), ("Basic Og==", nil, .none),
      (nil, "!!", .unreadable), (nil, "_____w", .unreadable), (nil, String(repeating: "QUFB", count: 126), .unreadable),
    ] as [(String?, String?, NtfyCredential)])
  func `a token comes in several ways`(header: String?, query: String?, credential: NtfyCredential) {
    #expect(NtfyCredential(header: header, query: query) == credential)
  }
}

struct EventTests {
  static func event(_ content: JSON, collapse: String? = nil) -> NtfyEvent? {
    NtfyEvent(
      id: 7, at: noon + 0.9, topic: "coffee", content: content, collapseID: collapse, base: "https://hub.example")
  }

  @Test func `a message comes back as it was published`() throws {
    let message = try published(
      "M",
      [
        ("Title", "T"), ("Priority", "1"), ("Tags", "tada"), ("Click", "geo:1,2"), ("Attach", "https://example.org/f"),
        ("Actions", "view, Open, https://example.org"), ("Markdown", "1"), ("Icon", "https://example.org/i.png"),
        ("Sequence-ID", "s"),
      ])
    let event = try #require(Self.event(message.content, collapse: "ntfy coffee/s"))
    #expect(
      event.json == [
        "id": "7", "time": .int(Int(noon)), "expires": .int(Int(noon) + 43_200), "event": "message",
        "topic": "coffee", "sequence_id": "s", "title": "T", "message": "M", "priority": 1, "tags": ["tada"],
        "click": "geo:1,2", "icon": "https://example.org/i.png", "actions": .array(message.actions),
        "attachment": ["name": "f", "url": "https://example.org/f"], "content_type": "text/markdown",
      ])
    #expect(event.line == event.json.bytes + [10])
    #expect(Self.event(["body": "older", "ntfy": [:]], collapse: "s")?.json["sequence_id"] == "s")
  }

  @Test func `a file that the hub keeps is attached by its address`() throws {
    let named = NtfyParameters(headers: [("Filename", "door.jpg")], query: [:])
    #expect(NtfyMessage.isFile([1], named) && !NtfyMessage.isFile([], named))
    let message = try NtfyMessage(
      topic: "door", named, body: [], file: ("/files/1", "image/jpeg"), contentType: nil, now: noon, zone: .utc)
    #expect(message.message == "You received a file: door.jpg")
    let attached = Self.event(message.content)?.json["attachment"]
    #expect(attached == ["name": "door.jpg", "url": "https://hub.example/files/1"])
  }

  @Test func `what was sent otherwise is a message, too`() throws {
    let event = try #require(
      Self.event([
        "title": "Open", "subtitle": "since 18:40", "body": "Ada\nhas opened", "interruption_level": "time-sensitive",
        "url": "/space", "attachments": [["id": "a", "url": "https://example.org/a.png"]],
      ]))
    #expect(event.title == "Open" && event.message == "since 18:40\nAda\nhas opened" && event.priority == 4)
    #expect(event.json["click"] == "https://hub.example/space" && event.json["attachment"]?["name"] == "a.png")
    #expect(String(decoding: event.raw, as: UTF8.self) == "since 18:40 Ada has opened\n")
    let short = try #require(Self.event(["title": "Open"]))
    #expect(short.title == nil && short.message == "Open" && short.json["priority"] == nil)
    #expect(Self.event(["silent": true]) == nil)
  }

  @Test func `only what listeners heard at once is not kept`() throws {
    let event = try #require(Self.event(try published("m", [("Cache", "no")]).content))
    #expect(!event.isCached && event.json["expires"] == nil)
  }

  @Test func `other events have their own type, and no message`() {
    let open = NtfyEvent(.open, id: "x", time: noon, topic: "a,b")
    #expect(open.json == ["id": "x", "time": .int(Int(noon)), "event": "open", "topic": "a,b"])
    #expect(open.serverSentEvent == ServerSentEvent(event: "open", data: open.json.text) && open.raw == [10])
  }

  @Test(
    arguments: [
      (["priority": "1,high"], true), (["priority": "3"], false), (["tags": "a"], true), (["tags": "a,b"], true),
      (["tags": "a,c"], false), (["title": "T"], true), (["title": "t"], false), (["m": "M"], true),
      (["id": "7"], true),
      (["id": "8"], false), (["message": "M", "title": "other"], false), ([:], true),
    ] as [([String: String], Bool)])
  func `filters choose`(query: [String: String], passes: Bool) throws {
    let content = try published("M", [("Title", "T"), ("Priority", "4"), ("Tags", "a,b")]).content
    let filter = try NtfyFilter(NtfyParameters(headers: [], query: query))
    #expect(filter.passes(try #require(Self.event(content))) == passes)
    #expect(filter.passes(NtfyEvent(.keepalive, id: "x", time: noon, topic: "a")))
  }

  @Test func `filters have an end, too`() {
    let many = Array(repeating: "1", count: 21).joined(separator: ",")
    for name in ["priority", "tags"] {
      #expect(throws: NtfyFault.self) { try NtfyFilter(NtfyParameters(headers: [], query: [name: many])) }
    }
    #expect(throws: NtfyFault.self) { try NtfyFilter(NtfyParameters(headers: [], query: ["p": "loud"])) }
  }
}
