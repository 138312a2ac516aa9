import Realtime
import Server
import Testing
import Wire

struct PusherEventTests {
  private static let right: JSON = ["name": "foo", "data": "{}", "channel": "lobby"]

  private static func event(_ changes: (String, JSON?)...) throws(HTTPError) -> PusherEvent {
    try PusherEvent { field in changes.last { $0.0 == field }.map { $0.1 } ?? right[field] }
  }

  private static func fault(_ change: (String, JSON?)) -> HTTPError? {
    do throws(HTTPError) {
      _ = try event(change)
      return nil
    } catch {
      return error
    }
  }

  @Test func `an event names its channels, each once`() throws {
    #expect(try Self.event().channels == ["lobby"])
    let several = try Self.event(
      ("channels", ["a", "b", "a"]), ("socket_id", "1.2"), ("info", "user_count, subscription_count"))
    #expect(several.channels == ["a", "b"])
    #expect(several.except == "1.2")
    #expect(several.info == [.userCount, .subscriptionCount])
    #expect(try Self.event(("channel", "#server-to-user-ada.l")).channels == ["#server-to-user-ada.l"])
  }

  static let wrong: [(String, JSON?)] = [
    ("name", nil), ("name", ""), ("name", 7), ("data", nil), ("data", ["a": 1]), ("channel", nil),
    ("channel", ""), ("channel", "a b"), ("channel", "#server-to-user-"), ("channel", "#a"), ("channels", []),
    ("channels", "lobby"), ("channels", ["a", 7]), ("channels", ["private-encrypted-a", "b"]),
    ("socket_id", "1"), ("socket_id", "1.a"), ("socket_id", 1.5), ("info", "users"), ("info", true),
  ]

  @Test(arguments: wrong)
  func `what is wrong is named, and nothing is sent`(field: String, value: JSON?) throws {
    let fault = try #require(Self.fault((field, value)))
    #expect(fault.code == .unusableEvent)
    #expect(fault.problems[0].field.hasPrefix(field))
  }

  @Test(arguments: [
    ("name", 200), ("channel", 164),
  ])
  func `a name has so many characters, and not one more`(field: String, count: Int) {
    #expect(Self.fault((field, .string(String(repeating: "x", count: count)))) == nil)
    #expect(Self.fault((field, .string(String(repeating: "x", count: count + 1))))?.code == .unusableEvent)
  }

  @Test func `a user's id has so many characters, and not one mark more`() {
    let marks = String(repeating: "\u{301}", count: 127)
    #expect(Self.fault(("channel", .string("#server-to-user-a\(marks)"))) == nil)
    #expect(Self.fault(("channel", .string("#server-to-user-a\(marks)\u{301}")))?.code == .unusableEvent)
  }

  @Test func `an event has ten kilobytes, and not a byte more`() {
    #expect(Self.fault(("data", .string(String(repeating: "ä", count: 5_120)))) == nil)
    #expect(Self.fault(("data", .string(String(repeating: "ä", count: 5_120) + "x")))?.code == .eventTooLarge)
    #expect(ErrorCode.eventTooLarge.status == 413)
  }

  @Test func `an event goes to a hundred channels, and not to one more`() {
    let names = (0...100).map { JSON.string("c\($0)") }
    #expect(Self.fault(("channels", .array(Array(names.dropLast())))) == nil)
    #expect(Self.fault(("channels", .array(names)))?.code == .unusableEvent)
  }

  @Test(arguments: [
    (ChannelAttribute.userCount, "presence-a", true), (.userCount, "private-a", false), (.userCount, "", false),
    (.cache, "presence-cache-a", true), (.cache, "private-encrypted-cache-a", true), (.cache, "presence-a", false),
    (.subscriptionCount, "a", true),
  ])
  func `a channel has the facts of its kind`(attribute: ChannelAttribute, channel: String, isThere: Bool) {
    #expect(attribute.isThere(on: channel) == isThere)
  }
}
