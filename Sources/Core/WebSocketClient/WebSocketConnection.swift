import Crypto
public import EventLoop
package import TCPClient
public import Wire

/// Opens connections, which share the trust in certificates and the look-up of names. Confined to its loop.
public final class WebSocketConnector {
  let loop: EventLoop
  package let userAgent: String
  package let names: NameLookup
  package lazy var trust = TLSTrust()

  /// - Parameter userAgent: names the program to servers, such as "Eightbells/0.1".
  public init(loop: EventLoop, userAgent: String) {
    self.loop = loop
    self.userAgent = userAgent
    names = NameLookup(loop: loop)
  }

  /// Opens a WebSocket.
  /// - Parameters:
  ///   - messageBytes: the longest message that the server may send.
  ///   - heard: called on the loop; nothing comes after `.closed` or `.failed`.
  public func open(
    _ address: WebSocketAddress, messageBytes: Int = WireLimits.messageBytes,
    _ heard: @escaping (WebSocketConnection.Event) -> Void
  ) -> WebSocketConnection {
    let connection = WebSocketConnection(self, address, messageBytes, heard)
    connection.begin()
    return connection
  }
}

/// A WebSocket to a server (RFC 6455), over TLS or not. Proxies are not used. It opens, reads and writes without
/// blocking its loop, to which it is confined.
public final class WebSocketConnection {
  public enum Event: Equatable, Sendable {
    case opened
    case message(String)
    /// The server closed it; code 1005 stands for none.
    case closed(CloseCode, String)
    /// It was not opened, or broke; with the reason as the end of a sentence.
    case failed(String, status: Int?)
  }

  private enum Stage {
    case upgrading, open, closing, over
  }

  private let connector: WebSocketConnector
  private let address: WebSocketAddress
  private let heard: (Event) -> Void
  private let request: WebSocketRequest
  private var stage = Stage.upgrading
  private let socket: ClientConnection
  private var parser: WebSocketParser
  /// The server's answer to the handshake, as far as it came.
  private var answer: [UInt8] = []
  private var timer: LoopTimer?

  private var loop: EventLoop { connector.loop }

  fileprivate init(
    _ connector: WebSocketConnector, _ address: WebSocketAddress, _ messageBytes: Int,
    _ heard: @escaping (Event) -> Void
  ) {
    self.connector = connector
    self.address = address
    self.heard = heard
    request = WebSocketRequest(
      host: address.hostField, target: address.target, userAgent: connector.userAgent, nonce: Digest.random(16))
    parser = WebSocketParser(from: .server, messageBytes: messageBytes)
    socket = ClientConnection(
      loop: connector.loop, names: connector.names, host: address.host, port: address.port,
      trust: address.isSecure ? connector.trust : nil)
  }

  deinit { socket.close() }

  // MARK: Opening

  fileprivate func begin() {
    timer = loop.schedule(after: WebSocketClientLimits.openSeconds) { [weak self] in
      self?.fail("it did not answer within \(Int(WebSocketClientLimits.openSeconds)) s")
    }
    socket.open { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened: socket.write(request.bytes)
      case .bytes(let bytes): take(bytes)
      case .drained: break
      case .failed(let reason): fail(reason)
      }
    }
  }

  // MARK: Receiving

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard stage == .upgrading else { return parse(bytes) }
    answer += bytes
    do throws(WebSocketRefusal) {
      guard let end = try request.check(answer) else { return }
      let rest = Array(answer[end...])
      answer = []
      stage = .open
      timer?.cancel()
      heard(.opened)
      rest.withUnsafeBufferPointer { parse($0) }
    } catch {
      fail(error.message, status: error.status)
    }
  }

  private func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
    var position = 0
    do throws(WebSocketParser.Fault) {
      while stage == .open || stage == .closing, let message = try parser.next(bytes, &position) { take(message) }
    } catch {
      guard stage == .open || stage == .closing else { return }
      write(WebSocketFrame.maskedClose(error.code, mask: mask))
      fail("it broke the protocol: \(error.message)")
    }
  }

  private func take(_ message: WebSocketParser.Message) {
    switch message {
    case .text(let text): if stage == .open { heard(.message(text)) }
    case .binary:
      write(WebSocketFrame.maskedClose(.unacceptable, mask: mask))
      fail("it sent a binary message; text is accepted")
    case .ping(let bytes): write(WebSocketFrame.masked(.pong, bytes, mask: mask))
    case .pong: break
    case .close(let code, let reason):
      if stage == .open { write(WebSocketFrame.maskedClose(code.rawValue == 1005 ? .normal : code, mask: mask)) }
      end(.closed(code, reason))
    }
  }

  // MARK: Sending

  /// Sends a message; does nothing once the connection is over.
  public func send(_ text: String) {
    guard stage == .open else { return }
    write(WebSocketFrame.masked(.text, Array(text.utf8), mask: mask))
  }

  private var mask: UInt32 { Digest.random(4).reduce(0) { $0 << 8 | UInt32($1) } }

  private func write(_ bytes: [UInt8]) { socket.write(bytes) }

  // MARK: Ending

  /// Closes it in good order: `.closed` follows when the server has answered, or soon.
  public func close(_ code: CloseCode, _ reason: String = "") {
    guard stage == .open else { return stage == .closing ? () : abandon() }
    write(WebSocketFrame.maskedClose(code, reason, mask: mask))
    guard stage == .open else { return }
    stage = .closing
    timer = loop.schedule(after: WebSocketClientLimits.closeSeconds) { [weak self] in self?.end(.closed(code, reason)) }
  }

  /// Drops the connection at once; no event follows.
  public func abandon() {
    stage = .over
    socket.close()
    timer?.cancel()
  }

  private func fail(_ reason: String, status: Int? = nil) { end(.failed(reason, status: status)) }

  private func end(_ event: Event) {
    guard stage != .over else { return }
    abandon()
    heard(event)
  }
}
