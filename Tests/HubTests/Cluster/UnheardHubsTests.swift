import Hub
import Testing

/// Hubs that are not heard over the bus.
struct UnheardHubsTests {
  @Test func `a hub is named once it was silent for long, and no more when it is heard or has gone`() {
    var hubs = UnheardHubs()
    func note(_ silent: [String: String], _ now: Double) -> Bool { hubs.note(silent, now: now) }
    #expect(!note(["a": "one"], 100))
    #expect(!note([:], 110))
    #expect(!note(["a": "one"], 114), "it was heard in between")
    #expect(!note(["a": "one", "b": "two"], 120))
    #expect(note(["a": "one", "b": "two"], 114 + UnheardHubs.seconds))
    #expect(hubs.hosts == ["one"])
    #expect(!note(["a": "one", "b": "two"], 130))
    #expect(note(["b": "two"], 136))
    #expect(hubs.hosts == ["two"])
    #expect(note([:], 137))
    #expect(hubs.hosts.isEmpty)
  }
}
