import Observe
import Wire

/// Speaks WebSocket on one connection after its upgrade. Confined to its loop.
final class WebSocketCarrier: ConnectionHandler {
  /// Owns this carrier until it closes.
  private let connection: Connection
  private var handler: (any WebSocketHandler)?
  private var socket: WebSocket?
  private var parser: WebSocketParser
  /// True if compression was agreed on with this peer.
  private let deflates: Bool
  private var isPinged = false
  /// True if the peer's system had confirmed everything when the connection was closed.
  private var tookAll = true
  private var bounds: MessageBounds
  /// The messages that may come now, by the rate in `bounds`.
  private var allowance: TokenBucket
  /// Uptime by which a message that has begun must be complete; infinite between two messages.
  private var messageDeadline = Double.infinity

  init(_ connection: Connection, _ deflate: PerMessageDeflate?, _ bounds: MessageBounds) {
    self.connection = connection
    parser = WebSocketParser(deflate: deflate, messageBytes: bounds.strangersBytes)
    deflates = deflate != nil
    self.bounds = bounds
    allowance = TokenBucket(bounds.rate, now: connection.uptime)
  }

  /// Marks the peer as signed in.
  func signedIn() {
    parser.messageBytes = bounds.bytes
    connection.leavesShare()
  }

  func accept(_ bounds: MessageBounds) {
    self.bounds = bounds
    parser.messageBytes = bounds.strangersBytes
    allowance = TokenBucket(bounds.rate, now: connection.uptime)
  }

  /// - Parameters:
  ///   - accept: the value of Sec-WebSocket-Accept.
  ///   - extensions: the value of Sec-WebSocket-Extensions, if there is one.
  func open(_ handler: any WebSocketHandler, accept: String, extensions: String?) {
    var bytes: [UInt8] = []
    ResponseHead.appendStatus(101, to: &bytes)
    ResponseHead.appendField("Upgrade", "websocket", to: &bytes)
    ResponseHead.appendField("Connection", "Upgrade", to: &bytes)
    ResponseHead.appendField("Sec-WebSocket-Accept", accept, to: &bytes)
    if let extensions { ResponseHead.appendField("Sec-WebSocket-Extensions", extensions, to: &bytes) }
    ResponseHead.append("\r\n", to: &bytes)
    self.handler = handler
    connection.listener.shared.metrics.webSockets.add()
    stir()
    connection.transmit(bytes)
    // Sending may have shown that the client has left; then the handler was told.
    if connection.isClosed { return }
    let socket = WebSocket(self, connection.loop)
    self.socket = socket
    handler.opened(socket)
  }

  // MARK: Input

  var mayRead: Bool { connection.output.count <= ServerLimits.pipelineBytes }
  var held: Int { parser.collected }
  var isIdle: Bool { false }
  var awaitsRequest: Bool { false }
  var isAnswering: Bool { false }

  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    stir()
    var left = ServerLimits.turnBytes
    do throws(WebSocketParser.Fault) {
      while !connection.closesWhenSent, !connection.isClosed, let message = try parser.next(input, &position) {
        guard mayCome(message) else {
          close(.policy, "Too many messages; \(Int(bounds.rate.perSecond)) a second are accepted.")
          break
        }
        switch message {
        case .text(let text):
          messageDeadline = .infinity
          handler?.received(text)
          // A few compressed bytes can cause a lot of work.
          left -= text.utf8.count
          if left <= 0, position < input.count { return connection.pause() }
        case .binary: close(.unacceptable, "Text messages are accepted.")
        case .ping(let payload): connection.deliver(WebSocketFrame.encode(.pong, payload))
        case .pong: break
        case .close(let code, let reason):
          close(code.rawValue == 1005 ? .normal : code, reason)
          // No further input is expected.
          connection.lingers = false
        }
      }
    } catch {
      close(error.code, error.message)
    }
    position = input.count
    awaitRest()
  }

  /// Counts what there is of an incomplete message, and gives the rest its time: pings in between earn no more.
  private func awaitRest() {
    if parser.collected == 0 {
      messageDeadline = .infinity
    } else if messageDeadline == .infinity {
      messageDeadline = connection.uptime + ServerLimits.messageSeconds
    }
    connection.deadline = min(connection.deadline, messageDeadline)
    connection.settle()
  }

  /// True if the limit of messages allows one more.
  private func mayCome(_ message: WebSocketParser.Message) -> Bool {
    // A close frame is always allowed.
    if case .close = message { return true }
    return allowance.take(bounds.rate, now: connection.uptime) == nil
  }

  /// Records a sign of life: the next ping is postponed.
  private func stir() {
    isPinged = false
    if connection.output.isEmpty { connection.deadline = connection.uptime + bounds.quietSeconds }
  }

  // MARK: Output

  var waitingBytes: Int { connection.output.count }

  func deliver(_ message: EncodedMessage) { connection.deliver(deflates ? message.deflated : message.frame) }

  func close(_ code: CloseCode, _ reason: String) {
    guard !connection.closesWhenSent else { return }
    connection.transmit(WebSocketFrame.close(code, reason))
    end()
  }

  func end() {
    guard !connection.closesWhenSent else { return }
    connection.closesWhenSent = true
    connection.lingers = true
    connection.deadline = connection.uptime + ServerLimits.sendSeconds
    connection.scheduleFlush()
  }

  // MARK: The connection's calls

  func receivedAll() {}
  func sentSome() { handler?.sentSome() }
  func peerFinished() { connection.close() }
  func peerMayBeGone() {}

  func timeOut() {
    if messageDeadline <= max(connection.deadline, connection.uptime), !connection.closesWhenSent {
      return close(.policy, "A message was not complete within \(Int(ServerLimits.messageSeconds)) s.")
    }
    guard !isPinged, connection.output.isEmpty, !connection.closesWhenSent else {
      if isPinged, !connection.closesWhenSent, let code = bounds.silence {
        connection.transmit(WebSocketFrame.close(code, "There was no answer to a ping."))
      }
      return connection.close()
    }
    isPinged = true
    connection.deadline = min(connection.uptime + ServerLimits.pongSeconds, messageDeadline)
    connection.deliver(WebSocketFrame.encode(.ping, []))
  }

  var stays: Bool { !connection.closesWhenSent }

  func serverCloses() {
    guard let socket, let handler else { return close(.serviceRestart, "") }
    handler.serverCloses(socket)
  }

  func connectionCloses() { tookAll = connection.hasDelivered }

  func connectionClosed() {
    let ended = handler
    handler = nil
    socket?.detach(tookAll: tookAll)
    socket = nil
    if ended != nil { connection.listener.shared.metrics.webSockets.subtract() }
    ended?.closed()
  }
}
