import Notifications
import Testing
import Wire

/// Tests that the vectors cannot hold: the types that Swift's callers use, and texts that are not JSON.
struct ContentTests {
  private func content(_ text: String) throws -> Content { try Content.check(Array(text.utf8)).get() }

  private func faults(_ text: [UInt8]) -> [String] {
    guard case .failure(let refusal) = checkContent(text) else { return [] }
    return refusal.faults.map { "\($0.field): \($0.sentence)" }
  }

  @Test func `a content's members are read`() throws {
    let content = try content(
      #"""
      {"title":"Offen","subtitle":"S","body":"Tür\u00e4 \ud83d\udd14","badge":3,"sound":"bell","vibration":[1,2],
       "category":"sign","thread":"space","user_info":{"a":1},"interruption_level":"critical","relevance":0.25,
       "url":"/space","tag":"t","foreground":["list"],
       "attachments":[{"id":"a","blob":"b","type":"image/png"}],
       "actions":[{"id":"r","title":"R","options":["destructive"],"text_input":{"button":"B","placeholder":"P"}}]}
      """#)
    #expect(content.title == "Offen" && content.subtitle == "S" && content.body == "Türä 🔔")
    #expect(content.badge == 3 && content.sound == "bell" && content.vibration == [1, 2])
    #expect(
      content.category == "sign" && content.thread == "space" && content.userInfo?.text == Array(#"{"a":1}"#.utf8))
    #expect(content.interruptionLevel == .critical && content.url == "/space")
    #expect(content.tag == "t" && content.foreground == [.list] && !content.isSilent && !content.isCut)
    let (attachment, action) = (try #require(content.attachments.first), try #require(content.actions().first))
    #expect(attachment.id == "a" && attachment.blob == "b" && attachment.url == nil && attachment.hint == .png)
    #expect(action.id == "r" && action.title == "R" && action.options == [.destructive] && action.takesText)
    #expect(action.button == "B" && action.placeholder == "P")
    #expect(try self.content(#"{"title":"x"}"#).interruptionLevel == .active)
    let silent = try self.content(#"{"silent":true}"#)
    #expect(silent.isSilent && !content.isSilent)
  }

  @Test func `a text becomes shorter and stays the same`() throws {
    let text = #" { "later" : [ 1.50e3 , -0 , { } , [ ] ] , "title" : "\u0041\/\u00e4\b\u001f" , "x" : null } "#
    let normal = try checkContent(Array(text.utf8)).get()
    #expect(
      String(decoding: normal, as: UTF8.self) == #"{"later":[1.50e3,-0,{},[]],"title":"A/ä\u0008\u001f","x":null}"#)
    #expect(try checkContent(normal).get() == normal)
    #expect(try JSON(parsing: normal) == JSON(parsing: Array(text.utf8)))
  }

  @Test(
    arguments: [
      "", " ", "{", "}", "[", "nul", "tru", "\"", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "[1,]", "{a:1}", "01",
      "-",
      "1.", ".5", "1e", "+1", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
      "\"\\u0000\"", "\"\u{1}\"", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "9223372036854775808",
      "-9223372036854775809", "1e309", "NaN", "Infinity", "'a'", "\u{FEFF}{}", "{\"a\":1}\u{0}",
    ])
  func `what is not JSON is refused with its place`(text: String) {
    #expect(faults(Array(text.utf8)).first?.hasPrefix(": byte ") == true, "\(text)")
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let wrong: [[UInt8]] = [
      [0xFF], [0x80], [0xC0, 0xAF], [0xC1, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x94],
    ]
    for bytes in wrong {
      let text = Array(#"{"title":""#.utf8) + bytes + Array(#""}"#.utf8)
      #expect(faults(text) == [": byte 10; valid UTF-8 is accepted."], "\(bytes)")
    }
  }

  @Test func `depth, values, members, numbers and bytes have a limit, and are accepted up to it`() {
    func deep(_ levels: Int) -> String {
      #"{"title":"x","user_info":{"a":"# + String(repeating: "[", count: levels - 2)
        + String(repeating: "]", count: levels - 2) + "}}"
    }
    #expect(faults(Array(deep(16).utf8)) == [])
    #expect(faults(Array(deep(17).utf8)) == [": byte 44; at most 16 levels are accepted."])
    func many(_ values: Int) -> String {
      let zeros = repeatElement("0", count: values - 3).joined(separator: ",")
      return #"{"title":"x","list":[\#(zeros)]}"#
    }
    #expect(faults(Array(many(1_000).utf8)) == [])
    #expect(faults(Array(many(1_001).utf8)).first?.hasSuffix("; at most 1000 values are accepted.") == true)
    func members(_ count: Int) -> String {
      #"{"title":"x""# + (1..<count).map { #","a\#($0)":0"# }.joined() + "}"
    }
    #expect(faults(Array(members(100).utf8)) == [])
    #expect(faults(Array(members(101).utf8)).first?.hasSuffix("; at most 100 members are accepted.") == true)
    let number = "0." + String(repeating: "1", count: 38)
    #expect(faults(Array(#"{"title":"x","a":\#(number)}"#.utf8)) == [])
    #expect(faults(Array(#"{"title":"x","a":\#(number)1}"#.utf8)).count == 1)
    let spaces = [UInt8](repeating: 0x20, count: NotificationLimits.textBytes - 13)
    #expect(faults(Array(#"{"title":"x"}"#.utf8) + spaces) == [])
    #expect(
      faults(Array(#"{"title":"x"}"#.utf8) + spaces + [0x20]) == [": byte 65536; at most 65536 bytes are accepted."])
  }

  @Test func `a fault says what was seen and what is accepted`() {
    #expect(
      faults(Array(#"{"body":"x","title":["a"],"attachments":[{"id":"a","url":"/a","type":"text/plain"}]}"#.utf8)) == [
        #"title: ["a"]; a text of 0 to 1000 bytes is accepted."#,
        #"attachments[0].type: "text/plain"; audio/aiff, audio/wav, audio/mpeg, audio/mp4, image/jpeg, image/gif, "#
          + "image/png, video/mpeg, video/mp4 or video/x-msvideo is accepted.",
      ])
  }

  @Test func `a content is cut to every size it can have`() throws {
    let whole = try content(#"{"title":"t","body":"ä\"\n🔔 end","x":1}"#)
    for bytes in 0...whole.text.count {
      guard let text = whole.text(bytes: bytes) else {
        #expect(bytes < 40, "\(bytes)")
        continue
      }
      #expect(text.count <= bytes)
      let cut = try Content.check(text).get()
      #expect(cut.title == "t" && "ä\"\n🔔 end".hasPrefix(cut.body ?? "?") && cut.isCut == (bytes < whole.text.count))
    }
  }

  @Test(arguments: [
    #"{"body":"Somebody is at the door","x":1}"#,
    #"{"title":"t","localized":{"de":{"title":"","body":"Jemand ist an der Tür"}},"x":1}"#,
  ])
  func `what shows its body alone is not cut to nothing`(_ text: String) throws {
    let whole = try content(text)
    for bytes in 0...whole.text.count {
      guard let text = whole.text(bytes: bytes) else {
        #expect(bytes < whole.text.count - 8, "\(bytes)")
        continue
      }
      _ = try Content.check(text).get()
    }
  }

  @Test func `settings are read as they were written`() throws {
    var settings = DeviceSettings(authorization: .provisional)
    (settings.sound, settings.timeSensitive) = (false, true)
    #expect(try DeviceSettings.check(settings.text).get() == settings)
  }
}
