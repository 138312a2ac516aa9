import EventLoop
import Lifecycle
import Wire

/// How a connection carries a WebSocket.
extension Connection {
  func upgrade(_ request: Request, _ makeHandler: (Request) -> any WebSocketHandler) {
    do throws(WebSocketRefusal) {
      let accept = try WebSocketHandshake.accept(request.head)
      let deflate = try PerMessageDeflate.negotiate(request.head.fields)
      var bytes: [UInt8] = []
      ResponseHead.appendStatus(101, to: &bytes)
      ResponseHead.appendField("Upgrade", "websocket", to: &bytes)
      ResponseHead.appendField("Connection", "Upgrade", to: &bytes)
      ResponseHead.appendField("Sec-WebSocket-Accept", accept, to: &bytes)
      if let deflate { ResponseHead.appendField("Sec-WebSocket-Extensions", deflate.answer, to: &bytes) }
      ResponseHead.append("\r\n", to: &bytes)
      let handler = makeHandler(request)
      socketParser = WebSocketParser(deflate: deflate)
      state = .webSocket(handler)
      stir()
      transmit(bytes)
      handler.opened(WebSocket(self))
    } catch {
      let fields = [
        Response.Field("Upgrade", "websocket"), Response.Field("Connection", "Upgrade"),
        // For those who ask for another (RFC 6455 section 4.4).
        Response.Field("Sec-WebSocket-Version", "13"),
      ]
      answer(
        request.head, HTTPError(.upgradeRequired, error.message, help: "See RFC 6455.", fields: fields).response)
    }
  }

  func processMessages(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    stir()
    do throws(WebSocketParser.Fault) {
      while !closesWhenSent, let (handler, message) = try nextMessage(input, &position) {
        switch message {
        case .text(let text): handler.received(text)
        case .binary: closeSocket(.unacceptable, "Text messages are accepted.")
        case .ping(let payload): transmit(frame: WebSocketFrame.encode(.pong, payload))
        case .pong: break
        case .close(let code, let reason): closeSocket(code.rawValue == 1005 ? .normal : code, reason)
        }
      }
    } catch {
      closeSocket(error.code, error.message)
    }
  }

  private func nextMessage(
    _ input: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) throws(WebSocketParser.Fault) -> (any WebSocketHandler, WebSocketParser.Message)? {
    guard case .webSocket(let handler) = state else { return nil }
    return try socketParser.next(input, &position).map { (handler, $0) }
  }

  /// The peer is there: the next ping is due a while from now.
  private func stir() {
    isPinged = false
    if output.isEmpty { deadline = uptime + ServerLimits.pingSeconds }
  }

  func ping() {
    isPinged = true
    deadline = uptime + ServerLimits.pongSeconds
    transmit(frame: WebSocketFrame.encode(.ping, []))
  }

  func closeSocket(_ code: CloseCode, _ reason: String) {
    guard case .webSocket = state, !closesWhenSent else { return }
    transmit(WebSocketFrame.close(code, reason))
    closesWhenSent = true
    deadline = uptime + ServerLimits.sendSeconds
    scheduleFlush()
  }

  /// Sends a frame: the first of a turn at once, further ones together at the end of the turn. A reader that has fallen
  /// too far behind is dropped then, not here, where the caller may be in the middle of a broadcast.
  func transmit(frame: [UInt8]) {
    if isClosed || closesWhenSent { return }
    if output.count + frame.count > ServerLimits.socketQueueBytes { return drop() }
    guard output.isEmpty, isWritable, directTurn != server.loop.turnNumber else {
      output.append(frame)
      return scheduleFlush()
    }
    directTurn = server.loop.turnNumber
    let sent = send(frame)
    if sent >= 0 { output.append(frame, from: sent) } else { drop() }
  }

  private func drop() {
    closesWhenSent = true
    server.loop.atEndOfTurn { [self] in close() }
  }
}
