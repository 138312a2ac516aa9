import EventLoop
import Glibc
import Lifecycle
import Synchronization
import Wire

/// One accepted connection: reads what has come, sends what is to go, and keeps its deadline. What the bytes mean is
/// its handler's business. ConnectionOutput.swift sends. Confined to its loop.
final class Connection: Watcher, @unchecked Sendable {
  let listener: Listener
  let descriptor: Int32
  /// The other end's address, without its port.
  let peer: String
  /// nil until it is known what the peer speaks.
  private(set) var handler: (any ConnectionHandler)?
  private(set) var isClosed = false
  /// Uptime at which patience ends.
  var deadline: Double

  // MARK: What it has of the server (Shares.swift)
  /// nil where nothing counts: a proxy that has not said yet for whom it asks.
  var share: Shares.Share?
  var countsInShare: Bool
  /// Bytes of memory that it holds, as the shares know it, and whether it is about to be closed for them.
  let held = Atomic(0)
  let isShed = Atomic(false)

  // MARK: What is being read
  private(set) var tls: TLSSession?
  private var isShakingHands: Bool
  /// What was read and could not be worked on yet.
  private var unread: [UInt8] = []
  private var isInsideProcess = false
  /// The socket may hold more than was read: with edge-triggered events nobody will say so again.
  private var mayHaveMore = false
  /// The rest waits for the next turn, so that one who sends without end does not keep the others waiting.
  private var isPaused = false
  /// The peer has said that nothing more will come; only reading to the end shows it.
  private var peerHasClosed = false
  /// Refused and answered. What still comes is thrown away for a while: closing at once would make the kernel send a
  /// reset, and the peer would lose the answer with it (RFC 9112 section 9.6). How much was thrown away.
  private var dropped: Int?

  // MARK: What is being written
  @exclusivity(unchecked) var output = OutputQueue()
  var isWritable = true
  var closesWhenSent = false
  /// Whether the peer may still be sending when the answer is out.
  var lingers = false
  var isFlushScheduled = false
  /// The loop's turn in which something was last sent directly; more of that turn leaves together.
  var directTurn: UInt64 = 0

  init(listener: Listener, descriptor: Int32, peer: String, share: Shares.Share?, tls: TLSSession?) {
    self.listener = listener
    self.descriptor = descriptor
    self.peer = peer
    self.share = share
    countsInShare = share != nil
    self.tls = tls
    isShakingHands = tls != nil
    deadline = listener.loop.time.uptime + ServerLimits.headSeconds
  }

  var loop: EventLoop { listener.loop }
  var uptime: Double { listener.loop.turnUptime }

  /// Whether nothing is lost by closing now.
  var isIdle: Bool { dropped != nil || output.isEmpty && handler?.isIdle != false }

  // MARK: Reading

  func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      isWritable = true
      if !output.isEmpty { flush() }
    }
    if !readiness.isDisjoint(with: .closed) { peerHasClosed = true }
    if !readiness.isDisjoint(with: [.readable, .closed]) { readAvailable() }
    if peerHasClosed, !isClosed { handler?.peerMayBeGone() }
  }

  private var mayRead: Bool { !isPaused && (dropped != nil || handler?.mayRead ?? true) }

  private func readAvailable() {
    if isShakingHands { shakeHands() }
    if isShakingHands || isClosed { return }
    let buffer = listener.readBuffer
    var left = ServerLimits.turnBytes
    while !isClosed {
      guard mayRead, left > 0 else {
        mayHaveMore = true
        if left <= 0 { pause() }
        break
      }
      let count = receive(into: buffer)
      if count > 0 {
        left -= count
        process(UnsafeBufferPointer(rebasing: buffer[..<count]))
        // A short read has emptied the socket, but for the end that came along with it, and but for what TLS keeps.
        if count < buffer.count, !peerHasClosed, tls == nil { break }
      } else if count == Self.wouldBlock {
        break
      } else if count == 0, dropped == nil, let handler {
        handler.peerFinished()
        break
      } else {
        return close()
      }
    }
    if !isClosed { handler?.receivedAll() }
  }

  static let wouldBlock = -1
  static let broken = -2

  /// - Returns: how many bytes came, 0 at the end, `wouldBlock` or `broken`.
  private func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if let tls { return tls.read(into: buffer) }
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      if errno == EAGAIN { return Self.wouldBlock }
      if errno != EINTR { return Self.broken }
    }
  }

  private func shakeHands() {
    guard let tls else { return }
    switch tls.shakeHands() {
    case .done:
      isShakingHands = false
      if tls.speaksHTTP2 { become(HTTP2Handler(self)) }
    case .unfinished: break
    case .failed: close()
    }
  }

  private func process(_ input: UnsafeBufferPointer<UInt8>) {
    if let dropped { return drop(dropped + input.count) }
    isInsideProcess = true
    defer { isInsideProcess = false }
    if handler == nil {
      guard unread.isEmpty else {
        let whole = unread + input
        unread = []
        return whole.withUnsafeBufferPointer(process)
      }
      guard choose(input) else { return }
    }
    var position = 0
    while let current = handler, !isClosed {
      current.receive(input, &position)
      // After an upgrade the rest is for somebody else.
      if position == input.count || handler === current { break }
    }
    if position < input.count, !isClosed {
      unread = Array(input[position...])
      settle()
    }
  }

  var unreadCount: Int { unread.count }

  private func drop(_ count: Int) {
    dropped = count
    if count > ServerLimits.lingerBytes { close() }
  }

  /// HTTP/2 counts on any connection: by prior knowledge without TLS, and over TLS for clients that do not ask for it
  /// by ALPN.
  /// - Returns: whether it is known now what the peer speaks.
  private func choose(_ input: UnsafeBufferPointer<UInt8>) -> Bool {
    switch HTTP2Preface(input) {
    case .matches: handler = HTTP2Handler(self)
    case .differs: handler = HTTP1Handler(self)
    case .incomplete:
      unread = Array(input)
      return false
    }
    return true
  }

  /// From now on the connection speaks something else.
  func become(_ handler: any ConnectionHandler) { self.handler = handler }

  /// Goes on in the next turn.
  func pause() {
    if isPaused { return }
    isPaused = true
    loop.atNextTurn { [self] in
      isPaused = false
      goOn()
    }
  }

  /// Works on what was put off, once that is possible again.
  func goOn() {
    guard mayRead, !isInsideProcess, !isClosed else { return }
    let rest = unread
    unread = []
    if !rest.isEmpty { rest.withUnsafeBufferPointer(process) }
    if mayHaveMore, mayRead, !isClosed {
      mayHaveMore = false
      readAvailable()
    } else {
      handler?.receivedAll()
    }
    if !isClosed { settleQueue() }
  }

  // MARK: Ending

  /// What happens when patience has run out.
  func timeOut() {
    guard let handler, dropped == nil, !(closesWhenSent && !output.isEmpty) else { return close() }
    handler.timeOut()
  }

  /// Ends with a reset, so that a client sees that its answer is not whole, also where the end of the connection is
  /// the end of the answer.
  func abort() {
    // Then the descriptor may be somebody else's by now.
    if isClosed { return }
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// All is sent that will be.
  func finishSending() {
    if dropped != nil { return }
    guard lingers else { return close() }
    tls?.sayGoodbye()
    shutdown(descriptor, Int32(SHUT_WR))
    dropped = 0
    deadline = uptime + ServerLimits.lingerSeconds
    settleQueue()
    // A client that was held back gets rid of its bytes, and comes to read the answer.
    goOn()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    let ended = handler
    handler = nil
    output.removeAll()
    unread = []
    listener.shared.shares.hold(self, 0)
    leavesShares()
    listener.forget(self)
    loop.unwatch(descriptor)
    tls?.sayGoodbye()
    tls = nil
    Glibc.close(descriptor)
    ended?.connectionClosed()
  }
}
