import CLinux
import EventLoop
import Glibc
import Lifecycle
import Observe
import Synchronization
import Wire

/// Accepts connections on one loop and looks after them. Confined to it.
///
/// Here, in `Connection`, `HTTP1Handler` and `HTTP2Stream`, what every answer touches several times is not checked
/// for overlapping access at run time: on one loop only a call from inside a mutation could overlap, none of these
/// mutations calls out, and the checks were a sixth of the instructions that an answer takes.
final class Listener: Watcher, @unchecked Sendable {
  /// What all listeners of a server have in common. A class, since a structure would be counted part by part whenever
  /// it is asked.
  final class Shared: Sendable {
    let router: Router
    let log: Log
    let trustedProxies: [AddressRange]
    let unbelieved: UnbelievedProxy
    let metrics: ServerMetrics
    let files = FileReader()
    let shares: Shares
    /// Connections open on all loops.
    let open = Atomic(0)
    /// How many there may be, as far as descriptors go.
    let most: Int

    init(
      router: Router, log: Log, trustedProxies: [AddressRange], unbelieved: UnbelievedProxy,
      connectionsPerAddress: Int, metrics: ServerMetrics
    ) {
      self.router = router
      self.log = log
      self.trustedProxies = trustedProxies
      self.unbelieved = unbelieved
      self.metrics = metrics
      shares = Shares(connectionsPerAddress: connectionsPerAddress, metrics)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let descriptors = Int(min(limit.rlim_cur, rlim_t(Int32.max)))
      most = min(ServerLimits.connections, max(descriptors - ServerLimits.spareDescriptors, descriptors / 2))
    }
  }

  /// What others may know of it, from any thread.
  final class Statistics: Sendable {
    let connections = Atomic(0)
    /// Bytes that wait for clients, as of the last sweep.
    let queued = Atomic(0)
  }

  let loop: EventLoop
  let shared: Shared
  let statistics = Statistics()
  /// What new connections speak through; nil for none.
  var tls: TLSContext?
  private(set) var isClosing = false

  private var descriptor: Int32 = -1
  private var connections: [Int32: Connection] = [:]
  private var refused = 0
  /// One read buffer for all connections: an idle one owns none.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ServerLimits.readBytes)
  /// Where answers are put together.
  @exclusivity(unchecked) var scratch: [UInt8] = []
  var fieldBlock = FieldBlock()
  /// The file that was looked up last: a picture on a page is asked for by many at the same time.
  private var lookedUp: (owner: ObjectIdentifier, isCached: Bool, until: Double)?
  private var dateTurn: UInt64 = 0
  @exclusivity(unchecked)
  private var dateField: (second: Int, bytes: [UInt8], value: [UInt8], ok: [UInt8]) = (-1, [], [], [])

  init(loop: EventLoop, _ shared: Shared, tls: TLSContext?) {
    self.loop = loop
    self.shared = shared
    self.tls = tls
    scratch.reserveCapacity(ServerLimits.inlineBodyBytes + 4096)
  }

  deinit { readBuffer.deallocate() }

  func start(_ descriptor: Int32) {
    self.descriptor = descriptor
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  /// Stops accepting, lets the answers under way finish for at most `ServerLimits.closeSeconds`, then calls `done`.
  func close(_ done: @escaping () -> Void) {
    loop.assertCurrent()
    isClosing = true
    if descriptor >= 0 {
      loop.unwatch(descriptor)
      Glibc.close(descriptor)
      descriptor = -1
    }
    finishClosing(until: loop.time.uptime + ServerLimits.closeSeconds, done)
  }

  private func finishClosing(until deadline: Double, _ done: @escaping () -> Void) {
    for connection in Array(connections.values) {
      if connection.isIdle { connection.close() } else { connection.handler?.serverCloses() }
    }
    if connections.isEmpty || loop.time.uptime >= deadline {
      for connection in Array(connections.values) { connection.close() }
      return done()
    }
    loop.schedule(after: 0.05) { [self] in finishClosing(until: deadline, done) }
  }

  // MARK: Accepting

  func ready(_ readiness: Readiness) {
    // A bounded number at a time, so that a flood of connections does not starve those that are there.
    for _ in 0..<64 {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let accepted = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { clinux_accept(descriptor, $0, &size) }
      }
      if accepted < 0 {
        if errno == EMFILE || errno == ENFILE { pauseAccepting() }
        return
      }
      if shared.open.load(ordering: .relaxed) >= shared.most {
        Glibc.close(accepted)
        noteRefused()
        continue
      }
      let peer = ListenAddress.name(of: storage)
      // A proxy says with each request whose it is.
      let address = peerAddress(peer)
      let isProxy = !shared.trustedProxies.isEmpty && isTrusted(address, shared.trustedProxies)
      let share = isProxy ? nil : address.flatMap(shared.shares.join)
      if share == nil, !isProxy {
        Glibc.close(accepted)
        noteRefused()
      } else {
        welcome(accepted, peer: peer, share)
      }
    }
  }

  private func welcome(_ accepted: Int32, peer: String, _ share: Shares.Share?) {
    var one: Int32 = 1
    setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var session: TLSSession?
    if let tls {
      session = TLSSession(tls, accepted)
      if session == nil {
        Glibc.close(accepted)
        if let share { shared.shares.leave(share, counts: true) }
        return
      }
    }
    let connection = Connection(listener: self, descriptor: accepted, peer: peer, share: share, tls: session)
    if connections.isEmpty { sweepLater() }
    connections[accepted] = connection
    shared.open.add(1, ordering: .relaxed)
    shared.metrics.connections.add()
    shared.metrics.connectionsTotal.add()
    statistics.connections.store(connections.count, ordering: .relaxed)
    loop.watch(accepted, for: [.readable, .writable], connection)
  }

  /// Without a free descriptor the waiting connections cannot even be refused: asking again at once would only spin.
  private func pauseAccepting() {
    shared.log.error("cannot accept: too many open files", ["open": "\(connections.count)"])
    loop.change(descriptor, to: [], edge: false)
    loop.schedule(after: ServerLimits.acceptPauseSeconds) { [self] in
      if descriptor >= 0 { loop.change(descriptor, to: .readable, edge: false) }
    }
  }

  /// A flood of connections must not become a flood of lines.
  private func noteRefused() {
    shared.metrics.refusedTotal.add()
    refused += 1
    guard refused == 1 else { return }
    loop.schedule(after: ServerLimits.sweepSeconds) { [self] in
      shared.log.warning("connections refused: too many", ["open": "\(connections.count)", "refused": "\(refused)"])
      refused = 0
    }
  }

  func forget(_ connection: Connection) {
    connections[connection.descriptor] = nil
    shared.open.subtract(1, ordering: .relaxed)
    shared.metrics.connections.subtract()
    statistics.connections.store(connections.count, ordering: .relaxed)
  }

  private var isSweeping = false

  /// A listener without connections sleeps.
  private func sweepLater() {
    guard !isSweeping else { return }
    isSweeping = true
    loop.schedule(after: ServerLimits.sweepSeconds) { [self] in
      isSweeping = false
      let now = loop.time.uptime
      var queued = 0
      for connection in Array(connections.values) {
        if connection.deadline <= now { connection.timeOut() }
        queued += connection.output.count
      }
      statistics.queued.store(queued, ordering: .relaxed)
      if !isClosing, !connections.isEmpty { sweepLater() }
    }
  }

  // MARK: Files

  /// Whether all of a file is in the page cache, as of the last moments.
  func isCached(_ file: OpenFile) -> Bool {
    if let known = lookedUp, known.owner == file.identity, loop.turnUptime < known.until { return known.isCached }
    guard file.size <= ServerLimits.wholeFileBytes else { return false }
    let step = ServerLimits.fileWindowBytes
    let isCached = stride(from: 0, to: file.size, by: step).allSatisfy { start in
      clinux_is_cached(file.descriptor, start, min(step, file.size - start)) != 0
    }
    lookedUp = (file.identity, isCached, loop.turnUptime + ServerLimits.cachedSeconds)
    return isCached
  }

  // MARK: Requests

  /// A request with who asks: the other end, or whom a trusted proxy says it asks for.
  /// - Throws: where whoever asks has as many connections as an address may. Of a proxy that speaks HTTP/2 one
  ///   connection serves many clients, so it counts for none of them.
  func request(
    _ head: RequestHead, _ parameters: [String: String], on connection: Connection
  ) throws(HTTPError) -> Request {
    var request = Request(
      head: head, parameters: parameters, peer: connection.peer, isSecure: connection.tls != nil)
    if let proxy = shared.unbelieved.look(head.fields, peer: connection.peer, trusted: shared.trustedProxies) {
      shared.log.warning(
        "a web server in front is not believed: trusted_proxies does not list it", ["address": proxy])
    }
    if shared.trustedProxies.isEmpty { return request }
    let forwarding = Forwarding(head.fields, peer: connection.peer, trusted: shared.trustedProxies)
    request.peer = forwarding.address
    if let scheme = forwarding.scheme { request.isSecure = scheme == "https" }
    request.forwardedHost = forwarding.host
    if head.version != .http2, forwarding.address != connection.peer, let address = peerAddress(forwarding.address) {
      guard connection.belongs(to: address) else { throw .tooManyConnections }
    }
    return request
  }

  // MARK: The date

  /// The Date field, written once a second.
  var dateLine: [UInt8] {
    renewDate()
    return dateField.bytes
  }
  /// The status line of the usual answer, and the date.
  var okLines: [UInt8] {
    renewDate()
    return dateField.ok
  }
  /// The value of the Date field.
  var date: [UInt8] {
    renewDate()
    return dateField.value
  }
  /// Seconds since 1970.
  var now: Int {
    renewDate()
    return dateField.second
  }

  private func renewDate() {
    // The clock is asked once a turn.
    if dateTurn == loop.turnNumber { return }
    dateTurn = loop.turnNumber
    let second = Int(loop.time.now)
    if dateField.second == second { return }
    let value = ResponseHead.date(second)
    let line = Array("Date: \(value)\r\n".utf8)
    var ok: [UInt8] = []
    ResponseHead.appendStatus(200, to: &ok)
    dateField = (second, line, Array(value.utf8), ok + line)
  }
}
