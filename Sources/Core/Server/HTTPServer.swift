import CLinux
public import EventLoop
import Glibc
import Lifecycle
public import Observe
import Wire

/// Serves HTTP/1.1 and WebSocket on a loop. Confined to it.
public final class HTTPServer: Watcher, @unchecked Sendable {
  public let loop: EventLoop
  let router: Router
  private let log: Log
  private var listener: Int32 = -1
  private var connections: [Int32: Connection] = [:]
  public private(set) var isClosing = false
  private var refused = 0
  /// One read buffer for all connections: an idle one owns none.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ServerLimits.readBytes)
  /// Where answers are put together.
  private var scratch: [UInt8] = []
  private var dateLine: (second: Int, bytes: [UInt8]) = (-1, [])

  public init(loop: EventLoop, router: Router, log: Log) {
    self.loop = loop
    self.router = router
    self.log = log
    scratch.reserveCapacity(ServerLimits.inlineBodyBytes + 4096)
  }

  deinit { readBuffer.deallocate() }

  public var connectionCount: Int { connections.count }

  /// Binds and listens.
  /// - Returns: the port, which the system chooses when 0 was asked for.
  public func listen(_ address: ListenAddress) throws(ListenError) -> Int {
    let (descriptor, port) = try address.bind(backlog: ServerLimits.backlog)
    listener = descriptor
    loop.watch(listener, for: .readable, edge: false, self)
    sweepLater()
    return port
  }

  /// Stops accepting, lets the answers under way finish for at most `ServerLimits.closeSeconds`, then calls `done`.
  public func close(_ done: @escaping () -> Void) {
    loop.assertCurrent()
    isClosing = true
    if listener >= 0 {
      loop.unwatch(listener)
      Glibc.close(listener)
      listener = -1
    }
    finishClosing(until: loop.time.uptime + ServerLimits.closeSeconds, done)
  }

  private func finishClosing(until deadline: Double, _ done: @escaping () -> Void) {
    for connection in Array(connections.values) {
      if connection.isIdle { connection.close() } else { connection.closeSocket(.goingAway, "") }
    }
    if connections.isEmpty || loop.time.uptime >= deadline {
      for connection in Array(connections.values) { connection.close() }
      return done()
    }
    loop.schedule(after: 0.05) { [self] in finishClosing(until: deadline, done) }
  }

  public func ready(_ readiness: Readiness) {
    // A bounded number at a time, so that a flood of connections does not starve those that are there.
    for _ in 0..<64 {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let descriptor = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { clinux_accept(listener, $0, &size) }
      }
      if descriptor < 0 {
        if errno == EMFILE || errno == ENFILE { pauseAccepting() }
        return
      }
      if connections.count >= ServerLimits.connections {
        Glibc.close(descriptor)
        noteRefused()
        continue
      }
      var one: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
      let connection = Connection(server: self, descriptor: descriptor, peer: ListenAddress.name(of: storage))
      connections[descriptor] = connection
      loop.watch(descriptor, for: [.readable, .writable], connection)
    }
  }

  /// Without a free descriptor the waiting connections cannot even be refused: asking again at once would only spin.
  private func pauseAccepting() {
    log.error("cannot accept: too many open files", ["open": "\(connections.count)"])
    loop.change(listener, to: [], edge: false)
    loop.schedule(after: ServerLimits.acceptPauseSeconds) { [self] in
      if listener >= 0 { loop.change(listener, to: .readable, edge: false) }
    }
  }

  /// A flood of connections must not become a flood of lines.
  private func noteRefused() {
    refused += 1
    guard refused == 1 else { return }
    loop.schedule(after: ServerLimits.sweepSeconds) { [self] in
      log.warning("connections refused: too many", ["open": "\(connections.count)", "refused": "\(refused)"])
      refused = 0
    }
  }

  func forget(_ connection: Connection) { connections[connection.descriptor] = nil }

  private func sweepLater() {
    loop.schedule(after: ServerLimits.sweepSeconds) { [weak self] in
      guard let self else { return }
      let now = loop.time.uptime
      for connection in Array(connections.values) where connection.deadline <= now { connection.timeOut() }
      if !isClosing { sweepLater() }
    }
  }

  /// Puts an answer together and hands it over: one array, and a fixed body apart where it is large.
  func write(
    _ response: Response, to head: RequestHead, closes: Bool,
    _ send: ([UInt8], UnsafeBufferPointer<UInt8>?) -> Void
  ) {
    let isUnchanged = response.status == 200 && Self.matches(head, etag: response.etag)
    let status = isUnchanged ? 304 : response.status
    scratch.removeAll(keepingCapacity: true)
    ResponseHead.appendStatus(status, to: &scratch)
    appendDate()
    if !isUnchanged {
      ResponseHead.appendField("Content-Type", response.contentType, to: &scratch)
      ResponseHead.append("Content-Length: ", to: &scratch)
      ResponseHead.appendNumber(response.body.count, to: &scratch)
      ResponseHead.append("\r\n", to: &scratch)
    }
    if let etag = response.etag {
      ResponseHead.append("ETag: \"", to: &scratch)
      scratch += etag.utf8
      ResponseHead.append("\"\r\n", to: &scratch)
    }
    ResponseHead.appendField("Cache-Control", response.cacheControl, to: &scratch)
    ResponseHead.append("X-Content-Type-Options: nosniff\r\n", to: &scratch)
    for field in response.fields {
      scratch += field.name.utf8
      ResponseHead.append(": ", to: &scratch)
      // A line break in a value would begin a field, or a body, of somebody else's making.
      scratch += field.value.utf8.lazy.filter { $0 != 13 && $0 != 10 }
      ResponseHead.append("\r\n", to: &scratch)
    }
    if closes { ResponseHead.append("Connection: close\r\n", to: &scratch) }
    ResponseHead.append("\r\n", to: &scratch)

    if isUnchanged || head.method == .head { return send(scratch, nil) }
    switch response.body {
    case .bytes(let bytes) where bytes.count > ServerLimits.inlineBodyBytes:
      send(scratch, nil)
      send(bytes, nil)
    case .bytes(let bytes):
      scratch += bytes
      send(scratch, nil)
    case .fixed(let fixed) where fixed.bytes.count > ServerLimits.inlineBodyBytes: send(scratch, fixed.bytes)
    case .fixed(let fixed):
      scratch += fixed.bytes
      send(scratch, nil)
    }
  }

  /// The Date field is written once a second.
  private func appendDate() {
    let second = Int(loop.time.now)
    if dateLine.second != second {
      dateLine = (second, Array("Date: \(ResponseHead.date(second))\r\n".utf8))
    }
    scratch += dateLine.bytes
  }

  /// RFC 9110 section 13.1.2; a weak comparison, as it asks for.
  private static func matches(_ head: RequestHead, etag: String?) -> Bool {
    guard let etag, head.method == .get || head.method == .head, let wanted = head.fields["if-none-match"] else {
      return false
    }
    if wanted == "*" { return true }
    return wanted.split(separator: ",").contains { part in
      let tag = part.drop { $0 == " " }.prefix { $0 != " " }
      return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == "\"\(etag)\""
    }
  }
}
