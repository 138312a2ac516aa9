import EventLoop
import Realtime
import Synchronization
import Testing
import Wire
import World

/// The channels of apps on several hubs, with messages that arrive when a test says so, or never.
struct PeersTests {
  /// The line that carries messages between hubs.
  private final class Line: Sendable {
    private struct State {
      var waiting: [(from: Int, bytes: [UInt8], topic: String)] = []
      var topics: [Set<String>]
      /// What waits until a topic is heard, while `isSlow`.
      var unheard: [@Sendable () -> Void] = []
      var isSlow = false
    }
    let stages: [AppStage]
    private let state: Mutex<State>

    init(_ count: Int) throws {
      stages = try (0..<count).map { _ in try AppStage() }
      state = Mutex(State(topics: stages.map { _ in [PeerLink.all] }))
      for (number, stage) in stages.enumerated() {
        stage.channels.join(
          PeerLink(
            hub: "hub\(number)",
            send: { [weak self] bytes, topic in self?.state.withLock { $0.waiting.append((number, bytes, topic)) } },
            listen: { [weak self] topic, heard in self?.listen(number, topic, heard) },
            leave: { [weak self] topic in self?.state.withLock { _ = $0.topics[number].remove(topic) } }))
      }
    }

    private func listen(_ number: Int, _ topic: String, _ heard: @escaping @Sendable () -> Void) {
      state.withLock { state in
        state.unheard.append { [self] in
          self.state.withLock { _ = $0.topics[number].insert(topic) }
          stages[number].loops[1].execute(heard)
        }
      }
      if !state.withLock({ $0.isSlow }) { hear() }
    }

    /// From now on it takes until `hear` before a topic is heard.
    func slowDown() { state.withLock { $0.isSlow = true } }

    var isUnheard: Bool { state.withLock { !$0.unheard.isEmpty } }

    func hear() {
      let unheard = state.withLock { state in
        defer { state.unheard = [] }
        return state.unheard
      }
      for hear in unheard { hear() }
    }

    /// Lets time pass at all hubs that live, and delivers what they say.
    /// - Parameter isLost: true for a message that never arrives.
    func pass(_ seconds: Double = 0.1, without dead: Set<Int> = [], _ isLost: (PeerMessage) -> Bool = { _ in false }) {
      for (number, stage) in stages.enumerated() where !dead.contains(number) {
        stage.pass(seconds)
        if seconds >= 1 { stage.channels.lookAtPeers() }
      }
      deliver(without: dead, isLost)
      for (number, stage) in stages.enumerated() where !dead.contains(number) { stage.pass(0) }
    }

    private func deliver(without dead: Set<Int>, _ isLost: (PeerMessage) -> Bool) {
      while let (from, bytes, topic) = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
        guard !dead.contains(from), let message = PeerMessage(bytes), !isLost(message) else { continue }
        for (number, stage) in stages.enumerated() where number != from && !dead.contains(number) {
          if state.withLock({ $0.topics[number].contains(topic) }) { stage.channels.take(bytes) }
        }
        for stage in stages { stage.pass(0) }
      }
    }
  }

  private static func user(_ id: String) -> String { #"{"user_id":"\#(id)","user_info":{"name":"\#(id)"}}"# }

  private static func isTold(_ message: PeerMessage) -> Bool {
    if case .told = message.content { return true }
    return false
  }

  @Test func `messages are read as they were written`() throws {
    var told = PeerMessage.Told(app: "7")
    told.channels = [
      .init(name: "lobby", subscriptions: 3),
      .init(
        name: "presence-a", subscriptions: 1,
        members: [
          .init(user: User(id: "ada", info: ["name": "Ada"]), isThere: true),
          .init(user: User(id: "ben"), isThere: false),
        ]),
    ]
    told.users = [.init(user: "ada", isOnline: true), .init(user: "ben", isOnline: false)]
    let contents: [PeerMessage.Content] = [
      .hello(.init(number: 4, isKeeper: true, wants: ["b"])), .told(told, number: 5), .begin(number: 6),
      .whole(number: 7), .bye, .terminate(app: "7", user: "ada"),
      .event(
        .init(
          app: "7", event: "e", data: "\"x\"", channels: ["a", "b"], except: "1.2", commit: 9, userID: "ada",
          isServers: true)),
    ]
    for content in contents {
      let message = PeerMessage(hub: "a", content)
      #expect(PeerMessage(message.bytes) == message)
    }
    for text in ["", "{}", "[1]", #"{"hub":"a"}"#, #"{"hub":"a","app":"1","event":"e"}"#] {
      #expect(PeerMessage(Array(text.utf8)) == nil)
    }
  }

  @Test func `a hub that comes later is told who is there, and events reach those who have connections`() async throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    let ada = try PusherPeer(line.stages[0].port, apps[0])
    try ada.subscribe("presence-a", Self.user("ada"))
    let other = line.stages[1].channels
    // So far nobody has heard of anybody.
    other.trigger("early", data: "2", on: ["presence-a"], of: "1")
    line.pass()
    #expect(try ada.expect("early") == 2)
    line.pass(1)
    line.pass(1)
    #expect(other.users(of: "presence-a", in: "1") == ["ada"])
    let ben = try PusherPeer(line.stages[1].port, apps[1])
    let presence = try ben.subscribe("presence-a", Self.user("ben"))["presence"]
    #expect(presence?["count"] == 2)
    line.pass()
    #expect(try ada.expect("pusher_internal:member_added")["user_id"] == "ben")
    other.trigger("e", data: "1", on: ["presence-a"], of: "1")
    line.pass()
    #expect(try ada.expect("e") == 1 && ben.expect("e") == 1)
    #expect(line.stages[0].channels.occupied(in: "1").map(\.subscriptions) == [2])
  }

  @Test func `who is told to be connected misses no event of another hub`() async throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    line.slowDown()
    let peers = try (0..<3).map { _ in try PusherPeer(line.stages[0].port, apps[0], isWelcome: false) }
    for peer in peers { peer.ask("lobby") }
    await yieldUntil { line.isUnheard }
    // Gone before it is answered: nothing of it stays.
    line.stages[0].leave(peers[2])
    line.pass()
    line.stages[1].channels.trigger("early", data: "1", on: ["lobby"], of: "1")
    line.pass()
    #expect(line.stages[0].channels.occupied(in: "1").isEmpty, "what they ask for waits with them")
    line.hear()
    for peer in peers.prefix(2) {
      try peer.expect("pusher:connection_established")
      try peer.expect("pusher_internal:subscription_succeeded")
    }
    line.stages[1].channels.trigger("word", data: "2", on: ["lobby"], of: "1")
    line.pass()
    for peer in peers.prefix(2) { #expect(try peer.expect("word") == 2) }
    // The next one has nothing to wait for.
    try PusherPeer(line.stages[0].port, apps[0]).subscribe("lobby")
  }

  @Test func `who waits for others to be heard is served after a second all the same`() async throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    line.slowDown()
    let peer = try PusherPeer(line.stages[0].port, apps[0], isWelcome: false)
    await yieldUntil { line.isUnheard }
    // Behind the beginning of that second, which is another loop's.
    for _ in 1...2 { line.pass(1.1) }
    try peer.expect("pusher:connection_established")
    // What comes late changes nothing.
    line.hear()
    try peer.subscribe("lobby")
  }

  @Test func `what was lost on the way is asked for again`() async throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    for _ in 0..<2 { line.pass(1) }
    let peers = try ["a", "b", "c"].map { channel in
      let peer = try PusherPeer(line.stages[0].port, apps[0])
      try peer.subscribe("presence-\(channel)", Self.user(channel))
      return peer
    }
    line.pass(0.1, Self.isTold)
    let other = line.stages[1].channels
    #expect(other.occupied(in: "1").isEmpty)
    for _ in 0..<3 { line.pass(1) }
    #expect(other.occupied(in: "1").map(\.name) == ["presence-a", "presence-b", "presence-c"])
    line.stages[0].leave(peers[1])
    line.pass(0.1, Self.isTold)
    #expect(other.occupied(in: "1").count == 3)
    for _ in 0..<3 { line.pass(1) }
    #expect(other.occupied(in: "1").map(\.name) == ["presence-a", "presence-c"], "also that somebody has left")
  }

  @Test func `all of it is told a piece at a time, and what changes meanwhile is not lost`() async throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    // Nothing arrives yet, so that all is asked for.
    let peers = try (0..<20).map { number in
      let peer = try PusherPeer(line.stages[0].port, apps[0])
      for channel in 0..<100 { try peer.subscribe("c-\(number)-\(channel)") }
      return peer
    }
    line.pass(0.1) { _ in true }
    let other = line.stages[1].channels
    var counts: [Int] = []
    for _ in 0..<3 {
      line.pass(1)
      counts.append(other.occupied(in: "1").count)
      if counts.last == 0 { continue }
      line.stages[0].leave(peers[0])
      break
    }
    #expect(counts.last.map { (1..<2_000).contains($0) } == true, "\(counts)")
    for _ in 0..<3 { line.pass(0.1) }
    #expect(other.occupied(in: "1").count == 1_900)
    #expect(other.occupied(in: "1").allSatisfy { !$0.name.hasPrefix("c-0-") })
  }

  @Test func `whoever was at a hub that is silent is gone, and webhooks go on at the next`() async throws {
    let line = try Line(3)
    let apps = line.stages.map { $0.app() }
    line.stages[0].channels.keepWebhooks(true)
    for _ in 0..<2 { line.pass(1) }
    let stays = try PusherPeer(line.stages[1].port, apps[1])
    try stays.subscribe("presence-a", Self.user("ada"))
    line.pass()
    let goes = try PusherPeer(line.stages[0].port, apps[0])
    try goes.subscribe("presence-a", Self.user("ben"))
    line.pass()
    #expect(try stays.expect("pusher_internal:member_added")["user_id"] == "ben")
    let kinds: [WebhookEvent.Kind] = [.channelOccupied, .memberAdded, .memberAdded]
    #expect(line.stages.map { $0.webhooks.map(\.kind) } == [kinds, [], []], "one tells of all")
    for _ in 0..<3 { line.pass(1) }
    for _ in 0..<5 { line.pass(1, without: [0]) }
    #expect(try stays.expect("pusher_internal:member_removed")["user_id"] == "ben")
    #expect(line.stages[2].webhooks.isEmpty)
    line.stages[2].channels.keepWebhooks(true)
    #expect(line.stages[2].webhooks.map(\.kind) == [.memberRemoved], "what nobody has told yet")
    line.stages[1].leave(stays)
    line.pass(0.1, without: [0])
    #expect(line.stages[2].webhooks.map(\.kind) == [.memberRemoved, .memberRemoved, .channelVacated])
    #expect(line.stages[1].webhooks.isEmpty)
  }

  @Test func `what was kept for a hub that died is told before what happens then`() throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    line.stages[0].channels.keepWebhooks(true)
    for _ in 0..<2 { line.pass(1) }
    let ada = try PusherPeer(line.stages[1].port, apps[1])
    try ada.subscribe("presence-a", Self.user("ada"))
    line.pass(0.1, without: [0])
    #expect(line.stages[1].webhooks.isEmpty)
    for _ in 0..<6 { line.pass(1, without: [0]) }
    line.stages[1].leave(ada)
    line.pass(0.1, without: [0])
    let kinds: [WebhookEvent.Kind] = [.channelOccupied, .memberAdded, .memberRemoved, .channelVacated]
    #expect(line.stages[1].webhooks.map(\.kind) == kinds)
    line.stages[1].channels.keepWebhooks(true)
    #expect(line.stages[1].webhooks.count == kinds.count, "nothing is told twice")
  }

  @Test func `a hub that was just started leaves webhooks to the one that sends them`() throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    line.stages[0].channels.keepWebhooks(true)
    let ada = try PusherPeer(line.stages[0].port, apps[0])
    try ada.subscribe("presence-a", Self.user("ada"))
    let ben = try PusherPeer(line.stages[1].port, apps[1])
    try ben.subscribe("presence-a", Self.user("ben"))
    for _ in 0..<4 { line.pass(1) }
    #expect(line.stages[0].webhooks.map(\.kind) == [.channelOccupied, .memberAdded, .memberAdded])
    #expect(line.stages[1].webhooks.isEmpty)
  }

  @Test func `more members than there may be are refused at all hubs together`() throws {
    let line = try Line(2)
    let apps = line.stages.map { $0.app() }
    for _ in 0..<2 { line.pass(1) }
    var peers: [PusherPeer] = []
    for number in 0...100 {
      let hub = number % 2
      let peer = try PusherPeer(line.stages[hub].port, apps[hub])
      peer.ask("presence-a", Self.user("u\(number)"))
      line.pass(0.02)
      let answer = try peer.next()["event"]?.string
      #expect(answer == (number == 100 ? "pusher:subscription_error" : "pusher_internal:subscription_succeeded"))
      peers.append(peer)
    }
  }
}
