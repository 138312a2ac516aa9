import EventLoop
import Lifecycle
import Synchronization
import Wire

/// The other hubs on the same database server, as the channels of apps know them.
///
/// Each hub tells the others what has changed in its own channels, and its number of such messages once a second: who
/// has missed one asks for everything anew. A hub that is not heard of for `RealtimeLimits.peerSeconds` is gone, and so
/// is everybody who was connected to it. Events go to the hubs that have connections of their app.
final class Peers: Sendable {
  private struct Peer {
    /// The number of its last message of what has changed.
    var number: Int
    /// The uptime at which it was heard last.
    var heardAt: Double
    /// True until it has told everything.
    var isWanted = true
  }
  /// A part of all that others are to be told.
  struct Piece: Sendable {
    /// The bytes of its messages, at most.
    var bytes: Int
    var tell: @Sendable () -> Void
  }
  private struct State {
    var number = 0
    var peers: [String: Peer] = [:]
    /// True if this hub sends the webhooks of what several hubs have to do with.
    var isKeeper = false
    /// Events of webhooks that another hub sends, and may not have sent yet; kept for when it dies.
    var held: [(app: String, event: WebhookEvent, at: Double)] = []
    /// The uptime at which others were told everything, and whether that goes on.
    var toldAllAt = -Double.infinity
    var isTellingAll = false

    /// Hands over the webhooks that were held.
    mutating func release(_ send: (_ app: String, WebhookEvent) -> Void) {
      for one in held { send(one.app, one.event) }
      held = []
    }
  }
  private let state = Mutex(State())
  private let link: PeerLink
  private let loop: EventLoop
  private var time: any TimeSource { loop.time }
  /// The uptime since which it listens.
  private let began: Double

  init(_ link: PeerLink, _ loop: EventLoop) { (self.link, self.loop, began) = (link, loop, loop.time.uptime) }

  // MARK: Sending

  private func send(_ content: PeerMessage.Content, to topic: String = PeerLink.all) {
    link.send(PeerMessage(hub: link.hub, content).bytes, topic)
  }

  /// Tells what has changed here.
  func tell(_ told: PeerMessage.Told) { number { .told(told, number: $0) } }

  /// Sends a message with the next number. Others may do so at the same time: the numbers go out in their order.
  private func number(_ content: (Int) -> PeerMessage.Content) {
    state.withLock { state in
      state.number += 1
      send(content(state.number))
    }
  }

  /// Passes an event on, also where no other hub is known: there may be some that have not said hello yet.
  /// - Parameter toAll: true for an event that hubs keep for subscribers who come later.
  func pass(_ event: PeerMessage.Event, toAll: Bool) {
    send(.event(event), to: toAll ? PeerLink.all : PeerLink.topic(of: event.app))
  }

  func terminate(_ user: String, of app: String) { send(.terminate(app: app, user: user)) }

  /// Hears the events of an app.
  /// - Parameter heard: called, later and on any thread, once none is missed.
  func listen(to app: String, heard: @escaping @Sendable () -> Void) { link.listen(PeerLink.topic(of: app), heard) }

  func leave(_ app: String) { link.leave(PeerLink.topic(of: app)) }

  func sayHello() {
    state.withLock { state in
      let wants = state.peers.filter(\.value.isWanted).map(\.key).sorted()
      // Before anybody can use the next number.
      send(.hello(PeerMessage.Hello(number: state.number, isKeeper: state.isKeeper, wants: wants)))
    }
  }

  func sayBye() { send(.bye) }

  /// Tells everything anew, but not more than once a second; a piece at a time, since all of it can be more than may
  /// wait to be sent.
  func tellAll(_ pieces: () -> [Piece]) {
    let now = time.uptime
    let isDue = state.withLock { state in
      guard !state.isTellingAll, now - state.toldAllAt >= RealtimeLimits.helloSeconds / 2 else { return false }
      (state.isTellingAll, state.toldAllAt) = (true, now)
      return true
    }
    guard isDue else { return }
    number { .begin(number: $0) }
    tellAll(pieces()[...])
  }

  private func tellAll(_ pieces: ArraySlice<Piece>) {
    var (rest, bytes) = (pieces, 0)
    while bytes < RealtimeLimits.toldBytes, let piece = rest.popFirst() {
      bytes += piece.bytes
      piece.tell()
    }
    guard rest.isEmpty else {
      return loop.execute { [self, rest] in
        loop.schedule(after: RealtimeLimits.tellSeconds) { [self] in tellAll(rest) }
      }
    }
    number { .whole(number: $0) }
    state.withLock { $0.isTellingAll = false }
  }

  // MARK: Hearing

  enum Heard {
    /// The message counts.
    case taken
    /// It is the first one of this hub, which has to be told to tell everything.
    case first
    /// The hub has told everything.
    case whole
    /// Another hub wants to be told everything.
    case wanted
  }

  /// Notes a message of another hub.
  /// - Returns: nil for one of this hub's own.
  func heard(_ message: PeerMessage) -> Heard? {
    guard message.hub != link.hub else { return nil }
    let now = time.uptime
    return state.withLock { state in
      if message.content == .bye { return .taken }
      let isFirst = state.peers[message.hub] == nil
      var peer = state.peers[message.hub] ?? Peer(number: 0, heardAt: now)
      peer.heardAt = now
      defer { state.peers[message.hub] = peer }
      func count(_ number: Int) {
        if number != peer.number + 1 { peer.isWanted = true }
        peer.number = number
      }
      switch message.content {
      case .hello(let hello):
        if hello.number != peer.number { peer.isWanted = true }
        peer.number = hello.number
        if hello.isKeeper { state.held.removeAll { $0.at < now - $0.event.heldSeconds } }
        if hello.wants.contains(link.hub) { return .wanted }
      case .begin(let number):
        (peer.number, peer.isWanted) = (number, false)
      case .told(_, let number): count(number)
      case .whole(let number):
        count(number)
        // What was lost in between is asked for again.
        if !peer.isWanted { return .whole }
      case .event, .terminate, .bye: break
      }
      return isFirst ? .first : .taken
    }
  }

  func forget(_ hub: String) { state.withLock { $0.peers[hub] = nil } }

  /// The hubs that are heard.
  var known: Set<String> { state.withLock { Set($0.peers.keys) } }

  /// The hubs that were not heard of for too long; they are forgotten.
  func silent() -> [String] {
    let now = time.uptime
    return state.withLock { state in
      let gone = state.peers.filter { now - $0.value.heardAt > RealtimeLimits.peerSeconds }.map(\.key)
      for hub in gone { state.peers[hub] = nil }
      return gone
    }
  }

  // MARK: Webhooks

  /// Sends a webhook about what happens at several hubs, if this hub does that, or hears of no others: behind those it
  /// has kept. Otherwise it is kept for a moment, in which it may turn out that the hub which sends them has died.
  func webhook(_ event: WebhookEvent, of app: String, _ send: (_ app: String, WebhookEvent) -> Void) {
    let now = time.uptime
    state.withLock { state in
      // Others have not had the time to say hello before that.
      let isAlone = state.peers.isEmpty && now - began > RealtimeLimits.peerSeconds
      if state.isKeeper || isAlone {
        state.release(send)
        send(app, event)
      } else {
        if state.held.count >= RealtimeLimits.heldWebhooks { state.held.removeFirst(state.held.count / 2) }
        state.held.append((app, event, now))
      }
    }
  }

  /// - Parameter send: called with each event that the hub before has perhaps not sent any more.
  func keepWebhooks(_ isKeeper: Bool, _ send: (_ app: String, WebhookEvent) -> Void) {
    state.withLock { state in
      state.isKeeper = isKeeper
      if isKeeper { state.release(send) }
    }
    sayHello()
  }
}

extension WebhookEvent {
  /// Seconds within which it may be lost with the hub that sends webhooks: what has left is told after a moment only.
  fileprivate var heldSeconds: Double {
    let waits = kind == .channelVacated || kind == .memberRemoved
    return RealtimeLimits.helloSeconds + (waits ? RealtimeLimits.leftSeconds : 0)
  }
}
