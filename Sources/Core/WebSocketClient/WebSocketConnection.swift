public import EventLoop
import Crypto
import Glibc
public import Wire

/// A client's connections: what they share. Confined to its loop.
public final class WebSocketConnector {
  let loop: EventLoop
  let userAgent: String
  let messageBytes: Int
  let names: NameLookup
  lazy var trust = TLSTrust()

  /// - Parameters:
  ///   - userAgent: names the program to servers, such as "Eightbells/0.1".
  ///   - messageBytes: the largest message that is accepted.
  public init(loop: EventLoop, userAgent: String, messageBytes: Int = WireLimits.messageBytes) {
    self.loop = loop
    self.userAgent = userAgent
    self.messageBytes = messageBytes
    names = NameLookup(loop: loop)
  }

  /// Opens a WebSocket.
  /// - Parameter heard: called on the loop; nothing comes after `.closed` or `.failed`.
  public func open(
    _ address: WebSocketAddress, _ heard: @escaping (WebSocketConnection.Event) -> Void
  ) -> WebSocketConnection {
    let connection = WebSocketConnection(self, address, heard)
    connection.begin()
    return connection
  }
}

/// A WebSocket to a server (RFC 6455), over TLS or not. Proxies are not used. It opens, reads and writes without
/// blocking its loop, to which it is confined.
public final class WebSocketConnection: Watcher {
  public enum Event: Equatable, Sendable {
    case opened
    case message(String)
    /// The server closed it; code 1005 stands for none.
    case closed(CloseCode, String)
    /// It was not opened, or broke; with the reason as the end of a sentence.
    case failed(String, status: Int?)
  }

  private enum Stage {
    case looking, connecting, securing, upgrading, open, closing, over
  }

  private let connector: WebSocketConnector
  private let address: WebSocketAddress
  private let heard: (Event) -> Void
  private let request: WebSocketRequest
  private var stage = Stage.looking
  private var descriptor: Int32 = -1
  private var tls: TLSClient?
  private var addresses: ArraySlice<SocketAddress> = []
  private var lastFailure = ""
  private var parser: WebSocketParser
  /// The server's answer to the handshake, as far as it came.
  private var answer: [UInt8] = []
  private var output: [UInt8] = []
  private var sent = 0
  private var timer: LoopTimer?
  private var addressTimer: LoopTimer?

  private var loop: EventLoop { connector.loop }

  fileprivate init(
    _ connector: WebSocketConnector, _ address: WebSocketAddress, _ heard: @escaping (Event) -> Void
  ) {
    self.connector = connector
    self.address = address
    self.heard = heard
    request = WebSocketRequest(
      host: address.hostField, target: address.target, userAgent: connector.userAgent, nonce: Digest.random(16))
    parser = WebSocketParser(from: .server, messageBytes: connector.messageBytes)
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  // MARK: Opening

  fileprivate func begin() {
    timer = loop.schedule(after: WebSocketClientLimits.openSeconds) { [weak self] in
      self?.fail("it did not answer within \(Int(WebSocketClientLimits.openSeconds)) s")
    }
    connector.names.find(address.host, port: address.port) { [weak self] result in
      guard let self, stage == .looking else { return }
      switch result {
      case .success(let found):
        addresses = found[...]
        connectNext()
      case .failure(let failure): fail("its name cannot be looked up: \(failure.words)")
      }
    }
  }

  private func connectNext() {
    drop()
    guard let next = addresses.popFirst() else {
      return fail(lastFailure.isEmpty ? "its name has no address" : lastFailure)
    }
    stage = .connecting
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(next.family, kind, 0)
    guard descriptor >= 0 else { return failAddress(errno) }
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    let code = next.bytes.withUnsafeBytes { bytes in
      connect(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard code == 0 || errno == EINPROGRESS else { return failAddress(errno) }
    loop.watch(descriptor, for: [.readable, .writable], self)
    addressTimer = loop.schedule(after: WebSocketClientLimits.addressSeconds) { [weak self] in
      guard let self, stage == .connecting else { return }
      failAddress(ETIMEDOUT)
    }
  }

  private func failAddress(_ number: Int32) {
    lastFailure = "it cannot be reached: \(String(cString: strerror(number)))"
    connectNext()
  }

  public func ready(_ readiness: Readiness) {
    if stage == .connecting {
      guard readiness.contains(.writable) || !readiness.isDisjoint(with: .closed) else { return }
      var (number, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
      guard number == 0 else { return failAddress(number) }
      addressTimer?.cancel()
      connected()
    }
    drive()
  }

  private func connected() {
    output = request.bytes
    guard address.isSecure else { return stage = .upgrading }
    stage = .securing
    let isNumeric = IPAddress(address.host) != nil
    tls = TLSClient(connector.trust, descriptor, host: address.host, isNumeric: isNumeric)
    if tls == nil { fail("TLS cannot be started") }
  }

  /// Does what the socket allows now.
  private func drive() {
    if stage == .securing, let tls {
      switch tls.shakeHands() {
      case .done: stage = .upgrading
      case .wouldBlock: return
      case .ended: return fail("the connection was cut")
      case .failed(let reason): return fail(reason)
      }
    }
    flush()
    receive()
  }

  // MARK: Receiving

  private func receive() {
    var left = WebSocketClientLimits.bytesPerTurn
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: WebSocketClientLimits.readBytes) { buffer in
      while isReading {
        guard left > 0 else { return loop.atNextTurn { [weak self] in self?.receive() } }
        switch read(into: buffer) {
        case .done(let count):
          left -= count
          take(UnsafeBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock: return
        case .ended: return fail("the connection was cut")
        case .failed(let reason): return fail(reason)
        }
      }
    }
  }

  private var isReading: Bool { stage == .upgrading || stage == .open || stage == .closing }

  private func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> TLSClient.Step {
    if let tls { return tls.read(into: buffer) }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    return count == 0 ? .ended : step(count)
  }

  private func step(_ count: Int) -> TLSClient.Step {
    if count >= 0 { return .done(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed(String(cString: strerror(errno)))
  }

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

  private func write(_ bytes: [UInt8]) {
    output += bytes
    flush()
    if output.count - sent > WebSocketClientLimits.outputBytes { fail("it does not read what is sent to it") }
  }

  private func flush() {
    while sent < output.count, isReading {
      let result = output.withUnsafeBufferPointer { output -> TLSClient.Step in
        let rest = UnsafeBufferPointer(rebasing: output[sent...])
        if let tls { return tls.write(rest) }
        return step(Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)))
      }
      switch result {
      case .done(let count): sent += count
      case .wouldBlock: return
      case .ended: return fail("the connection was cut")
      case .failed(let reason): return fail(reason)
      }
    }
    (output, sent) = ([], 0)
  }

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
    drop()
    timer?.cancel()
  }

  private func fail(_ reason: String, status: Int? = nil) { end(.failed(reason, status: status)) }

  private func end(_ event: Event) {
    guard stage != .over else { return }
    abandon()
    heard(event)
  }

  private func drop() {
    addressTimer?.cancel()
    guard descriptor >= 0 else { return }
    tls?.sayGoodbye()
    tls = nil
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }
}
