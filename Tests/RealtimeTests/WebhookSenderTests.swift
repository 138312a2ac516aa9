import Client
import EventLoop
import Observe
import Realtime
import Synchronization
import Testing
import Wire
import World

/// Webhooks to receivers on real sockets, in time that passes when a test says so.
struct WebhookSenderTests {
  private final class Bench: Sendable {
    let time = VirtualTime()
    let loop: EventLoop
    let sender: WebhookSender
    let running: Task<Void, any Error>
    private let told: Told

    /// The lines told to the console, such as "7 channel_occupied: 204".
    private final class Told: Sendable {
      let lines = Mutex<[String]>([])
    }

    init(reachable: [String] = ["127.0.0.1"]) throws {
      let loop = EventLoop(time: time)
      let ranges = try reachable.map { try AddressRange($0) }
      let told = Told()
      let sender = WebhookSender(
        client: HTTPClient(loop: loop, userAgent: "Test/1", addresses: .publicInternet(and: ranges)), loop: loop,
        log: Log(time: time, sink: { _ in })
      ) { app, entry in
        let answer = entry.reason?.split(separator: ",").first ?? ""
        told.lines.withLock { $0.append("\(app) \(entry.event ?? ""): \(answer)") }
      }
      (self.loop, self.sender, self.told) = (loop, sender, told)
      running = Task(executorPreference: loop) { try await sender.run() }
      loop.runInBackground(name: "webhooks")
    }

    deinit {
      running.cancel()
      loop.stop()
    }

    /// The numbers taken, failed and dropped.
    var counts: [Int] { [sender.counts.taken, sender.counts.failed, sender.counts.dropped] }

    /// Lets so much time pass, repeatedly, until so many attempts were made; returns what was told of them. None passes
    /// during an attempt: on a busy machine it would be given up before the receiver could answer.
    func attempts(_ count: Int, passing seconds: Double = 0) async throws -> [String] {
      for _ in 0..<10_000 {
        let lines = told.lines.withLock { $0 }
        if lines.count >= count { return lines }
        if sender.underWay == 0 { time.advance(by: seconds) } else { try await Task.sleep(for: .milliseconds(10)) }
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
      }
      return told.lines.withLock { $0 }
    }
  }

  private static func receiver(_ answers: Int...) -> ScriptedServer {
    let left = Mutex(answers)
    return ScriptedServer { writer in
      let status = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      writer.write("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
  }

  private static let app = RealtimeApp(id: "7", key: "278d425bdf160c739803", secrets: ["7ad3773142a6692b25b8", "old"])
  private static let event = WebhookEvent(.channelOccupied, channel: "lobby")

  @Test func `a post is signed with the present secret, and only what is wished for is told`() async throws {
    let bench = try Bench()
    let server = Self.receiver(204)
    defer { server.stop() }
    bench.sender.set([RealtimeWebhook(url: server.url, kinds: [.channelOccupied])], of: Self.app)
    bench.sender.take(WebhookEvent(.cacheMiss, channel: "cache-a"), of: "7")
    bench.sender.take(Self.event, of: "8")
    bench.sender.take(Self.event, of: "7")
    #expect(try await bench.attempts(1) == ["7 channel_occupied: 204"])
    let body = try #require(server.received.first)
    #expect(try JSON(parsing: body)["events"] == [["name": "channel_occupied", "channel": "lobby"]])
    let signature = WebhookPost.signature(of: body, secret: "7ad3773142a6692b25b8")
    let head = server.asked[0].lowercased()
    #expect(head.contains("\r\nx-pusher-key: 278d425bdf160c739803\r\n"))
    #expect(head.contains("\r\nx-pusher-signature: \(signature)\r\n"))
    #expect(bench.counts == [1, 0, 0])
  }

  @Test func `a receiver that answers with an error is asked again`() async throws {
    let bench = try Bench()
    let server = Self.receiver(500, 302, 200)
    defer { server.stop() }
    bench.sender.set([RealtimeWebhook(url: server.url, kinds: [.channelOccupied])], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    let lines = try await bench.attempts(3, passing: 0.5)
    #expect(lines.map { $0.suffix(3) } == ["500", "302", "200"])
    #expect(server.received.count == 3 && Set(server.received).count == 1)
    #expect(bench.counts == [1, 2, 0])
  }

  @Test func `a receiver may answer with a page of any length`() async throws {
    let bench = try Bench()
    let server = ScriptedServer { writer in
      writer.write("HTTP/1.1 200 OK\r\n\r\n")
      while writer.write([UInt8](repeating: 120, count: 65_536)) {}
    }
    defer { server.stop() }
    bench.sender.set([RealtimeWebhook(url: server.url, kinds: [.channelOccupied])], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    #expect(try await bench.attempts(1) == ["7 channel_occupied: 200"])
    #expect(bench.counts == [1, 0, 0])
  }

  private static func member(_ kind: WebhookEvent.Kind, _ id: String) -> WebhookEvent {
    WebhookEvent(kind, channel: "presence-a", userID: id)
  }

  @Test(arguments: [WebhookEvent.Kind.memberRemoved, .memberAdded])
  func `whoever wants to hear of members that go, or come, does not hear of those who were back`(
    kind: WebhookEvent.Kind
  ) async throws {
    let bench = try Bench()
    let server = Self.receiver(204)
    defer { server.stop() }
    bench.sender.set([RealtimeWebhook(url: server.url, kinds: [kind])], of: Self.app)
    for event in [Self.member(.memberRemoved, "ada"), Self.member(.memberAdded, "ada"), Self.member(kind, "ben")] {
      bench.sender.take(event, of: "7")
    }
    #expect(try await bench.attempts(1, passing: 0.5) == ["7 \(kind.rawValue): 204"])
    let body = try #require(server.received.first)
    let told: JSON = [["name": .string(kind.rawValue), "channel": "presence-a", "user_id": "ben"]]
    #expect(try JSON(parsing: body)["events"] == told)
    #expect(bench.counts == [1, 0, 0])
  }

  @Test func `an address inside is not connected to`() async throws {
    let bench = try Bench(reachable: [])
    let server = Self.receiver(200)
    defer { server.stop() }
    bench.sender.set([RealtimeWebhook(url: server.url, kinds: [.channelOccupied])], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    _ = try await bench.attempts(1)
    #expect(server.asked.isEmpty)
    #expect(bench.counts == [0, 1, 1])
  }

  @Test func `a name that leads inside is not connected to, and what is to be told waits`() async throws {
    let bench = try Bench(reachable: [])
    let server = Self.receiver(200)
    defer { server.stop() }
    let hook = RealtimeWebhook(url: "http://localhost:\(server.port)/", kinds: [.channelOccupied])
    bench.sender.set([hook], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    _ = try await bench.attempts(1)
    #expect(bench.counts == [0, 1, 0])
    _ = try await bench.attempts(2, passing: 0.5)
    #expect(bench.counts == [0, 2, 0], "it is tried again, and nothing is dropped")
    #expect(server.asked.isEmpty)
  }

  @Test func `two receivers get the same, and neither waits for the other`() async throws {
    let bench = try Bench()
    let (one, other) = (Self.receiver(500), Self.receiver(200))
    defer { for server in [one, other] { server.stop() } }
    let hooks = [one, other].map { RealtimeWebhook(url: $0.url, kinds: [.channelOccupied]) }
    bench.sender.set(hooks, of: Self.app)
    bench.sender.take(Self.event, of: "7")
    bench.sender.take(Self.event, of: "7")
    _ = try await bench.attempts(3)
    #expect(one.received.count == 1 && other.received.count == 2)
    // An app that is removed is told nothing more.
    bench.sender.set([], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    bench.sender.set([hooks[1]], of: Self.app)
    bench.sender.take(Self.event, of: "7")
    _ = try await bench.attempts(4)
    #expect(one.received.count == 1 && other.received.count == 3)
  }
}
