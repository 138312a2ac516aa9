import APNs
import Notifications
import Testing
import Wire

struct ContentTests {
  /// The content of an alert with this payload.
  private func content(_ payload: String, type: PushType = .alert) throws -> String {
    let push = try Sender.push(
      [("apns-push-type", type.rawValue), ("apns-priority", "5")], topic: Sender.app + (type.suffix ?? ""), payload)
    if case .failure(let refusal) = checkContent(push.content.bytes) {
      Issue.record("\(refusal.faults.map(\.sentence)): \(push.content.text)")
    }
    return push.content.text
  }

  @Test(arguments: [
    (#"{"aps":{"alert":"Hi"}}"#, #"{"body":"Hi"}"#),
    (
      #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"}},"id":7}"#,
      #"{"title":"T","subtitle":"S","body":"B","user_info":{"id":7}}"#
    ),
    (
      #"{"aps":{"badge":3,"sound":"bell.caf","thread-id":"t","category":"c","relevance-score":0.5}}"#,
      #"{"badge":3,"sound":"bell.caf","thread":"t","category":"c","relevance":0.5}"#
    ),
    (
      #"{"aps":{"alert":"Hi","interruption-level":"time-sensitive","mutable-content":1}}"#,
      #"{"body":"Hi","interruption_level":"time-sensitive","mutable":true}"#
    ),
    (
      #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm","volume":0.5}}}"#,
      #"{"body":"Hi","interruption_level":"critical","sound":"alarm","user_info":{"aps":{"sound":"#
        + #"{"critical":1,"name":"alarm","volume":0.5}}}}"#
    ),
    (
      #"{"aps":{"alert":{"title-loc-key":"TITLE","loc-key":"BODY","loc-args":["Ada"]}}}"#,
      #"{"title":"TITLE","body":"BODY","user_info":{"aps":{"alert":"#
        + #"{"title-loc-key":"TITLE","loc-key":"BODY","loc-args":["Ada"]}}}}"#
    ),
    (
      #"{"aps":{"alert":{"body":"B","loc-key":"BODY","launch-image":"x"},"content-available":1}}"#,
      #"{"body":"B","user_info":{"aps":{"content-available":1,"alert":{"loc-key":"BODY","launch-image":"x"}}}}"#
    ),
    (
      #"{"aps":{"content-available":1},"a":{"b":[1,2.5,null]}}"#,
      #"{"silent":true,"user_info":{"aps":{"content-available":1},"a":{"b":[1,2.5,null]}}}"#
    ),
    (#"{"mdm":"magic"}"#, #"{"silent":true,"user_info":{"mdm":"magic"}}"#),
    (#"{"aps":{"alert":""}}"#, #"{"silent":true,"user_info":{"aps":{"alert":""}}}"#),
    (
      #"{"aps":{"alert":"Hi","badge":-1,"sound":7,"interruption-level":"loud","relevance-score":2}}"#,
      #"{"body":"Hi","user_info":{"aps":{"badge":-1,"sound":7,"interruption-level":"loud","relevance-score":2}}}"#
    ),
    (#"{"aps":"odd","a":1}"#, #"{"silent":true,"user_info":{"aps":{"aps":"odd"},"a":1}}"#),
  ]) func `a payload becomes a content, and nothing of it is lost`(payload: String, wanted: String) throws {
    #expect(try content(payload) == wanted)
  }

  @Test func `what is for the app alone shows nothing`() throws {
    let payload = #"{"aps":{"alert":"Hi","content-available":1},"call":7}"#
    for type in [PushType.background, .voip, .mdm, .location] {
      #expect(
        try content(payload, type: type)
          == #"{"silent":true,"user_info":{"aps":{"alert":"Hi","content-available":1},"call":7}}"#)
    }
    #expect(try content(payload, type: .liveactivity).hasPrefix(#"{"body":"Hi""#))
  }

  @Test func `a title that is too long is cut, and the whole is kept`() throws {
    let (fits, long) = (String(repeating: "a", count: 1_000), String(repeating: "ö", count: 501))
    #expect(try content(#"{"aps":{"alert":{"title":"\#(fits)"}}}"#) == #"{"title":"\#(fits)"}"#)
    let json = try JSON(parsing: try content(#"{"aps":{"alert":{"title":"\#(long)"}}}"#))
    #expect(json["title"]?.string == String(repeating: "ö", count: 498) + "…" && json["cut"] == true)
    #expect(json["user_info"]?["aps"]?["alert"]?["title"]?.string == long)
  }

  @Test func `long names of threads and categories do not lose what belongs together`() throws {
    let (fits, long) = (String(repeating: "t", count: 64), String(repeating: "t", count: 65))
    func json(_ thread: String) throws -> JSON {
      try JSON(parsing: try content(#"{"aps":{"alert":"Hi","thread-id":"\#(thread)","category":"\#(thread)"}}"#))
    }
    #expect(try json(fits)["thread"]?.string == fits && json(fits)["category"]?.string == fits)
    let cut = try json(long)
    #expect(cut["thread"]?.string?.utf8.count == 43 && cut["category"] == nil)
    #expect(cut["user_info"]?["aps"]?["thread-id"]?.string == long)
    #expect(cut["user_info"]?["aps"]?["category"]?.string == long)
    #expect(try json(long + "u")["thread"] != cut["thread"])
  }

  @Test func `a payload that is deeper than a content may be is passed on as text`() throws {
    let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    let payload = #"{"aps":{"alert":"Hi"},"a":\#(deep)}"#
    let json = try JSON(parsing: try content(payload))
    #expect(json["body"] == "Hi" && json["user_info"]?["payload"]?.string == payload)
    let many = (0..<101).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let wide = try JSON(parsing: try content(#"{"aps":{"alert":"Hi"},\#(many)}"#))
    #expect(wide["user_info"]?["payload"]?.string?.contains("k100") == true)
  }
}
