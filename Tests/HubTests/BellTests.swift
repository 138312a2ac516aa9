import Hub
import HubWorld
import Server
import Testing
import Wire

/// Rings that become notifications, and tokens that are limited to topics.
@Suite(.timeLimit(.minutes(1)))
struct BellTests {
  @Test func `a bell is what it was after the way through the outbox`() throws {
    let full = Bell(
      to: ["topic": "kettle"], exceptTopic: "stove", exceptPersons: [7], title: Bell.Words("Hot", german: "Heiß"),
      body: Bell.Words("Tea", german: "Tee"), actions: [Bell.Action("pour", Bell.Words("Pour", german: "Eingießen"))],
      category: "tea", thread: "kitchen", collapseID: "kettle", level: .timeSensitive,
      isUrgent: false, lifetime: 60, path: "/kettle")
    let bare = Bell(to: ["role": "owner"], title: Bell.Words("Hot", german: "Heiß"))
    for bell in [full, bare] { #expect(Bell(try JSON(parsing: bell.json.text)) == bell) }
    #expect(Bell(["hot": true]) == nil, "a ring with other content is meant for others")
    #expect(Bell(["to": ["topic": "kettle"], "title": ["en": "Hot"]]) == nil, "both languages are needed")
  }

  @Test(arguments: [
    ("Chrome on Linux", "Chrome unter Linux"), ("Ada, Edge on Windows", "Ada, Edge unter Windows"),
    ("Safari on iPhone", "Safari auf dem iPhone"), ("Device", "Gerät"), ("Ada, Device", "Ada, Gerät"),
    ("Tablet on Linux", "Tablet on Linux"), ("My Device", "My Device"),
  ])
  func `a device's default name is told in German, and a chosen one as it is`(name: String, german: String) {
    #expect(germanDeviceName(name) == german)
  }

  @Test func `a day has its year`() {
    #expect(Bell.Words.day(1_797_811_140) == Bell.Words("20 Dec 2026", german: "20. Dez. 2026"))
  }

  @Test func `a token that is limited to topics keeps its limit, and manages nothing`() async throws {
    let test = try await TestHub()
    let limited = try await test.hub.tokens.create(name: "tea", role: .owner, topics: ["tea", "coffee"])
    let free = try await test.hub.tokens.create(name: "free", role: .owner)
    let holder = try #require(try await test.hub.tokens.holder(of: limited)?.principal)
    #expect(holder.topics == ["tea", "coffee"] && !holder.may(.manage) && holder.may(.listen))
    let other = try #require(try await test.hub.tokens.holder(of: free)?.principal)
    #expect(other.topics == nil && other.may(.manage))
    await test.end()
  }

  @Test(arguments: [
    ("coffee", true), ("a.b-c9", true), ("9", true), (String(repeating: "x", count: 64), true),
    (String(repeating: "x", count: 65), false), ("", false), ("-a", false), (".a", false), ("_a", false),
    ("Coffee_2", true), ("a b", false), ("a/b", false), ("ä", false),
  ])
  func `the ids of topics fit into addresses and command lines`(id: String, isAccepted: Bool) {
    #expect(TokenTopics.isID(id) == isAccepted)
  }
}
