import Delivery
import EventLoop
import Hub
import Lifecycle
import Ntfy
import Observe
import Server
import Store
import Wire

/// One who listens to topics in ntfy's manner, whatever the form of the connection. Confined to its connection's loop.
final class NtfySubscriber: EventStreamHandler, WebSocketHandler, @unchecked Sendable {
  enum Form: String, Sendable {
    case json, sse, raw, ws
  }

  /// The parameters of a subscription, beside its topics.
  struct Wish {
    var since: NtfySince
    var isPoll: Bool
    var filter: NtfyFilter

    init(_ request: Request, now: Double) throws(NtfyFault) {
      let parameters = request.ntfy
      isPoll = parameters.isOn("poll", "po")
      // A browser's EventSource that comes back says what it has.
      let last = request.head.fields["last-event-id"]
      since = try NtfySince(last ?? parameters["since", "si"], isPoll: isPoll, now: now)
      filter = try NtfyFilter(parameters)
    }
  }

  /// The state while a subscriber is sent earlier messages; nil afterwards, since most subscribers are idle.
  private final class CatchUp {
    let wish: Wish
    let request: Request
    /// Messages that came meanwhile.
    var queue: [NtfyLine] = []
    var waiting: CheckedContinuation<Void, Never>?

    init(_ wish: Wish, _ request: Request) {
      self.wish = wish
      self.request = request
    }
  }

  /// ntfy's subscribers send nothing but what keeps the connection open.
  static let bounds = MessageBounds(
    strangersBytes: 1 << 10, bytes: 1 << 10, rate: Rate(burst: 20, perSecond: 1),
    quietSeconds: NtfyLimits.keepaliveSeconds)

  let form: Form
  let topics: [String]
  private let feed: NtfyFeed
  private let filter: NtfyFilter
  private let isPoll: Bool
  private var principal: Principal?
  private var output: (any NtfyOutput)?
  private var catchUp: CatchUp?
  /// Messages that were read from the store and may come once more, as they were sent just then.
  private var recent: Set<Int>?
  /// Set before it is known to others.
  private(set) var loop: EventLoop

  init(_ form: Form, _ request: Request, _ feed: NtfyFeed) throws(HTTPError) {
    self.form = form
    self.feed = feed
    loop = feed.hub.loop
    let (wish, topics) = try NtfyFault.told { () throws(NtfyFault) in
      (try Wish(request, now: feed.hub.time.now), try TopicNames.list(request.ntfyTopic))
    }
    self.topics = topics
    filter = wish.filter
    isPoll = wish.isPoll
    catchUp = CatchUp(wish, request)
  }

  /// A WebSocket's, whose request was read when it was admitted.
  convenience init(admitted request: Request, _ feed: NtfyFeed) {
    do throws(HTTPError) {
      try self.init(.ws, request, feed)
    } catch {
      preconditionFailure("a request was admitted that cannot be read: \(error.error)")
    }
  }

  func holder(of topic: String) -> NtfyHolder { NtfyHolder(principal: principal, topic: topic) }

  // MARK: The connection's calls

  var contentType: String {
    switch form {
    case .json, .ws: "application/x-ndjson; charset=utf-8"
    case .sse: "text/event-stream; charset=utf-8"
    case .raw: "text/plain; charset=utf-8"
    }
  }

  var quietSeconds: Double { NtfyLimits.keepaliveSeconds }

  func keepAlive() -> EncodedEvent { NtfyLine(event(.keepalive)).encoded(as: form) }

  /// ntfy's app for Android listens on when an answer, or a WebSocket, comes to its regular end, and hears nothing any
  /// more; it comes back at once when its connection breaks.
  var breaksOff: Bool { form == .json && !isPoll }
  func serverCloses(_ socket: WebSocket) { end() }

  func opened(_ stream: EventStream) { begin(stream) }
  func opened(_ socket: WebSocket) { begin(socket) }
  func received(_ text: String) {}

  func sentSome() {
    guard let waiting = catchUp?.waiting else { return }
    catchUp?.waiting = nil
    loop.execute { waiting.resume() }
  }

  func closed() {
    output = nil
    feed.remove(self)
    sentSome()
    catchUp = nil
  }

  /// Ends the connection; clients come back by themselves.
  func end() {
    let ended = output
    output = nil
    feed.remove(self)
    sentSome()  // who waits for the client to take something waits no longer
    ended?.end()
  }

  // MARK: Messages

  private func event(_ kind: NtfyEvent.Kind) -> NtfyEvent {
    NtfyEvent(kind, id: NtfyFeed.randomID(), time: feed.hub.time.now, topic: topics.joined(separator: ","))
  }

  /// Takes a message that was sent just now.
  func deliver(_ line: NtfyLine) {
    guard output != nil, filter.passes(line.event) else { return }
    guard let catchUp else { return isSent(line) ? () : send(line) }
    // One that is so far behind comes back, and asks for the rest.
    if catchUp.queue.count >= BellsLimits.ntfyQueued { return end() }
    catchUp.queue.append(line)
  }

  /// True for one that was sent from the store just now.
  private func isSent(_ line: NtfyLine) -> Bool {
    guard let recent, let id = Int(line.event.id) else { return false }
    return recent.contains(id)
  }

  private func send(_ line: NtfyLine) { output?.send(line, as: form) }

  // MARK: What was sent before

  private func begin(_ output: any NtfyOutput) {
    self.output = output
    loop = output.loop
    let task = feed.hub.supervisor.once("bells.ntfy-history") { [self, loop = output.loop] in
      await withTaskExecutorPreference(loop) { await catchUpWithOthers() }
    }
    if task == nil { end() }
  }

  private func catchUpWithOthers() async {
    guard let catchUp else { return }
    do throws(HTTPError) {
      principal = try await feed.caller(catchUp.request)
    } catch {
      return end()
    }
    if principal != nil { output?.signedIn() }
    // From now on nothing is missed.
    if !isPoll {
      guard output != nil, feed.add(self) else { return end() }
      send(NtfyLine(event(.open)))
    }
    var place: RequestGate.Place?
    while principal == nil, catchUp.wish.since != .none, output != nil, place == nil {
      place = feed.placeForHistory(catchUp.request)
      if place == nil, (try? await loop.pause(for: BellsLimits.ntfyHistoryPause)) == nil { return end() }
    }
    do throws(StoreError) {
      try await sendHistory(catchUp.wish.since)
    } catch {
      feed.hub.log.error("the store failed", ["error": error.message, "context": error.context])
      return end()
    }
    withExtendedLifetime(place) {}
    place = nil
    if isPoll { end() } else { await goLive() }
  }

  private func sendHistory(_ since: NtfySince) async throws(StoreError) {
    let (store, now, topics) = (feed.hub.store, feed.hub.time.now, topics)
    let oldest = now - NtfyLimits.keptSeconds
    var (from, last): (Double, Outgoing?) = (oldest, nil)
    switch since {
    case .none: return
    case .latest:
      let page = try await store.read { database throws(StoreError) in
        try database.latest(ofTopics: topics, since: oldest)
      }
      return await sendPage(page, now)
    case .all: break
    case .time(let time): from = max(time, oldest)
    case .id(let id):
      last = try await store.read { database throws(StoreError) in try database.sentMessage(id) }
    }
    let start = from
    while output != nil {
      let behind = last
      let page = try await store.read { database throws(StoreError) in
        try database.sent(toTopics: topics, since: start, after: behind, limit: BellsLimits.ntfyPage)
      }
      await sendPage(page, now)
      guard page.count == BellsLimits.ntfyPage else { return }
      last = page.last?.message
    }
  }

  private func sendPage(_ page: [TopicNews], _ began: Double) async {
    for news in page where output != nil {
      guard let topic = news.topics.first, let event = NtfyEvent(news, topic: topic, base: feed.base), event.isCached
      else { continue }
      if news.message.sentAt > began - BellsLimits.ntfyRecent { recent = recent ?? []; recent?.insert(news.message.id) }
      if filter.passes(event) { await sendSlowly(NtfyLine(event)) }
    }
  }

  /// Sends a message as soon as the client has taken enough of those before: whoever lets more wait is disconnected.
  private func sendSlowly(_ line: NtfyLine) async {
    while (output?.waitingBytes ?? 0) > BellsLimits.ntfyWaitingBytes, let catchUp {
      await withCheckedContinuation { catchUp.waiting = $0 }
    }
    send(line)
  }

  /// Sends what came meanwhile; from now on all comes as it is sent.
  private func goLive() async {
    while output != nil, let catchUp, !catchUp.queue.isEmpty {
      let line = catchUp.queue.removeFirst()
      if !isSent(line) { await sendSlowly(line) }
    }
    catchUp = nil
    guard recent != nil else { return }
    loop.schedule(after: BellsLimits.ntfyRecent) { [weak self] in self?.recent = nil }
  }
}

/// The connection by which a subscriber is sent lines: an event stream or a WebSocket.
private protocol NtfyOutput: AnyObject {
  var loop: EventLoop { get }
  var waitingBytes: Int { get }
  func signedIn()
  func send(_ line: NtfyLine, as form: NtfySubscriber.Form)
  func end()
}

extension EventStream: NtfyOutput {
  fileprivate func send(_ line: NtfyLine, as form: NtfySubscriber.Form) { send(line.encoded(as: form)) }
  fileprivate func end() { close() }
}

extension WebSocket: NtfyOutput {
  fileprivate func send(_ line: NtfyLine, as form: NtfySubscriber.Form) { send(line.message) }
}
