import EventLoop
import Lifecycle
import NATSClient
import Testing
import Wire

/// A connection to servers whose words are the test's.
struct NATSConnectionTests {
  static let info = "INFO {\"max_payload\":1048576}\r\n"

  /// Lets the server take a connection and accept it.
  static func welcome(_ world: NATSWorld, _ server: ScriptedNATS) throws {
    let before = server.accepted
    try world.eventually {
      server.look()
      return server.accepted > before
    }
    server.say(info)
    try world.eventually { server.has("PING\r\n") }
    server.say("PONG\r\n")
    try world.eventually { world.connection.isConnected }
  }

  @Test func `it introduces itself, and is connected once that is accepted`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://ada:s%22cret@127.0.0.1:\(server.port)")
    world.connection.subscribe("hub.*") { _, _ in }
    world.connection.begin()
    #expect(!world.connection.publish("hub.wake", [1]) && world.connection.dropped == 1)
    try Self.welcome(world, server)
    let words = server.received.split(separator: "\r\n")
    #expect(words.dropFirst() == ["SUB hub.* 1", "PING"])
    let sent = try JSON(parsing: String(words[0].dropFirst("CONNECT ".count)))
    #expect(sent["verbose"] == false && sent["pedantic"] == false && sent["echo"] == false)
    #expect(sent["tls_required"] == false && sent["name"] == "test" && sent["lang"] == "swift")
    #expect(sent["version"]?.string?.isEmpty == false && sent["auth_token"] == nil)
    #expect(sent["user"] == "ada" && sent["pass"] == "s\"cret" && world.told == ["connected"])
  }

  @Test func `messages go both ways, and a PING is answered`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://t0ken@127.0.0.1:\(server.port)")
    var heard: [String] = []
    world.connection.begin()
    try Self.welcome(world, server)
    #expect(server.received.contains("\"auth_token\":\"t0ken\"") && !server.received.contains("\"user\""))
    world.connection.subscribe("a") { heard.append("a \($0) \($1)") }
    world.connection.subscribe("b.>") { heard.append("b \($0) \($1)") }
    #expect(world.connection.publish("a", Array("x\r\ny".utf8)) && world.connection.publish("a", []))
    server.say("MSG b.c.d 2 1\r\n\u{1}\r\nMSG a 1 0\r\n\r\nMSG e 3 0\r\n\r\nMSG e 0 0\r\n\r\nPING\r\n")
    try world.eventually { server.has("PONG\r\n") }
    #expect(server.received.contains("SUB a 1\r\nSUB b.> 2\r\nPUB a 4\r\nx\r\ny\r\nPUB a 0\r\n\r\nPONG\r\n"))
    #expect(heard == ["b b.c.d [1]", "a a []"])
  }

  @Test func `a lost connection is made again with growing pauses, and its subscriptions live on`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    world.connection.subscribe("a") { _, _ in }
    world.connection.begin()
    var pause = NATSLimits.firstPause
    for number in 1...9 {
      try world.eventually {
        server.look()
        return server.accepted == number
      }
      server.hangUp()
      try world.eventually { world.told.count == number }
      // Not a moment too early.
      world.pass(pause - 0.001)
      for _ in 1...3 { world.loop.turn(wait: 0.002) }
      server.look()
      #expect(server.accepted == number)
      world.pass(0.002)
      pause = min(pause * 2, NATSLimits.longestPause)
    }
    #expect(pause == NATSLimits.longestPause)
    let cut = "nats://127.0.0.1:\(server.port): the connection was cut"
    #expect(world.told == Array(repeating: cut, count: 9))
    try Self.welcome(world, server)
    #expect(server.received.contains("\r\nSUB a 1\r\n") && world.told.last == "connected")
    // After a while, the next pause is short again.
    world.pass(NATSLimits.steadySeconds)
    server.hangUp()
    try world.eventually { !world.connection.isConnected }
    world.pass(NATSLimits.firstPause)
    try Self.welcome(world, server)
    // A connection that is cut at once does not shorten it.
    for pause in [NATSLimits.firstPause * 2, NATSLimits.firstPause * 4] {
      server.hangUp()
      try world.eventually { !world.connection.isConnected }
      let before = server.accepted
      world.pass(pause - 0.001)
      for _ in 1...3 { world.loop.turn(wait: 0.002) }
      server.look()
      #expect(server.accepted == before)
      world.pass(0.002)
      try Self.welcome(world, server)
    }
  }

  @Test func `servers are tried in turn, with a pause once all were`() throws {
    let (first, second) = (ScriptedNATS(), ScriptedNATS())
    let world = try NATSWorld("nats://127.0.0.1:\(first.port),nats://127.0.0.1:\(second.port)")
    world.connection.begin()
    try world.eventually {
      first.look()
      return first.accepted == 1
    }
    first.hangUp()
    try world.eventually {
      second.look()
      return second.accepted == 1
    }
    second.hangUp()
    try world.eventually { world.told.count == 2 }
    for _ in 1...3 { world.loop.turn(wait: 0.002) }
    first.look()
    #expect(first.accepted == 1)
    world.pass(NATSLimits.firstPause)
    try Self.welcome(world, first)
    #expect(world.told[1].hasPrefix("nats://127.0.0.1:\(second.port): "))
  }

  @Test func `a server that answers no PING is given up after two`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    world.connection.begin()
    try Self.welcome(world, server)
    func pings() -> Int { server.received.split(separator: "\r\n").filter { $0 == "PING" }.count - 1 }
    for number in 1...3 {
      world.pass(NATSLimits.pingSeconds)
      try world.eventually {
        server.look()
        return pings() == number
      }
      // The first one is answered.
      if number == 1 {
        server.say("PONG\r\n+OK\r\n")
        for _ in 1...3 { world.loop.turn(wait: 0.01) }
      }
    }
    world.pass(NATSLimits.pingSeconds - 0.001)
    #expect(world.connection.isConnected)
    world.pass(0.002)
    #expect(!world.connection.isConnected && world.told.last?.hasSuffix(": it left 2 PINGs unanswered") == true)
    #expect(pings() == 3)
  }

  @Test func `who waits until a subscription holds is called when the server says so, or is lost`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    var taken: [Int] = []
    world.connection.whenTaken { taken.append(0) }
    #expect(taken == [0], "without a connection there is nothing to wait for")
    world.connection.begin()
    try Self.welcome(world, server)
    world.connection.subscribe("a") { _, _ in }
    world.connection.whenTaken { taken.append(1) }
    world.pass(NATSLimits.pingSeconds)
    world.connection.whenTaken { taken.append(2) }
    try world.eventually {
      server.look()
      return server.received.hasSuffix("SUB a 1\r\nPING\r\nPING\r\nPING\r\n")
    }
    #expect(taken == [0])
    server.say("PONG\r\n")
    try world.eventually { taken.count == 2 }
    server.say("PONG\r\n")
    for _ in 1...3 { world.loop.turn(wait: 0.01) }
    #expect(taken == [0, 1], "the second PING was the connection's own")
    server.hangUp()
    try world.eventually { !world.connection.isConnected }
    #expect(taken == [0, 1, 2])
    world.pass(NATSLimits.firstPause)
    try Self.welcome(world, server)
    #expect(taken == [0, 1, 2])
  }

  @Test func `a server that says nothing, and one that is none, are given up`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    world.connection.begin()
    try world.eventually {
      server.look()
      return server.accepted == 1
    }
    world.pass(NATSLimits.openSeconds)
    #expect(world.told.count == 1 && world.told[0].hasSuffix(": it did not answer within 10 s"))
    world.pass(NATSLimits.firstPause)
    try world.eventually {
      server.look()
      return server.accepted == 2
    }
    server.say("SSH-2.0-OpenSSH\r\n")
    try world.eventually { world.told.count == 2 }
    #expect(world.told[1].contains("it broke the protocol: its first word is \"SSH-2.0-OpenSSH\""))
  }

  @Test(arguments: [
    ("tls", info, "it offers no TLS, which tls:// asks for"),
    ("tls", "INFO {\"max_payload\":1,\"tls_available\":true}\r\nPING\r\n", "more than INFO came before TLS"),
    ("nats", "INFO {\"max_payload\":1,\"tls_required\":true}\r\nPONG\r\n", "more than INFO came before TLS"),
  ])
  func `no secret is told before TLS`(_ scheme: String, _ words: String, _ reason: String) throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("\(scheme)://t0ken@127.0.0.1:\(server.port)")
    world.connection.begin()
    try world.eventually {
      server.look()
      return server.accepted == 1
    }
    server.say(words)
    try world.eventually { !world.told.isEmpty }
    server.look()
    #expect(world.told[0].hasSuffix(reason) && server.received == "")
  }

  @Test func `what a server does not read is dropped and counted, and what it does not take`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    world.connection.begin()
    try Self.welcome(world, server)
    #expect(!world.connection.publish("a", [UInt8](repeating: 0, count: NATSLimits.payloadBytes + 1)))
    #expect(world.connection.dropped == 1)
    let block = [UInt8](repeating: 120, count: 1 << 16)
    var sent = 0
    // The system's buffers take some megabytes beside ours.
    while world.connection.publish("a", block), sent < 1_000 {
      sent += 1
      world.loop.turn(wait: 0)
    }
    #expect(sent >= NATSLimits.waitingBytes >> 16 && sent < 1_000 && world.connection.dropped == 2)
    #expect(world.connection.isConnected)
    let limit = SystemTime().uptime + 20
    while !world.connection.publish("a", [1]), SystemTime().uptime < limit {
      server.look()
      world.loop.turn(wait: 0.001)
    }
    try world.eventually { server.has("PUB a 1\r\n\u{1}\r\n") }
    let expected = sent * ("PUB a 65536\r\n".utf8.count + block.count + 2) + "PUB a 1\r\n\u{1}\r\n".utf8.count
    #expect(server.received.split(separator: "PING\r\n").last!.utf8.count == expected)
  }

  @Test func `what was published last is sent before it is closed, and then nothing follows`() throws {
    let server = ScriptedNATS()
    let world = try NATSWorld("nats://127.0.0.1:\(server.port)")
    world.connection.begin()
    try Self.welcome(world, server)
    world.connection.publish("bye", [33])
    world.connection.close()
    try world.eventually { server.has("PUB bye 1\r\n!\r\n") }
    world.pass(1_000)
    server.look()
    #expect(server.accepted == 1 && world.told == ["connected"] && !world.connection.publish("bye", []))
  }
}
