/// The events that wait for one webhook, in their order, and the next attempt. It has no clock and sends nothing; times
/// are seconds of uptime.
///
/// A channel that was left, or a member that is gone, is told after a moment only, and not at all if it comes back
/// meanwhile: a page that is loaded again is no news. So the queue has to know of every coming and going, also where
/// the webhook wants to be told of one of the two alone.
package struct WebhookQueue {
  private struct Waiting {
    var event: WebhookEvent
    var since: Double
  }
  private struct Place: Hashable {
    var channel: String
    var user: String?
  }
  private struct Gone {
    var number: Int
    var event: WebhookEvent
    /// False if the webhook is told only of a return.
    var isWanted: Bool
  }
  private struct Leaving {
    var place: Place
    var number: Int
    var due: Double
  }

  private var ready = Line<Waiting>()
  /// Those that are told unless they come back, by what they are about.
  private var left: [Place: Gone] = [:]
  /// Their order; entries without a `left` of the same number are void.
  private var leaving = Line<Leaving>()
  private var numbers = 0
  /// The channels whose cache was missed, which is told once until then.
  private var missed: Set<String> = []
  /// The post of which it is not known yet that it was taken, and when it was tried first.
  private var post: (events: WebhookPost, bytes: Int, since: Double)?
  private var isUnderWay = false
  private var failures = 0
  private var nextAttempt = 0.0
  /// Bytes of all that waits.
  package private(set) var bytes = 0
  /// Events that nobody was told: too many waited, or no attempt went well.
  package private(set) var dropped = 0

  package init() {}

  package var isEmpty: Bool { ready.isEmpty && left.isEmpty && post == nil }
  /// True if there is something that is in no post yet.
  package var hasWaiting: Bool { !ready.isEmpty || !left.isEmpty }

  /// The time at which `next` has something to do; nil while it has not.
  package var due: Double? {
    if isUnderWay || isEmpty { return nil }
    if post != nil { return nextAttempt }
    return ready.isEmpty ? leaving.first?.due : -.infinity
  }

  /// - Parameter isWanted: false for a coming or going that the webhook is not told; it undoes its opposite all the
  ///   same.
  package mutating func take(_ event: WebhookEvent, isWanted: Bool = true, now: Double) {
    // While a post is under way `next` does not look: what was left long ago must not be undone by a return.
    endLeft(now: now)
    let place = Place(channel: event.channel, user: event.userID)
    switch event.kind {
    case .channelOccupied, .memberAdded:
      if let gone = left.removeValue(forKey: place) {
        bytes -= gone.event.bytes
        return
      }
      guard isWanted else { return }
    case .channelVacated, .memberRemoved:
      // Goings that only wait for a return take at most half of the room, so that events are told still.
      guard isWanted || bytes + event.bytes <= RealtimeLimits.waitingBytes / 2 else { return }
      numbers += 1
      let gone = Gone(number: numbers, event: event, isWanted: isWanted)
      bytes += event.bytes - (left.updateValue(gone, forKey: place)?.event.bytes ?? 0)
      leaving.append(Leaving(place: place, number: numbers, due: now + RealtimeLimits.leftSeconds))
      // Channels that come and go all the time leave void entries.
      if leaving.count > 2 * left.count + 16 { leaving.removeAll { left[$0.place]?.number != $0.number } }
      return shorten()
    case .cacheMiss:
      guard missed.insert(event.channel).inserted else { return }
    case .clientEvent, .subscriptionCount: break
    }
    ready.append(Waiting(event: event, since: now))
    bytes += event.bytes
    shorten()
  }

  private mutating func shorten() {
    while bytes > RealtimeLimits.waitingBytes, hasWaiting { dropOldest() }
  }

  /// Drops the oldest event that is in no post yet.
  package mutating func dropOldest() {
    if let event = ready.popFirst()?.event {
      forget(event)
      return
    }
    while let next = leaving.popFirst() {
      guard let gone = end(next) else { continue }
      if gone.isWanted { return forget(gone.event) }
      bytes -= gone.event.bytes
      return
    }
  }

  private mutating func forget(_ event: WebhookEvent) {
    if event.kind == .cacheMiss { missed.remove(event.channel) }
    bytes -= event.bytes
    dropped += 1
  }

  /// Takes what has left out of `left`; nil if it came back.
  private mutating func end(_ leaving: Leaving) -> Gone? {
    guard left[leaving.place]?.number == leaving.number else { return nil }
    return left.removeValue(forKey: leaving.place)
  }

  /// Makes ready what was left long enough ago, and forgets of it what is not told.
  private mutating func endLeft(now: Double) {
    while let first = leaving.first, first.due <= now {
      _ = leaving.popFirst()
      guard let gone = end(first) else { continue }
      if gone.isWanted { ready.append(Waiting(event: gone.event, since: now)) } else { bytes -= gone.event.bytes }
    }
  }

  /// The post to be sent now; `finished` has to follow.
  /// - Parameters:
  ///   - isBatched: true if it may have several events.
  ///   - time: seconds since 1970.
  package mutating func next(now: Double, time: Double, isBatched: Bool) -> WebhookPost? {
    guard !isUnderWay else { return nil }
    endLeft(now: now)
    if post == nil, !ready.isEmpty {
      collect(atMost: isBatched ? RealtimeLimits.eventsOfPost : 1, now: now, time: time)
    }
    guard let post, nextAttempt <= now else { return nil }
    isUnderWay = true
    return post.events
  }

  private mutating func collect(atMost most: Int, now: Double, time: Double) {
    var events: [WebhookEvent] = []
    var size = 0
    while events.count < most, let next = ready.first?.event {
      if size > 0, size + next.bytes > RealtimeLimits.bytesOfPost { break }
      _ = ready.popFirst()
      if next.kind == .cacheMiss { missed.remove(next.channel) }
      events.append(next)
      size += next.bytes
    }
    post = (WebhookPost(events: events, createdAt: time), size, now)
    (failures, nextAttempt) = (0, now)
  }

  /// - Parameter mayHeal: false for a refusal that stays: the receiver's address is a number that may not be sent to.
  package mutating func finished(isTaken: Bool, mayHeal: Bool = true, now: Double) {
    isUnderWay = false
    guard let post else { return }
    if !isTaken {
      failures += 1
      let doubled = RealtimeLimits.firstPause * Double(1 << min(failures - 1, 16))
      let pause = min(doubled, RealtimeLimits.longestPause)
      if mayHeal, now + pause - post.since <= RealtimeLimits.webhookSeconds {
        nextAttempt = now + pause
        return
      }
      dropped += post.events.events.count
    }
    bytes -= post.bytes
    self.post = nil
    // Events that waited behind it all the time have had their five minutes too.
    while !isTaken, let first = ready.first, !mayHeal || now - first.since > RealtimeLimits.webhookSeconds {
      dropOldest()
    }
  }

  /// Forgets that a post is under way, whose task was cancelled: it is sent once more.
  package mutating func interrupted() { isUnderWay = false }
}

/// A queue whose first element is taken in constant time, on the average.
struct Line<Element> {
  private var elements: [Element] = []
  private var start = 0

  var count: Int { elements.count - start }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[start] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    start += 1
    if start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  mutating func removeAll(where isOver: (Element) -> Bool) {
    elements = elements[start...].filter { !isOver($0) }
    start = 0
  }
}
