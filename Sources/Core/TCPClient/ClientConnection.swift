public import EventLoop
import Glibc
import Wire

/// A connection to a server, over TLS or not. Proxies are not used. It opens, reads and writes without blocking its
/// loop, to which it is confined.
public final class ClientConnection: Watcher {
  public enum Event {
    case opened
    case bytes(UnsafeBufferPointer<UInt8>)
    /// All is sent that had to wait because the server did not read.
    case drained
    /// It was not opened, or broke; with the reason as the end of a sentence.
    case failed(String)
  }

  private enum Stage {
    case looking, connecting, securing, open, over
  }

  private let loop: EventLoop
  private let names: NameLookup
  private let host: String
  private let port: UInt16
  private let trust: TLSTrust?
  private let outputBytes: Int
  private var heard: ((Event) -> Void)?
  private var stage = Stage.looking
  private var descriptor: Int32 = -1
  private var tls: TLSClient?
  private var addresses: ArraySlice<SocketAddress> = []
  private var lastFailure = ""
  private var output: [UInt8] = []
  private var sent = 0
  private var isBlocked = false
  private var addressTimer: LoopTimer?

  /// - Parameters:
  ///   - names: shared by the connections of a loop.
  ///   - host: a name or a numeric address, without the brackets of IPv6.
  ///   - trust: nil for a connection without TLS.
  ///   - outputBytes: the bytes that may wait to be sent; beyond, the connection is given up.
  public init(
    loop: EventLoop, names: NameLookup, host: String, port: UInt16, trust: TLSTrust?,
    outputBytes: Int = TCPClientLimits.outputBytes
  ) {
    self.loop = loop
    self.names = names
    self.host = host
    self.port = port
    self.trust = trust
    self.outputBytes = outputBytes
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// True if both sides have agreed on HTTP/2 (ALPN), which the trust has to offer.
  public var speaksHTTP2: Bool { tls?.speaksHTTP2 ?? false }

  /// The bytes that wait to be sent.
  public var waitingBytes: Int { output.count - sent }

  // MARK: Opening

  /// Opens the connection. How long that may take in all is the caller's matter.
  /// - Parameter heard: called on the loop; nothing comes after `.failed` or `close`.
  public func open(_ heard: @escaping (Event) -> Void) {
    self.heard = heard
    names.find(host, port: port) { [weak self] result in
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
    addressTimer = loop.schedule(after: TCPClientLimits.addressSeconds) { [weak self] in
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

  private func connected() { if let trust { begin(trust) } else { opened() } }

  /// Begins TLS on an open connection, for protocols that agree on it in plain text first; `.opened` comes once more.
  /// Everything must have been sent, and nothing may have been received that belongs to TLS.
  public func secure(_ trust: TLSTrust) {
    guard stage == .open else { return }
    precondition(tls == nil && waitingBytes == 0, "TLS begins between two messages")
    begin(trust)
    drive()
  }

  private func begin(_ trust: TLSTrust) {
    stage = .securing
    tls = TLSClient(trust, descriptor, host: host, isNumeric: IPAddress(host) != nil)
    if tls == nil { fail("TLS cannot be started") }
  }

  private func opened() {
    stage = .open
    heard?(.opened)
  }

  /// Does what the socket allows now.
  private func drive() {
    if stage == .securing, let tls {
      switch tls.shakeHands() {
      case .done: opened()
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
    var left = TCPClientLimits.bytesPerTurn
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TCPClientLimits.readBytes) { buffer in
      while stage == .open {
        guard left > 0 else { return loop.atNextTurn { [weak self] in self?.receive() } }
        switch read(into: buffer) {
        case .done(let count):
          left -= count
          heard?(.bytes(UnsafeBufferPointer(rebasing: buffer[..<count])))
        case .wouldBlock: return
        case .ended: return fail("the connection was cut")
        case .failed(let reason): return fail(reason)
        }
      }
    }
  }

  private func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> TLSClient.Step {
    if let tls { return tls.read(into: buffer) }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    return count == 0 ? .ended : step(count)
  }

  private func step(_ count: Int) -> TLSClient.Step {
    if count >= 0 { return .done(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed(String(cString: strerror(errno)))
  }

  // MARK: Sending

  /// Sends bytes, or keeps them until the server reads; does nothing once the connection is over.
  public func write(_ bytes: some Sequence<UInt8>) {
    guard stage != .over else { return }
    // A server that reads as fast as more is written leaves no moment at which all is sent.
    if sent > output.count / 2 {
      output.removeFirst(sent)
      sent = 0
    }
    output.append(contentsOf: bytes)
    flush()
    if waitingBytes > outputBytes { fail("it does not read what is sent to it") }
  }

  private func flush() {
    while sent < output.count, stage == .open {
      let result = output.withUnsafeBufferPointer { output -> TLSClient.Step in
        let rest = UnsafeBufferPointer(rebasing: output[sent...])
        if let tls { return tls.write(rest) }
        return step(Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)))
      }
      switch result {
      case .done(let count): sent += count
      case .wouldBlock: return isBlocked = true
      case .ended: return fail("the connection was cut")
      case .failed(let reason): return fail(reason)
      }
    }
    guard stage == .open else { return }
    output.removeAll(keepingCapacity: output.count <= TCPClientLimits.keptBytes)
    sent = 0
    guard isBlocked else { return }
    isBlocked = false
    heard?(.drained)
  }

  // MARK: Ending

  /// Closes it at once; no event follows.
  public func close() {
    stage = .over
    drop()
    heard = nil
  }

  private func fail(_ reason: String) {
    guard stage != .over else { return }
    let heard = heard
    close()
    heard?(.failed(reason))
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
