import CLinux
import EventLoop
import Glibc
import Lifecycle
import Observe
import Synchronization
import Wire

/// Accepts connections on one loop and looks after them. Confined to it.
///
/// Here, in `Connection`, `HTTP1Handler` and `HTTP2Stream`, the checks for overlapping access are switched off for what
/// every response uses several times: on one loop only a call from inside a mutation could overlap, none of these
/// mutations calls out, and the checks were a sixth of a response's instructions.
final class Listener: Watcher, @unchecked Sendable {
  /// The state shared by all listeners of a server. A class, since the members of a structure would be
  /// reference-counted one by one at each use.
  final class Shared: Sendable {
    let router: Router
    let log: Log
    let trustedProxies: [AddressRange]
    let unbelieved: UnbelievedProxy
    let metrics: ServerMetrics
    /// True if handlers get the facts about their connection (`PeerState`).
    let keepsPeers: Bool
    let files = FileReader()
    let shares: Shares
    let bodies = BodyShares()
    /// Open connections on all loops.
    let open = Atomic(0)
    /// True once a WebSocket has come without its `Upgrade`.
    let hasMissedUpgrade = Atomic(false)
    /// The most connections, as far as the limit of descriptors allows.
    let most: Int

    init(
      router: Router, log: Log, trustedProxies: [AddressRange], unbelieved: UnbelievedProxy,
      connections: Int, connectionsPerAddress: Int, metrics: ServerMetrics, keepsPeers: Bool
    ) {
      self.router = router
      self.log = log
      self.trustedProxies = trustedProxies
      self.unbelieved = unbelieved
      self.metrics = metrics
      self.keepsPeers = keepsPeers
      shares = Shares(connectionsPerAddress: connectionsPerAddress, metrics)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let descriptors = Int(min(limit.rlim_cur, rlim_t(Int32.max)))
      most = min(connections, max(descriptors - ServerLimits.spareDescriptors, descriptors / 2))
    }

    /// The connections that are free, on all loops.
    var free: Int { most - open.load(ordering: .relaxed) }
    /// True while these are few.
    var isScarce: Bool { free <= most / ServerLimits.freePart }

    /// The route of a request, from the router where it is: whoever takes it from here has it copied.
    func match(_ head: RequestHead) -> Router.Match { router.match(head.method, head.path) }
  }

  /// Figures that other threads may read.
  final class Statistics: Sendable {
    let connections = Atomic(0)
    /// Bytes waiting for clients, as of the last sweep.
    let queued = Atomic(0)
  }

  let loop: EventLoop
  let shared: Shared
  let statistics = Statistics()
  /// The TLS context of new connections; nil for none.
  var tls: TLSContext?
  private(set) var isClosing = false

  private var descriptor: Int32 = -1
  private var connections: [Int32: Connection] = [:]
  private var refused = 0
  /// One read buffer for all connections, so that idle ones need none.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ServerLimits.readBytes)
  /// The buffer in which responses are encoded.
  @exclusivity(unchecked) var scratch: [UInt8] = []
  var fieldBlock = FieldBlock()
  let unpackings: UnpackingLine
  /// The file whose caching was checked last: one picture is often requested by many at the same time.
  private var lookedUp: (owner: ObjectIdentifier, isCached: Bool, until: Double)?
  private var dateTurn: UInt64 = 0
  @exclusivity(unchecked)
  private var dateField: (second: Int, bytes: [UInt8], value: [UInt8], ok: [UInt8]) = (-1, [], [], [])

  init(loop: EventLoop, _ shared: Shared, tls: TLSContext?) {
    self.loop = loop
    self.shared = shared
    unpackings = UnpackingLine(loop)
    self.tls = tls
    scratch.reserveCapacity(ServerLimits.inlineBodyBytes + 4096)
  }

  deinit { readBuffer.deallocate() }

  func start(_ descriptor: Int32) {
    self.descriptor = descriptor
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  /// Stops accepting, lets responses under way finish for at most `ServerLimits.closeSeconds`, then calls `done`.
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

  /// Tells some of those who stay to go, while the others are served: `HTTPServer.sendAway`.
  func sendAway(_ share: Double) -> Int {
    loop.assertCurrent()
    let staying = connections.values.filter { $0.handler?.stays == true }
    let exact = Double(staying.count) * share
    // Rounded up or down by chance, so that small shares of few connections add up.
    let count = share >= 1 ? staying.count : Int(exact + Double.random(in: 0..<1))
    for connection in staying.prefix(count) { connection.handler?.serverCloses() }
    return staying.count - count
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
    // A bounded number at a time, so that a flood of new connections does not starve the existing ones.
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
      if shared.free <= 0 {
        Glibc.close(accepted)
        noteRefused()
        continue
      }
      let peer = ListenAddress.name(of: storage)
      // A proxy names the client with each request.
      let address = peerAddress(peer)
      let isProxy = !shared.trustedProxies.isEmpty && isTrusted(address, shared.trustedProxies)
      let isScarce = shared.isScarce
      let share = isProxy ? nil : address.flatMap { shared.shares.join($0, isScarce: isScarce) }
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

  /// Without a free descriptor, waiting connections cannot even be refused: trying again at once would only spin.
  private func pauseAccepting() {
    shared.log.error("cannot accept: too many open files", ["open": "\(connections.count)"])
    loop.change(descriptor, to: [], edge: false)
    loop.schedule(after: ServerLimits.acceptPauseSeconds) { [self] in
      if descriptor >= 0 { loop.change(descriptor, to: .readable, edge: false) }
    }
  }

  /// Logs refused connections, but not each one of a flood.
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

  /// Schedules the next sweep; none while there are no connections.
  private func sweepLater() {
    guard !isSweeping else { return }
    isSweeping = true
    loop.schedule(after: ServerLimits.sweepSeconds) { [self] in
      isSweeping = false
      let now = loop.time.uptime
      var queued = 0
      for connection in Array(connections.values) {
        if connection.deadline <= now { connection.timeOut() }
        connection.notePace()
        queued += connection.output.count
      }
      makeRoom()
      statistics.queued.store(queued, ordering: .relaxed)
      if !isClosing, !connections.isEmpty { sweepLater() }
    }
  }

  /// While few connections are free, ends those that have been without a request for longest. If these do not suffice,
  /// slow ones in crowds are ended, and then listeners there told to go: else a few dozen addresses would shut out
  /// everybody.
  private func makeRoom() {
    guard shared.isScarce else { return }
    let idle = connections.values.filter(\.awaitsRequest).sorted { $0.deadline < $1.deadline }
    for connection in idle.prefix((idle.count + ServerLimits.endedPart - 1) / ServerLimits.endedPart) {
      connection.timeOut()
    }
    let lacking = shared.most / ServerLimits.freePart - shared.free
    guard lacking > 0 else { return }
    // Each loop ends its part of them.
    let ended = inCrowds().prefix(max(1, lacking * connections.count / max(1, shared.open.load(ordering: .relaxed))))
    for connection in ended {
      if connection.isSlow { connection.close() } else { connection.handler?.serverCloses() }
    }
    if ended.isEmpty { return }
    shared.log.warning(
      "nearly all connections are taken: slow ones and listeners of the largest networks had to go",
      ["ended": "\(ended.count)"])
  }

  /// The slow connections and then the listeners that are not signed in, of networks with more than
  /// `ServerLimits.crowd` connections, in such an order that the network that has the most loses one next.
  private func inCrowds() -> [Connection] {
    var left = shared.shares.networks
    func find(_ isMeant: (Connection) -> Bool) -> [Connection] {
      var found: [(connection: Connection, left: Int)] = []
      for connection in connections.values where connection.countsInShare && isMeant(connection) {
        guard let network = connection.share?.address.network else { continue }
        let count = left[network, default: 0]
        guard count > ServerLimits.crowd else { continue }
        left[network] = count - 1
        found.append((connection, count))
      }
      return found.sorted { $0.left > $1.left }.map { $0.connection }
    }
    return find { $0.isSlow } + find { !$0.isSlow && $0.handler?.stays == true }
  }

  // MARK: Files

  /// True if all of a file is in the page cache, as checked a moment ago at most.
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

  /// A request with the client's address: the peer's, or the one that a trusted proxy names.
  /// - Throws: if that address has as many connections as allowed. An HTTP/2 connection of a proxy serves many clients,
  ///   so it counts for none of them.
  func request(
    _ head: consuming RequestHead, _ parameters: [String: String], on connection: Connection
  ) throws(HTTPError) -> Request {
    if let proxy = shared.unbelieved.look(head.fields, peer: connection.peer, trusted: shared.trustedProxies) {
      shared.log.warning(
        "a web server in front is not believed: trusted_proxies does not list it", ["address": proxy])
    }
    // Never changed afterwards, it is not copied.
    let direct = Request(
      head: head, parameters: parameters, peer: connection.peer, isSecure: connection.tls != nil,
      connection: shared.keepsPeers ? connection.peerState : nil)
    return shared.trustedProxies.isEmpty ? direct : try forwarded(direct, on: connection)
  }

  /// Notes, once, that a WebSocket's request has lost its `Upgrade`: web servers take it away unless told otherwise. As
  /// for `UnbelievedProxy`, only those in this network count as one.
  func noteUpgrade(of head: RequestHead, from peer: String) {
    guard head.fields.count(of: "sec-websocket-key") > 0, head.fields.count(of: "upgrade") == 0,
      peerAddress(peer)?.isPublic != true,
      !shared.hasMissedUpgrade.exchange(true, ordering: .relaxed)
    else { return }
    shared.log.warning(
      "a web server in front passes no WebSocket on, so pages are not live: Docs/https.md", ["address": peer])
  }

  /// A request as the proxy in front tells it, if that is trusted.
  private func forwarded(_ direct: Request, on connection: Connection) throws(HTTPError) -> Request {
    let head = direct.head
    var request = direct
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

  /// The encoded Date field, renewed once a second.
  var dateLine: [UInt8] {
    renewDate()
    return dateField.bytes
  }
  /// The encoded status line 200 with the Date field.
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
    // The clock is read once a turn.
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
