import Crypto
import Delivery
import EventLoop
import Hub
import Lifecycle
import Ntfy
import Observe
import Server
import Store
import Synchronization
import Wire

/// All who listen to topics in ntfy's manner. Whatever is sent to a topic, by whomever, is told here after its commit;
/// before each message the store is asked who may still listen.
final class NtfyFeed: TopicListener {
  let hub: Hub

  private struct State {
    var subscribers: [String: [ObjectIdentifier: NtfySubscriber]] = [:]
    /// Messages that subscribers have not been told of, the oldest first.
    var news: [TopicNews] = []
    var isTelling = false
    var isClosed = false
  }
  private let state = Mutex(State())
  /// Counts what strangers send to each open topic.
  private let strangers: TokenBuckets<String>
  /// Strangers who are being sent what was sent before.
  private let histories = RequestGate(
    .max, each: BellsLimits.ntfyHistories, refusal: HTTPError(.tooBusy, "Others read just now.", help: "Wait."))

  init(_ hub: Hub) {
    self.hub = hub
    strangers = TokenBuckets(most: BellsLimits.topics * 2, for: BellsLimits.strangersOfTopicSeconds, time: hub.time)
  }

  /// The hub's address for links within it; nil if the owner has not set it.
  var base: String? { hub.publicURL }

  // MARK: Who may listen

  /// The caller; nil for a stranger.
  /// - Throws: 401 for an unknown token.
  func caller(_ request: Request) async throws(HTTPError) -> Principal? {
    do throws(HTTPError) {
      return try await hub.authorise(request, .enter)
    } catch {
      if error.code == .noToken { return nil }
      throw error
    }
  }

  /// Admits a subscriber: one who may listen to all topics that they name.
  func admit(_ request: Request) async throws(HTTPError) {
    let names = try NtfyFault.told { () throws(NtfyFault) in
      _ = try NtfySubscriber.Wish(request, now: hub.time.now)
      return try TopicNames.list(request.ntfyTopic)
    }
    let principal = try await caller(request)
    let refused: NtfyFault? = try await hub.look { [hub] database throws(StoreError) -> NtfyFault? in
      for name in names {
        guard let topic = try database.topic(name) else { return NtfyFault.noTopic(name) }
        if !Self.mayListen(principal, to: topic, hub) { return NtfyFault.forbidden("topic \(name)") }
      }
      return nil
    }
    guard let refused else { return }
    // A stranger is not told which topics there are.
    if principal == nil { throw NtfyFault.forbidden("a token is needed for this topic").error }
    throw refused.error
  }

  private static func mayListen(_ principal: Principal?, to topic: Topic, _ hub: Hub) -> Bool {
    if topic.subscribers == .everybody { return true }
    // A token that was made for some topics has to do with these alone.
    if let topics = principal?.topics, !topics.contains(topic.id) { return false }
    return TopicRoutes.mayTake(topic, principal, hub)
  }

  /// Counts a message of somebody who has not signed in, to a topic that is open to everybody.
  /// - Throws: 429 if strangers have sent too many there.
  func countStranger(at topic: String) throws(HTTPError) {
    guard let seconds = strangers.take(topic, BellsLimits.strangersOfTopic) else { return }
    throw .tooOften("Too much is sent to this topic without a token.", wait: seconds, "; nothing was sent.")
  }

  /// A place for a stranger to be sent earlier messages; nil while as many of the same address have one.
  func placeForHistory(_ request: Request) -> RequestGate.Place? {
    try? histories.enter(for: Attempts.network(of: request.peer))
  }

  // MARK: Subscribers

  /// - Returns: false if the hub is ending.
  func add(_ subscriber: NtfySubscriber) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      let id = ObjectIdentifier(subscriber)
      for topic in subscriber.topics { state.subscribers[topic, default: [:]][id] = subscriber }
      return true
    }
  }

  func remove(_ subscriber: NtfySubscriber) {
    state.withLock { state in
      for topic in subscriber.topics {
        state.subscribers[topic]?[ObjectIdentifier(subscriber)] = nil
        if state.subscribers[topic]?.isEmpty == true { state.subscribers[topic] = nil }
      }
    }
  }

  func close() {
    state.withLock { $0.isClosed = true }
    dropAll()
  }

  /// Sends all subscribers away: they come back by themselves, and ask for what they missed.
  private func dropAll() {
    let all = state.withLock { state in
      state.news = []
      return state.subscribers.values.flatMap(\.values)
    }
    for subscriber in all { subscriber.loop.execute { subscriber.end() } }
  }

  // MARK: News

  var isHeard: Bool { state.withLock { !$0.subscribers.isEmpty } }
  func missedSome() { dropAll() }

  func sent(_ news: [TopicNews]) {
    let (starts, isTooMuch) = state.withLock { state in
      let wanted = news.filter { one in one.topics.contains { state.subscribers[$0] != nil } }
      if wanted.isEmpty { return (false, false) }
      if state.news.count + wanted.count > BellsLimits.ntfyNews { return (false, true) }
      state.news += wanted
      defer { state.isTelling = true }
      return (!state.isTelling, false)
    }
    if isTooMuch { return dropAll() }
    if starts, hub.supervisor.once("bells.ntfy", { [self] in await tell() }) == nil { dropAll() }
  }

  /// Tells what waits, in order.
  private func tell() async {
    while true {
      let news = state.withLock { state in
        let news = Array(state.news.prefix(BellsLimits.ntfyAtOnce))
        state.news.removeFirst(news.count)
        if news.isEmpty { state.isTelling = false }
        return news
      }
      if news.isEmpty { return }
      await tell(news)
    }
  }

  /// A message for some of those who listen to one of its topics.
  private struct Delivered: Sendable {
    let event: NtfyEvent
    var subscribers: [NtfySubscriber] = []
  }

  private func tell(_ news: [TopicNews]) async {
    let deliveries = state.withLock { state in news.flatMap { Self.deliveries($0, state.subscribers, base) } }
    let asked = Set(deliveries.flatMap { one in one.subscribers.map { $0.holder(of: one.event.topic) } })
    let allowed: Set<NtfyHolder>
    do throws(StoreError) {
      allowed = try await hub.store.read { [hub] database throws(StoreError) in
        var allowed: Set<NtfyHolder> = []
        for holder in asked {
          guard let topic = try database.topic(holder.topic), Self.mayListen(holder.principal, to: topic, hub) else {
            continue
          }
          if let principal = holder.principal, try !hub.isCurrent(principal, in: database) { continue }
          allowed.insert(holder)
        }
        return allowed
      }
    } catch {
      // Nobody gets what may be for others only; who comes back asks for it.
      hub.log.error("the store failed", ["error": error.message, "context": error.context])
      return dropAll()
    }
    for delivery in deliveries { pass(delivery, to: allowed) }
  }

  private static func deliveries(
    _ news: TopicNews, _ subscribers: [String: [ObjectIdentifier: NtfySubscriber]], _ base: String?
  ) -> [Delivered] {
    var told: Set<ObjectIdentifier> = []
    var deliveries: [Delivered] = []
    for topic in news.topics {
      guard let listeners = subscribers[topic], let event = NtfyEvent(news, topic: topic, base: base) else { continue }
      // A subscriber to several of its topics gets it once.
      let new = listeners.filter { told.insert($0.key).inserted }
      deliveries.append(Delivered(event: event, subscribers: Array(new.values)))
    }
    return deliveries
  }

  private func pass(_ delivery: Delivered, to holders: Set<NtfyHolder>) {
    var lists: [ObjectIdentifier: (loop: EventLoop, allowed: [NtfySubscriber], refused: [NtfySubscriber])] = [:]
    for subscriber in delivery.subscribers {
      let list = ObjectIdentifier(subscriber.loop)
      if holders.contains(subscriber.holder(of: delivery.event.topic)) {
        lists[list, default: (subscriber.loop, [], [])].allowed.append(subscriber)
      } else {
        lists[list, default: (subscriber.loop, [], [])].refused.append(subscriber)
      }
    }
    let line = NtfyLine(delivery.event)
    for (loop, allowed, refused) in lists.values {
      loop.execute {
        for subscriber in allowed { subscriber.deliver(line) }
        for subscriber in refused { subscriber.end() }
      }
    }
  }

  /// The id of an event that is no message.
  static func randomID() -> String { Digest.base64URL(Digest.random(9)) }
}

/// Somebody who listens to a topic, for asking whether they may; many connections may have the same.
struct NtfyHolder: Hashable, Sendable {
  let principal: Principal?
  let topic: String

  private var name: String { principal.map { "\($0.caller) \($0.device ?? 0)" } ?? "" }

  static func == (one: Self, other: Self) -> Bool { one.topic == other.topic && one.name == other.name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(topic)
    hasher.combine(name)
  }
}

extension NtfyEvent {
  /// A notification as the subscribers of one of its topics get it; nil for one that shows nothing.
  init?(_ news: TopicNews, topic: String, base: String?) {
    guard case .show(let text) = news.message.work, let content = try? JSON(parsing: text) else { return nil }
    self.init(
      id: news.message.id, at: news.message.sentAt, topic: topic, content: content,
      collapseID: news.message.collapseID, base: base)
  }
}

/// A message in each form that its subscribers want, made once for all of them.
final class NtfyLine: Sendable {
  let event: NtfyEvent
  private struct Forms {
    var streams: [NtfySubscriber.Form: EncodedEvent] = [:]
    var socket: EncodedMessage?
  }
  private let forms = Mutex(Forms())

  init(_ event: NtfyEvent) { self.event = event }

  func encoded(as form: NtfySubscriber.Form) -> EncodedEvent {
    forms.withLock { forms in
      if let known = forms.streams[form] { return known }
      let made =
        switch form {
        case .json, .ws: EncodedEvent(event.line)
        case .sse: EncodedEvent(event.serverSentEvent)
        case .raw: EncodedEvent(event.raw)
        }
      forms.streams[form] = made
      return made
    }
  }

  var message: EncodedMessage {
    forms.withLock { forms in
      let made = forms.socket ?? EncodedMessage(text: event.json.bytes)
      forms.socket = made
      return made
    }
  }
}
