import Foundation
import Lifecycle
import Realtime
import Testing
import Wire

struct AppsTests {
  private static func user(_ id: String) -> String { #"{"user_id":"\#(id)","user_info":{"name":"\#(id)"}}"# }

  @Test func `apps on one hub are wholly apart`() throws {
    let stage = try AppStage()
    let (one, two) = (stage.app("1"), stage.app("2"))
    let first = try PusherPeer(stage.port, one)
    let second = try PusherPeer(stage.port, two)
    let hubs = try PusherPeer(stage.port, RealtimeApp(id: "", key: Channels.appKey, secrets: [""]))
    for peer in [first, second, hubs] { try peer.subscribe("space") }
    stage.channels.trigger("e", data: "1", on: ["space"], of: "1")
    #expect(try first.next() == ["event": "e", "channel": "space", "data": 1])
    stage.channels.trigger("e", data: "2", on: ["space"], of: "2")
    #expect(try second.expect("e") == 2)
    stage.channels.publish("e", on: "space", 3)
    #expect(try hubs.expect("e") == 3)
    for peer in [first, second, hubs] { try peer.expectNothing() }
    #expect(stage.channels.connections(of: "1") == 1)
  }

  @Test func `an app that may not be served is said so, and its connections end`() throws {
    let stage = try AppStage()
    func sent(_ app: RealtimeApp) throws -> Int? {
      let peer = try PusherPeer(stage.port, app, isWelcome: false)
      let code = try peer.expect("pusher:error")["code"]?.int
      #expect(peer.closing() == code)
      return code
    }
    #expect(try sent(RealtimeApp(id: "9", key: "nobody", secrets: [])) == 4001)
    #expect(try sent(stage.app("2") { $0.isEnabled = false }) == 4003)
    #expect(try sent(stage.app("3") { $0.isOverQuota = true }) == 4004)
    let small = stage.app("4") { $0.connections = 1 }
    let only = try PusherPeer(stage.port, small)
    #expect(try sent(small) == 4004)
    stage.leave(only)
    let next = try PusherPeer(stage.port, small)
    stage.channels.changed(stage.app("4") { $0.isOverQuota = true })
    #expect(next.closing() == 4004)
    let off = try PusherPeer(stage.port, stage.app("5"))
    stage.channels.changed(stage.app("5") { $0.isEnabled = false })
    #expect(off.closing() == 4003)
    let gone = stage.app("6")
    let last = try PusherPeer(stage.port, gone)
    stage.channels.removed(app: "6")
    #expect(last.closing() == 4001)
    #expect(try sent(gone) == 4001, "even if it is still found")
  }

  @Test func `an app's other connections count against its limit`() throws {
    let stage = try AppStage()
    let app = stage.app { $0.connections = 2 }
    stage.otherConnections = 2
    let refused = try PusherPeer(stage.port, app, isWelcome: false)
    #expect(try refused.expect("pusher:error")["code"] == 4004)
    stage.otherConnections = 1
    let accepted = try PusherPeer(stage.port, app)
    try accepted.expectNothing()
    let next = try PusherPeer(stage.port, app, isWelcome: false)
    #expect(try next.expect("pusher:error")["code"] == 4004)
  }

  @Test func `members of a presence channel are the same for all, on whichever loop`() async throws {
    let stage = try AppStage()
    let app = stage.app()
    let watching = try PusherPeer(stage.port, app)
    #expect(try watching.subscribe("presence-a", Self.user("watcher"))["presence"]?["count"] == 1)
    var peers: [PusherPeer] = []
    for number in 0..<12 {
      let peer = try PusherPeer(stage.port, app)
      let presence = try peer.subscribe("presence-a", Self.user("u\(number % 6)"))["presence"]
      #expect(presence?["count"]?.int == min(number, 5) + 2)
      #expect(presence?["hash"]?["u\(number % 6)"] == ["name": .string("u\(number % 6)")])
      peers.append(peer)
    }
    for number in 0..<6 {
      let added = try watching.expect("pusher_internal:member_added")
      #expect(added == ["user_id": .string("u\(number)"), "user_info": ["name": .string("u\(number)")]])
    }
    for peer in peers { stage.leave(peer) }
    let gone = try (0..<6).map { _ in try watching.expect("pusher_internal:member_removed")["user_id"]?.string ?? "" }
    #expect(Set(gone) == Set((0..<6).map { "u\($0)" }))
    try watching.expectNothing()
    #expect(stage.channels.users(of: "presence-a", in: "1") == ["watcher"])
    #expect(stage.webhooks.filter { $0.kind == .memberAdded }.count == 7)
    #expect(stage.webhooks.filter { $0.kind == .memberRemoved }.count == 6)
    #expect(stage.webhooks.filter { $0.kind == .channelVacated }.isEmpty)
  }

  @Test func `what the hub has signed for a session of a user ends with the session, and does not come back`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let (peer, other) = (try PusherPeer(stage.port, app), try PusherPeer(stage.port, app))
    let succeeded = "pusher_internal:subscription_succeeded"
    for (one, session) in [(peer, "first"), (other, "second")] {
      one.ask("private-a", session: session)
      try one.expect(succeeded)
    }
    peer.ask("presence-a", Self.user("ada"), session: "first")
    try peer.expect(succeeded)
    for channel in ["lobby", "private-server"] { try peer.subscribe(channel) }
    stage.end(session: "first", of: app)
    let ended = try [peer.next(), peer.next()]
    #expect(ended.allSatisfy { $0["event"] == "pusher:subscription_error" && $0["data"]?["status"] == 401 })
    #expect(Set(ended.compactMap { $0["channel"]?.string }) == ["private-a", "presence-a"])
    #expect(stage.channels.users(of: "presence-a", in: "1").isEmpty)
    // A signature from before does not help.
    peer.ask("private-a", session: "first")
    try peer.expect(succeeded)
    #expect(try peer.expect("pusher:subscription_error")["status"] == 401)
    stage.channels.trigger("e", data: "1", on: ["private-a", "lobby", "private-server"], of: "1")
    #expect(try (0..<2).map { _ in try peer.next()["channel"]?.string } == ["lobby", "private-server"])
    #expect(try other.expect("e") == 1)
    stage.channels.end(sessions: nil, of: "1")
    #expect(peer.closing() == 4200 && other.closing() == 4200, "it is not known which have ended")
  }

  @Test func `a hundred members are accepted, and the next is refused`() throws {
    let stage = try AppStage()
    let app = stage.app()
    var peers: [PusherPeer] = []
    for number in 0...100 {
      let peer = try PusherPeer(stage.port, app)
      peer.ask("presence-a", Self.user("u\(number)"))
      let isAccepted = try peer.next()["event"] == "pusher_internal:subscription_succeeded"
      #expect(isAccepted == (number < 100))
      peers.append(peer)
    }
    stage.leave(peers[0])
    peers[100].ask("presence-a", Self.user("u100"))
    try peers[100].expect("pusher_internal:subscription_succeeded")
  }

  @Test func `a message is counted once, and once for each who gets it, so not for its sender`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let (sender, other) = (try PusherPeer(stage.port, app), try PusherPeer(stage.port, app))
    for peer in [sender, other] { try peer.subscribe("private-a") }
    sender.send(["event": "client-word", "channel": "private-a", "data": 1])
    try other.expect("client-word")
    stage.pass(0)
    #expect(stage.messages == 2)
    stage.channels.trigger("e", data: "1", on: ["private-a"], of: "1", except: sender.socketID)
    try other.expect("e")
    stage.pass(0)
    #expect(stage.messages == 4)
    stage.channels.trigger("e", data: "1", on: ["private-a"], of: "1", except: "1.1")
    for peer in [sender, other] { try peer.expect("e") }
    stage.pass(0)
    #expect(stage.messages == 7)
  }

  @Test func `a client event goes to the others, with its member's id`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let peers = try (0..<5).map { number in
      let peer = try PusherPeer(stage.port, app)
      try peer.subscribe("presence-a", Self.user("u\(number)"))
      return peer
    }
    for number in 0..<5 { for _ in number..<4 { try peers[number].expect("pusher_internal:member_added") } }
    peers[0].send(["event": "client-word", "channel": "presence-a", "data": ["word": "anchor"]])
    for peer in peers.dropFirst() {
      #expect(
        try peer.next() == [
          "event": "client-word", "channel": "presence-a", "data": ["word": "anchor"], "user_id": "u0",
        ])
    }
    try peers[0].expectNothing()
    let told = try #require(stage.webhooks.last)
    #expect(told.kind == .clientEvent && told.userID == "u0" && told.socketID == peers[0].socketID)
    #expect(told.data == #"{"word":"anchor"}"#)
  }

  @Test func `a wrong signature is refused, and the connection stays`() throws {
    let stage = try AppStage()
    let peer = try PusherPeer(stage.port, stage.app())
    peer.send([
      "event": "pusher:subscribe", "data": ["channel": "private-a", "auth": .string(peer.sign("1.1:private-a"))],
    ])
    #expect(try peer.expect("pusher:subscription_error")["status"] == 403)
    try peer.subscribe("private-a")
    try peer.subscribe("private-encrypted-a")
    stage.channels.trigger("e", data: #"{"nonce":"a"}"#, on: ["private-encrypted-a", "private-a"], of: "1")
    #expect(try peer.next()["channel"] == "private-encrypted-a")
    #expect(try peer.next()["channel"] == "private-a")
  }

  @Test func `a connection that was looked up before a change does not bring the old app back`() throws {
    let stage = try AppStage()
    let before = stage.app()
    let first = try PusherPeer(stage.port, before)
    var after = before
    (after.secrets, after.options.clientEvents, after.version) = (["another"], false, 1)
    stage.channels.changed(after)
    // It still finds the app as it was.
    let late = try PusherPeer(stage.port, before)
    for peer in [first, late] {
      peer.ask("private-a")
      #expect(try peer.expect("pusher:subscription_error")["status"] == 403)
    }
    var latest = before
    (latest.secrets, latest.version) = (before.secrets + after.secrets, 2)
    stage.channels.changed(latest)
    try late.subscribe("private-a")
  }

  @Test func `a secret that ends takes with it what it has signed, and nothing else`() throws {
    let stage = try AppStage()
    var app = stage.app()
    let (listener, user, other) = try (
      PusherPeer(stage.port, app), PusherPeer(stage.port, app), PusherPeer(stage.port, app)
    )
    try listener.subscribe("private-a")
    try user.signIn(#"{"id":"ada"}"#)
    try other.subscribe("a")
    (app.secrets, app.version) = (["another"] + app.secrets, 1)
    stage.channels.changed(app)
    for peer in [listener, user, other] { try peer.expectNothing() }
    (app.secrets, app.version) = (["another"], 2)
    stage.channels.changed(app)
    for peer in [listener, user] { #expect(peer.closing() == 4200) }
    try other.expectNothing()
  }

  @Test func `the sender of an event by its server does not get it`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let (sender, other) = (try PusherPeer(stage.port, app), try PusherPeer(stage.port, app))
    for peer in [sender, other] { try peer.subscribe("a") }
    stage.channels.trigger("e", data: "not JSON", on: ["a"], of: "1", except: sender.socketID)
    #expect(try other.expect("e") == "not JSON")
    try sender.expectNothing()
  }

  @Test func `a signed-in user is reached, watched and ended`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let ada = try PusherPeer(stage.port, app)
    try ada.signIn(#"{"id":"ada","watchlist":["ben","clara"]}"#)
    #expect(
      try ada.expect("pusher_internal:watchlist_events")
        == ["events": [["name": "offline", "user_ids": ["ben", "clara"]]]])
    let ben = try PusherPeer(stage.port, app)
    try ben.signIn(#"{"id":"ben"}"#)
    #expect(
      try ada.expect("pusher_internal:watchlist_events") == ["events": [["name": "online", "user_ids": ["ben"]]]])
    ben.send(["event": "pusher:subscribe", "data": ["channel": "#server-to-user-ada", "auth": ""]])
    try ben.expect("pusher:subscription_error")
    ben.send(["event": "pusher:subscribe", "data": ["channel": "#server-to-user-ben", "auth": ""]])
    try ben.expect("pusher_internal:subscription_succeeded")
    stage.channels.trigger("e", data: "1", on: ["#server-to-user-ben"], of: "1")
    #expect(try ben.expect("e") == 1)
    try ada.expectNothing()
    stage.channels.terminate(user: "ben", in: "1")
    #expect(try ben.expect("pusher:error")["code"] == 4009)
    #expect(ben.closing() == 4009)
    #expect(
      try ada.expect("pusher_internal:watchlist_events") == ["events": [["name": "offline", "user_ids": ["ben"]]]])
    #expect(stage.webhooks.isEmpty, "of a single user's channel nobody is told")
  }

  @Test func `a cache channel tells its last event, or that it has none`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let peer = try PusherPeer(stage.port, app)
    try peer.subscribe("cache-a")
    try peer.expect("pusher:cache_miss")
    #expect(stage.webhooks.map(\.kind) == [.channelOccupied, .cacheMiss])
    stage.channels.trigger("e", data: "1", on: ["cache-a"], of: "1")
    try peer.expect("e")
    let next = try PusherPeer(stage.port, app)
    try next.subscribe("cache-a")
    #expect(try next.next() == ["event": "e", "channel": "cache-a", "data": 1])
    stage.pass(1_801)
    let late = try PusherPeer(stage.port, app)
    try late.subscribe("cache-a")
    try late.expect("pusher:cache_miss")
  }

  @Test func `subscribers are told how many they are, if the app wants that`() throws {
    let stage = try AppStage()
    let app = stage.app { $0.subscriptionCount = true }
    let first = try PusherPeer(stage.port, app)
    try first.subscribe("a")
    #expect(try first.expect("pusher_internal:subscription_count") == ["subscription_count": 1])
    let second = try PusherPeer(stage.port, app)
    try second.subscribe("a")
    for peer in [first, second] {
      #expect(try peer.expect("pusher_internal:subscription_count") == ["subscription_count": 2])
    }
    stage.leave(second)
    #expect(try first.expect("pusher_internal:subscription_count") == ["subscription_count": 1])
    try first.subscribe("presence-a", Self.user("ada"))
    try first.expectNothing()
  }

  // MARK: History

  @Test func `a plain client that comes back gets what it missed, once`() throws {
    let stage = try AppStage()
    let app = stage.app { ($0.historyCount, $0.historySeconds) = (10, 60) }
    let before = try PusherPeer(stage.port, app, agent: "phone")
    try before.subscribe("a")
    stage.channels.trigger("e", data: "1", on: ["a"], of: "1")
    try before.expect("e")
    stage.leave(before)
    for number in 2...4 { stage.channels.trigger("e", data: "\(number)", on: ["a"], of: "1") }
    let other = try PusherPeer(stage.port, app, agent: "another program")
    try other.subscribe("a")
    try other.expectNothing()
    let back = try PusherPeer(stage.port, app, agent: "phone")
    try back.subscribe("a")
    for number in 2...4 { #expect(try back.expect("e") == .int(number)) }
    try back.expectNothing()
    let again = try PusherPeer(stage.port, app, agent: "phone")
    try again.subscribe("a")
    try again.expectNothing()
    stage.leave(back)
    for number in 5...15 { stage.channels.trigger("e", data: "\(number)", on: ["a"], of: "1") }
    let late = try PusherPeer(stage.port, app, agent: "phone")
    try late.subscribe("a")
    try late.expect("eightbells:gap")
    try late.expectNothing()
  }

  @Test func `whoever has unsubscribed has missed nothing`() throws {
    let stage = try AppStage()
    let app = stage.app { ($0.historyCount, $0.historySeconds) = (10, 60) }
    let peer = try PusherPeer(stage.port, app)
    try peer.subscribe("a")
    peer.send(["event": "pusher:unsubscribe", "data": ["channel": "a"]])
    try peer.expectNothing()
    stage.channels.trigger("e", data: "1", on: ["a"], of: "1")
    try peer.subscribe("a")
    try peer.expectNothing()
  }

  @Test func `a client that counts misses nothing and gets nothing twice, however often it comes back`() throws {
    let stage = try AppStage()
    let app = stage.app { ($0.historyCount, $0.historySeconds) = (1_000, 60) }
    let total = 600
    let done = ThreadSignal()
    var peer = try PusherPeer(stage.port, app)
    peer.ask("a")
    var seen = try #require(try peer.next()["serial"]?.int)
    Thread.detachNewThread {
      for number in 1...total { stage.channels.trigger("e", data: "\(number)", on: ["a"], of: "1") }
      done.post()
    }
    var numbers: [Int] = []
    while numbers.count < total {
      for _ in 0..<min(50, total - numbers.count) {
        let message = try peer.next()
        try #require(message["event"] == "e", "\(message.text)")
        numbers.append(message["data"]?.int ?? 0)
        seen = message["serial"]?.int ?? 0
      }
      peer.vanish()
      peer = try PusherPeer(stage.port, app)
      try peer.subscribe("a", since: seen)
    }
    #expect(numbers == Array(1...total))
    #expect(done.wait(atMost: 30))
  }

  // MARK: Limits

  @Test func `a client that answers no ping is disconnected`() throws {
    let stage = try AppStage()
    let peer = try PusherPeer(stage.port, stage.app(), answersPings: false)
    stage.pass(121)
    stage.pass(2)
    stage.pass(31)
    stage.pass(2)
    #expect(peer.closing() == 4201)
  }

  @Test func `an app may demand that its clients are vouched for in time`() throws {
    let stage = try AppStage()
    let app = stage.app { $0.authorizedOnly = true }
    let stranger = try PusherPeer(stage.port, app)
    try stranger.subscribe("a")
    let (known, subscriber) = (try PusherPeer(stage.port, app), try PusherPeer(stage.port, app))
    try known.signIn(#"{"id":"ada"}"#)
    try subscriber.subscribe("private-a")
    stage.pass(31)
    #expect(try stranger.expect("pusher:error")["code"] == 4009)
    #expect(stranger.closing() == 4009)
    try known.expectNothing()
    try subscriber.expectNothing()
  }

  @Test func `a message beyond the limit ends the connection`() throws {
    let stage = try AppStage()
    for bytes in [17 << 10, 21 << 10] {
      let peer = try PusherPeer(stage.port, stage.app())
      peer.send(text: #"{"event":"pusher:ping","data":"\#(String(repeating: "a", count: bytes))"}"#)
      #expect(peer.closing() == 1_009)
    }
  }

  // MARK: The console

  @Test func `what happens in an app is told to its console while it is watched`() throws {
    let stage = try AppStage()
    let app = stage.app()
    let before = try PusherPeer(stage.port, app)
    try before.subscribe("a")
    #expect(stage.console.isEmpty)
    stage.channels.watchConsole("1", true)
    let peer = try PusherPeer(stage.port, app)
    try peer.subscribe("a")
    peer.send(["event": "client-x", "channel": "a", "data": 1])
    try peer.expect("pusher:error")
    stage.channels.trigger("e", data: "1", on: ["a"], of: "1")
    try peer.expect("e")
    stage.leave(peer)
    try before.expect("e")
    #expect(
      stage.console.prefix(5).map(\.kind) == ["connected", "subscribed", "refused", "event", "unsubscribed"])
    #expect(stage.console.prefix(5).map(\.channel) == [nil, "a", "a", "a", "a"])
    // Once for the event, and once for each receiver.
    #expect(stage.messages == 3)
  }
}
