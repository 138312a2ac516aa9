import Delivery
import EventLoop
import Observe
import Store
import Synchronization
import Testing
import Wire
import World

/// Earlier notifications of topics, for listeners that are no devices.
struct TopicHistoryTests {
  let world: DeliveryWorld

  init() async throws {
    world = try await DeliveryWorld()
    for id in ["a", "b", "c"] {
      try await world.write { database, _ throws(StoreError) in
        try database.saveTopic(Topic(id: id, name: id, subscribers: .members, senders: .members))
      }
    }
  }

  @discardableResult
  func send(_ topics: [String], _ title: String, at: Double? = nil) async throws -> Submitted {
    let submission = Submission(
      to: topics.map(Recipient.topic), content: ["title": .string(title)], at: at, sender: "person 1",
      topic: topics.count == 1 ? topics[0] : nil, topics: topics)
    return try await world.write { database, now throws(StoreError) in try database.submit(submission, now: now) }
  }

  func history(_ topics: [String], since: Double = 0, after last: Outgoing? = nil, limit: Int = 10) async throws
    -> [TopicNews]
  {
    try await world.store.read { database throws(StoreError) in
      try database.sent(toTopics: topics, since: since, after: last, limit: limit)
    }
  }

  @Test func `it is in order, each once, and page by page`() async throws {
    for (topics, title) in [(["a"], "1"), (["a", "b"], "2"), (["c"], "3"), (["b"], "4"), (["a"], "5")] {
      try await send(topics, title)
      world.time.advance(by: title == "4" ? 0 : 1)
    }
    func titles(_ news: [TopicNews]) throws -> [String] {
      try news.map { one in
        guard case .show(let content) = one.message.work else { return "" }
        return try JSON(parsing: content)["title"]?.string ?? ""
      }
    }
    #expect(try titles(await history(["a", "b"])) == ["1", "2", "4", "5"])
    #expect(try titles(await history(["b"])) == ["2", "4"])
    #expect(try await history(["d"]).isEmpty)
    var found: [String] = []
    var last: Outgoing?
    repeat {
      let page = try await history(["a", "b"], after: last, limit: 1)
      found += try titles(page)
      last = page.last?.message
    } while last != nil
    #expect(found == ["1", "2", "4", "5"])
    #expect(try titles(await history(["a", "b"], since: world.time.now - 1)) == ["4", "5"])
    let latest = try await world.store.read { database throws(StoreError) in
      try database.latest(ofTopics: ["a", "b", "c"], since: 0)
    }
    #expect(try titles(latest) == ["3", "4", "5"])
  }

  @Test func `what is taken back, or waits, is not there`() async throws {
    let one = try await send(["a"], "1")
    let waits = try await send(["a"], "2", at: world.time.now + 60)
    #expect(one.news?.topics == ["a"] && waits.news == nil)
    #expect(try await history(["a"]).map(\.message.id) == [one.id])
    try await world.withdraw(one.id)
    #expect(try await history(["a"]).isEmpty)
  }

  final class Listener: TopicListener {
    let heard = Mutex<[Int]>([])
    func sent(_ news: [TopicNews]) { heard.withLock { $0 += news.map(\.message.id) } }
    var isHeard: Bool { true }
    func missedSome() {}
  }

  @Test func `listeners are told what was sent at once, and of the rest when it is time`() async throws {
    let loop = EventLoop(time: world.time)
    let delivery = Delivery(
      store: world.store, loop: loop, time: world.time, log: Log(time: world.time, sink: { _ in }))
    let listener = Listener()
    delivery.add(listener)
    let one = try await send(["a"], "1")
    delivery.announce([one])
    let waits = try await send(["a"], "2", at: world.time.now + 60)
    delivery.announce([waits])
    #expect(listener.heard.withLock { $0 } == [one.id])
    world.time.advance(by: 61)
    _ = try await delivery.work()
    #expect(listener.heard.withLock { $0 } == [one.id, waits.id])
  }
}
