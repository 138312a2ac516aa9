import Realtime
import Testing
import Wire

struct WebhookQueueTests {
  private static func occupied(_ channel: String) -> WebhookEvent { WebhookEvent(.channelOccupied, channel: channel) }
  private static func vacated(_ channel: String) -> WebhookEvent { WebhookEvent(.channelVacated, channel: channel) }

  /// A queue that has taken these events at time 0.
  private static func queue(_ events: WebhookEvent...) -> WebhookQueue {
    var queue = WebhookQueue()
    for event in events { queue.take(event, now: 0) }
    return queue
  }

  @Test func `events are posted in their order, one by one or together`() {
    let all = ["a", "b", "c"].map(Self.occupied)
    for (isBatched, posts) in [(false, all.map { [$0] }), (true, [all])] {
      var queue = Self.queue(all[0], all[1], all[2])
      for events in posts {
        #expect(queue.due == -.infinity)
        #expect(queue.next(now: 0, time: 5, isBatched: isBatched) == WebhookPost(events: events, createdAt: 5))
        #expect(queue.due == nil, "one post at a time")
        queue.finished(isTaken: true, now: 0)
      }
      #expect(queue.isEmpty && queue.bytes == 0 && queue.dropped == 0)
    }
  }

  @Test func `a channel that is left is told after three seconds, unless somebody comes back`() {
    var queue = Self.queue(Self.vacated("a"), Self.vacated("b"))
    #expect(queue.due == 3)
    queue.take(Self.occupied("a"), now: 2.9)
    #expect(queue.next(now: 2.9, time: 0, isBatched: true) == nil)
    #expect(queue.next(now: 3, time: 0, isBatched: true)?.events == [Self.vacated("b")])
    queue.finished(isTaken: true, now: 3)
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test func `a member who comes back is no news, and another one is`() {
    func member(_ kind: WebhookEvent.Kind, _ id: String) -> WebhookEvent {
      WebhookEvent(kind, channel: "presence-a", userID: id)
    }
    var queue = Self.queue(
      member(.memberRemoved, "1"), member(.memberAdded, "2"), member(.memberAdded, "1"), member(.memberRemoved, "1"))
    #expect(queue.next(now: 0, time: 0, isBatched: true)?.events == [member(.memberAdded, "2")])
    queue.finished(isTaken: true, now: 1)
    // Gone at last: the time counts from when they left the second time.
    #expect(queue.next(now: 3, time: 0, isBatched: true)?.events == [member(.memberRemoved, "1")])
  }

  @Test func `a going that is not told undoes a return, and waits for nothing else`() {
    var queue = WebhookQueue()
    queue.take(Self.vacated("a"), isWanted: false, now: 0)
    queue.take(Self.vacated("b"), isWanted: false, now: 0)
    queue.take(Self.occupied("a"), now: 1)
    #expect(queue.next(now: 3, time: 0, isBatched: true) == nil)
    #expect(queue.isEmpty && queue.bytes == 0 && queue.dropped == 0)
    queue.take(Self.occupied("b"), now: 4)
    #expect(queue.next(now: 4, time: 0, isBatched: true)?.events == [Self.occupied("b")])
  }

  @Test(arguments: [true, false])
  func `who comes back long after is news, also while a post is under way`(isGoingWanted: Bool) {
    var queue = Self.queue(Self.occupied("other"))
    #expect(queue.next(now: 0, time: 0, isBatched: true) != nil)
    for channel in ["a", "b"] { queue.take(Self.vacated(channel), isWanted: isGoingWanted, now: 0) }
    queue.take(Self.occupied("b"), now: 2.9)
    queue.take(Self.occupied("a"), now: 40)
    queue.finished(isTaken: true, now: 41)
    let told = isGoingWanted ? [Self.vacated("a"), Self.occupied("a")] : [Self.occupied("a")]
    #expect(queue.next(now: 41, time: 0, isBatched: true)?.events == told)
    queue.finished(isTaken: true, now: 41)
    #expect(queue.isEmpty && queue.bytes == 0 && queue.dropped == 0)
  }

  @Test func `a going is told of who comes back long after, where comings are not told`() {
    var queue = Self.queue(Self.occupied("other"))
    #expect(queue.next(now: 0, time: 0, isBatched: true) != nil)
    queue.take(Self.vacated("a"), now: 0)
    queue.take(Self.occupied("a"), isWanted: false, now: 40)
    queue.finished(isTaken: true, now: 41)
    #expect(queue.next(now: 41, time: 0, isBatched: true)?.events == [Self.vacated("a")])
  }

  @Test func `goings that are not told take no room from what is`() {
    var queue = WebhookQueue()
    for number in 0..<100_000 { queue.take(Self.vacated("\(number)"), isWanted: false, now: 0) }
    #expect(queue.bytes <= 1 << 20)
    queue.take(Self.occupied("other"), now: 0)
    #expect(queue.next(now: 0, time: 0, isBatched: true)?.events == [Self.occupied("other")])
    queue.dropOldest()
    #expect(queue.dropped == 0, "nobody was to be told of it")
  }

  @Test func `a cache that several miss is told once`() {
    let missed = WebhookEvent(.cacheMiss, channel: "cache-a")
    var queue = Self.queue(missed, missed)
    #expect(queue.next(now: 0, time: 0, isBatched: true)?.events == [missed])
    queue.take(missed, now: 0)
    queue.finished(isTaken: true, now: 0)
    #expect(queue.next(now: 0, time: 0, isBatched: true)?.events == [missed])
  }

  @Test func `a post is tried for five minutes, ever more seldom, and is always the same`() {
    var queue = Self.queue(Self.occupied("a"))
    var (now, tried) = (0.0, [Double]())
    while !queue.isEmpty {
      let post = queue.next(now: now, time: 1_000 + now, isBatched: true)
      #expect(post == WebhookPost(events: [Self.occupied("a")], createdAt: 1_000))
      tried.append(now)
      queue.finished(isTaken: false, now: now)
      #expect(queue.next(now: now, time: 0, isBatched: true) == nil, "not at once")
      now = queue.due ?? now
    }
    #expect(tried == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    #expect(queue.dropped == 1 && queue.bytes == 0)
  }

  @Test func `what has waited behind a receiver that takes nothing is dropped when its own five minutes are over`() {
    var queue = Self.queue(Self.occupied("a"), Self.occupied("b"))
    #expect(queue.next(now: 0, time: 0, isBatched: false) != nil)
    queue.take(Self.occupied("c"), now: 200)
    queue.finished(isTaken: false, now: 301)
    #expect(queue.next(now: 301, time: 0, isBatched: false)?.events == [Self.occupied("c")])
    #expect(queue.dropped == 2)
  }

  @Test func `an address that may not be sent to is not tried again`() {
    var queue = Self.queue(Self.occupied("a"), Self.occupied("b"))
    #expect(queue.next(now: 0, time: 0, isBatched: false) != nil)
    queue.finished(isTaken: false, mayHeal: false, now: 0)
    #expect(queue.isEmpty && queue.dropped == 2 && queue.bytes == 0)
  }

  @Test func `of too many events the oldest are dropped`() {
    var queue = WebhookQueue()
    let data = String(repeating: "x", count: 10_000)
    for number in 0..<300 {
      queue.take(WebhookEvent(.clientEvent, channel: "private-\(number)", event: "client-a", data: data), now: 0)
    }
    #expect(queue.bytes <= 2 << 20 && queue.bytes > 2_000_000)
    #expect(queue.dropped > 80)
    let first = queue.next(now: 0, time: 0, isBatched: false)?.events.first?.channel
    #expect(first == "private-\(queue.dropped)")
  }

  @Test func `a channel that comes and goes all day leaves nothing behind`() {
    var queue = WebhookQueue()
    for number in 0..<100_000 {
      queue.take(Self.vacated("a"), now: Double(number) / 10_000)
      queue.take(Self.occupied("a"), now: Double(number) / 10_000)
    }
    #expect(queue.bytes == 0 && queue.isEmpty && queue.due == nil)
  }

  @Test func `a post says what Pusher's says`() throws {
    let event = WebhookEvent(
      .clientEvent, channel: "presence-a", userID: "7", event: "client-word", data: "{}", socketID: "1.2")
    let post = WebhookPost(events: [event, WebhookEvent(.subscriptionCount, channel: "a", count: 3)], createdAt: 1.25)
    #expect(
      try JSON(parsing: post.body) == [
        "time_ms": 1250,
        "events": [
          [
            "name": "client_event", "channel": "presence-a", "event": "client-word", "data": "{}", "socket_id": "1.2",
            "user_id": "7",
          ],
          ["name": "subscription_count", "channel": "a", "subscription_count": 3],
        ],
      ])
  }
}
