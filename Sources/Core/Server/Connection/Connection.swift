import EventLoop
import Glibc
import Lifecycle
import Synchronization
import Wire

/// One accepted connection: reads, writes (ConnectionOutput.swift) and keeps its deadline. Its handler interprets the
/// bytes. Confined to its loop.
final class Connection: Watcher, @unchecked Sendable {
  let listener: Listener
  let descriptor: Int32
  /// The peer's address, without its port.
  let peer: String
  /// Nil until the peer's protocol is known.
  private(set) var handler: (any ConnectionHandler)?
  private(set) var isClosed = false
  /// Uptime at which the connection is ended unless something happens before.
  var deadline: Double
  /// Seconds that it is kept between two requests.
  let idleSeconds: Double

  // MARK: Its share of the server (Shares.swift)
  /// Nil while the connection is not counted: a proxy's, before it has said for which client it asks.
  var share: Shares.Share?
  var countsInShare: Bool
  /// Bytes of memory held for the peer, as last told to the shares. `isShed`: it is about to be closed for holding too
  /// many.
  let held = Atomic(0)
  let isShed = Atomic(false)

  /// The facts about the connection for handlers, made at the first request that may need them.
  private(set) lazy var peerState = PeerState(certificate: tls?.clientCertificate)

  // MARK: Its pace
  /// Bytes that came from the peer, and that were handed to the system for it.
  @exclusivity(unchecked) var moved = 0
  /// The former alone.
  private var received = 0
  /// The uptime since which it has been the peer's turn without enough bytes, those that had moved then, and those of
  /// them that it had taken.
  private var lag: (since: Double, moved: Int, taken: Int)?

  // MARK: Input
  private(set) var tls: TLSSession?
  private var isShakingHands: Bool
  /// Bytes that were read and could not be handled yet.
  private var unread: [UInt8] = []
  private var isInsideProcess = false
  /// The socket may hold more than was read; with edge-triggered events the kernel does not tell again.
  private var mayHaveMore = false
  /// Reading goes on in the next turn, so that a peer that sends without end does not hold up the others.
  private var isPaused = false
  /// The peer has closed its side, which only reading to the end shows for certain.
  private var peerHasClosed = false
  /// The number of bytes discarded after the connection was refused and the answer sent; nil before. Input is discarded
  /// for a while, since closing at once would make the kernel send a reset, and the peer would lose the answer (RFC
  /// 9112 section 9.6).
  private var dropped: Int?

  // MARK: Output
  @exclusivity(unchecked) var output = OutputQueue()
  var isWritable = true
  /// True while another thread reads the next part of a file: whatever the socket says, nothing of the queue is sent.
  var isFetching = false
  var closesWhenSent = false
  /// True if the peer may still be sending when the answer is out.
  var lingers = false
  var isFlushScheduled = false
  /// The loop's turn in which something was last sent directly; the rest of that turn is sent together.
  var directTurn: UInt64 = 0

  init(listener: Listener, descriptor: Int32, peer: String, share: Shares.Share?, tls: TLSSession?) {
    self.listener = listener
    self.descriptor = descriptor
    self.peer = peer
    self.share = share
    countsInShare = share != nil
    idleSeconds = share == nil ? ServerLimits.proxyIdleSeconds : ServerLimits.idleSeconds
    self.tls = tls
    isShakingHands = tls != nil
    deadline = listener.loop.time.uptime + ServerLimits.headSeconds
  }

  var loop: EventLoop { listener.loop }
  var uptime: Double { listener.loop.turnUptime }

  /// True if nothing is lost by closing now.
  var isIdle: Bool { dropped != nil || output.isEmpty && handler?.isIdle != false }

  /// True between two requests, when nothing of the next one was read.
  var awaitsRequest: Bool {
    dropped == nil && output.isEmpty && unread.isEmpty && handler?.awaitsRequest == true
  }

  /// Looks how much the peer has sent and taken since it is its turn. Called once a second.
  func notePace() {
    guard dropped == nil, !output.isEmpty || handler?.awaitsPeer == true else {
      lag = nil
      return
    }
    // The system takes megabytes at a time, which a phone reads for minutes, and asks for more when a third is gone.
    let now = moved - unconfirmed
    if let lag {
      if now - lag.moved < ServerLimits.slowBytes { return }
      // One that only sends does not get on.
      if !output.isEmpty, now - received > lag.taken {
        deadline = uptime + ServerLimits.sendSeconds
        handler?.sentSome()
      }
    }
    lag = (uptime, now, now - received)
  }

  /// True if too little has come and gone for some time, and the peer is the one to blame.
  var isSlow: Bool { lag.map { uptime - $0.since >= ServerLimits.slowSeconds } ?? false }

  // MARK: Reading

  func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      isWritable = true
      if !output.isEmpty { flush() }
    }
    if !readiness.isDisjoint(with: .closed) { peerHasClosed = true }
    // TLS may have had to write before it could read on, and the socket was full.
    if tls != nil || !readiness.isDisjoint(with: [.readable, .closed]) { readAvailable() }
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
        moved += count
        received += count
        process(UnsafeBufferPointer(rebasing: buffer[..<count]))
        if !isClosed { handler?.receivedSome() }
        // A short read has emptied the socket, unless the peer has closed, or TLS holds decrypted bytes.
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

  /// Reads from the socket or TLS.
  /// - Returns: the count of bytes, 0 at the end, `wouldBlock` or `broken`.
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
      deadline = uptime + ServerLimits.headSeconds
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
      // After an upgrade the rest is for the new handler.
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

  /// Chooses the protocol by the first bytes. HTTP/2 is recognised on any connection: without TLS by prior knowledge,
  /// and over TLS for clients that do not use ALPN.
  /// - Returns: true once the protocol is known.
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

  /// Replaces the handler, after an upgrade.
  func become(_ handler: any ConnectionHandler) { self.handler = handler }

  /// Stops reading until the next turn.
  func pause() {
    if isPaused { return }
    isPaused = true
    loop.atNextTurn { [self] in
      isPaused = false
      goOn()
    }
  }

  /// Handles input that had to wait, once that is possible again.
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

  /// Called when the deadline has passed.
  func timeOut() {
    guard let handler, dropped == nil, !(closesWhenSent && !output.isEmpty) else { return close() }
    handler.timeOut()
  }

  /// Ends with a reset, so that the client sees that its answer is incomplete, even if only the end of the connection
  /// marks the end of the answer.
  func abort() {
    // The descriptor's number may belong to another connection by now.
    if isClosed { return }
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Called when everything is sent.
  func finishSending() {
    if dropped != nil { return }
    guard lingers else { return close() }
    tls?.sayGoodbye()
    shutdown(descriptor, Int32(SHUT_WR))
    dropped = 0
    deadline = uptime + ServerLimits.lingerSeconds
    settleQueue()
    // Resume reading from a client that was held back, so that it can finish sending and read the answer.
    goOn()
  }

  func close() {
    guard !isClosed else { return }
    handler?.connectionCloses()
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
