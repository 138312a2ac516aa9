import Realtime
import Synchronization
import Testing
import Wire

struct PrivateChannelsTests {
  private static func channels() -> Channels {
    let channels = Channels(loops: [])
    channels.open(
      ChannelGate(secret: Array("7ad3773142a6692b25b8".utf8), start: { _ in }) { _, holders in Set(holders) })
    return channels
  }

  @Test func `a signature names its holder, and is for one socket, channel and holder`() throws {
    let channels = Self.channels()
    let signature = try #require(channels.grant("device:1", socketID: "1234.1234", channel: "private-foobar"))
    #expect(signature.hasPrefix("eightbells:"))
    #expect(signature.hasSuffix(".device:1"))
    let others = [
      channels.grant("device:2", socketID: "1234.1234", channel: "private-foobar"),
      channels.grant("device:1", socketID: "1234.1235", channel: "private-foobar"),
      channels.grant("device:1", socketID: "1234.1234", channel: "private-other"),
    ]
    #expect(Set(others.compactMap { $0?.split(separator: ".").first }).count == 3)
    #expect(!others.contains { $0?.split(separator: ".").first == signature.split(separator: ".").first })
  }

  @Test(arguments: [
    ("1.2", "space"), ("1.2", "presence-a"), ("1.2", "private-a b"), ("", "private-a"), ("1", "private-a"),
    ("1.2:private-b", "private-a"), ("a.b", "private-a"), ("1.2.3", "private-a"),
  ])
  func `only sockets and private channels are signed`(socket: String, channel: String) {
    #expect(Self.channels().grant("device:1", socketID: socket, channel: channel) == nil)
  }

  @Test func `whoever's right cannot be looked at comes again, and is not said to be out`() throws {
    let stage = try AppStage()
    let loop = stage.loops[0]
    let start: @Sendable (@escaping @Sendable () async -> Void) -> Void = { check in
      // Beside tests that wait for others: their threads may all be taken.
      _ = Task(executorPreference: loop) { await check() }
    }
    stage.channels.open(ChannelGate(secret: [7], start: start) { _, _ in nil })
    let app = RealtimeApp(id: Channels.appKey, key: Channels.appKey, secrets: [])
    let peer = try PusherPeer(stage.port, app)
    let auth = try #require(stage.channels.grant("device:1", socketID: peer.socketID, channel: "private-a"))
    peer.send(["event": "pusher:subscribe", "data": ["channel": "private-a", "auth": .string(auth)]])
    try peer.expect("pusher_internal:subscription_succeeded")
    #expect(peer.closing() == 4200)
  }

  @Test func `whoever joins is looked at alone, and all are before an event`() throws {
    let stage = try AppStage()
    let loop = stage.loops[0]
    let asked = Mutex<[Int]>([])
    stage.channels.open(
      ChannelGate(secret: [7], start: { check in _ = Task(executorPreference: loop) { await check() } }) { _, holders in
        asked.withLock { $0.append(holders.count) }
        return Set(holders)
      })
    let app = RealtimeApp(id: Channels.appKey, key: Channels.appKey, secrets: [])
    var peers: [PusherPeer] = []
    for number in 1...5 {
      let peer = try PusherPeer(stage.port, app)
      let auth = stage.channels.grant("device:\(number)", socketID: peer.socketID, channel: "private-a")
      peer.send(["event": "pusher:subscribe", "data": ["channel": "private-a", "auth": .string(try #require(auth))]])
      try peer.expect("pusher_internal:subscription_succeeded")
      peers.append(peer)
    }
    stage.channels.publish("e", on: "private-a", 1)
    for peer in peers { #expect(try peer.expect("e") == 1) }
    // Some of those who joined may have been looked at together with others, or with the event.
    #expect(asked.withLock { $0.last } == 5 && asked.withLock { $0.dropLast().reduce(0, +) } <= 5)
  }

  @Test func `nothing is signed before there is a key`() {
    #expect(Channels(loops: []).grant("device:1", socketID: "1.2", channel: "private-a") == nil)
  }
}
