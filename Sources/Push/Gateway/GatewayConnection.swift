import Delivery
import EventLoop
import Lifecycle
import Server
import Wire

/// One device's socket. Confined to the loop of its shard.
final class GatewayConnection: WebSocketHandler, @unchecked Sendable {
  private let gateway: Gateway
  private var session = GatewaySession()
  private var socket: WebSocket?
  /// Set once, before others can see the connection.
  private(set) var shard: GatewayShard?
  private var helloTimer: LoopTimer?
  /// The uptime (seconds) at which the device had said who it is.
  private var welcomedAt = 0.0

  init(_ gateway: Gateway) { self.gateway = gateway }

  // MARK: The socket's calls

  func opened(_ socket: WebSocket) {
    self.socket = socket
    let shard = gateway.shard(of: socket.loop)
    self.shard = shard
    gateway.addStranger(self)
    helloTimer = socket.loop.schedule(after: GatewayLimits.helloSeconds) { [self] in
      perform(session.end(.malformed, "Hello did not come within \(Int(GatewayLimits.helloSeconds)) seconds."))
    }
  }

  func received(_ text: String) { perform(session.received(text)) }

  func serverCloses(_ socket: WebSocket) { perform(session.end(.restart, "The hub is restarting.")) }

  func closed() {
    leave()
    session.closed()
    socket = nil
  }

  // MARK: Called by the gateway

  /// May be called on any thread.
  func end(_ farewell: Farewell, _ reason: String) {
    shard?.loop.perform { [self] in perform(session.end(farewell, reason)) }
  }

  /// The device has connected to another hub on the same database. That word may be late, and this connection the newer
  /// one: a young one is sent away to come back, which only one of two that are in use does in vain.
  func endForAnotherHub() {
    shard?.loop.perform { [self] in
      let isYoung = gateway.delivery.time.uptime - welcomedAt < GatewayLimits.lateSeconds
      perform(session.end(isYoung ? .busy : .replaced, "The device has connected to another hub."))
    }
  }

  func wake(_ message: Outgoing, _ now: Double) { perform(session.woken(message, now: now)) }

  func lookAgain() { perform(session.lookAgain()) }

  func authenticated(_ device: PushDevice?) {
    if session.isClosed { return }
    let actions = session.authenticated(device)
    if let device, session.isOpen {
      guard gateway.add(self, for: device.id, run: session.run) else {
        return perform(session.end(.replaced, "A newer connection of the device is open."))
      }
      stopWaiting()
      welcomedAt = gateway.delivery.time.uptime
      socket?.signedIn()
    }
    perform(actions)
  }

  func fetched(_ pending: [Outgoing], isAll: Bool) {
    perform(session.fetched(pending, isAll: isAll, now: gateway.delivery.time.now))
  }

  func recorded(_ receipt: Receipt, _ taken: Recorded.Taken?) { perform(session.recorded(receipt, taken: taken)) }

  func storeFailed() { perform(session.failed()) }

  // MARK: The session's actions

  private func perform(_ actions: [GatewaySession.Action]) {
    guard let shard else { return }
    for action in actions {
      switch action {
      case .send(let message): socket?.send(EncodedMessage(text: message.json(now: gateway.delivery.time.now).bytes))
      case .deliver(let message): socket?.send(shard.encoded(message))
      case .look(let digest, let zone): shard.look(digest, zone: zone, for: self)
      case .fetch(let limit): shard.fetch(device: session.device, limit: limit, for: self)
      case .record(let receipt): shard.record(receipt, device: session.device, from: self)
      case .close(let farewell, let reason):
        socket?.close(CloseCode(rawValue: farewell.closeCode), reason)
        leave()
      }
    }
  }

  /// Stops counting as a stranger.
  private func stopWaiting() {
    guard let timer = helloTimer else { return }
    timer.cancel()
    helloTimer = nil
    gateway.removeStranger(self)
  }

  private func leave() {
    stopWaiting()
    if session.device != 0 { gateway.remove(self, for: session.device) }
  }
}
