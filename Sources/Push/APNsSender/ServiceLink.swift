import EventLoop
import Lifecycle
import TCPClient
import Wire

/// One connection of a `ServiceLine`. Confined to its loop.
final class ServiceLink {
  enum Event {
    case ended(ServiceLine.Waiter, HTTP2ClientSession.Ending)
    /// The server takes no further requests on it.
    case leaving(String)
    /// It is closed; nothing follows.
    case over(String)
  }

  private let loop: EventLoop
  private let connection: ClientConnection
  private let session = HTTP2ClientSession()
  private let heard: (ServiceLink, Event) -> Void
  private var waiters: [Int: ServiceLine.Waiter] = [:]
  private let begunAt: Double
  private var heardAt: Double
  private var usedAt: Double
  private var pingedAt: Double?
  /// Requests since something was last written.
  private var unwritten = 0
  private var isFlushing = false
  private var isLeaving = false
  private var isOver = false
  private(set) var hasAnswered = false
  /// It was closed since nobody used it.
  private(set) var isIdle = false

  var count: Int { waiters.count }
  /// True if the server had begun to speak.
  var wasOpen: Bool { session.hasSettings }

  init(
    _ loop: EventLoop, _ names: NameLookup, _ target: ServiceLine.Target,
    _ heard: @escaping (ServiceLink, Event) -> Void
  ) {
    self.loop = loop
    self.heard = heard
    begunAt = loop.time.uptime
    (heardAt, usedAt) = (begunAt, begunAt)
    connection = ClientConnection(
      loop: loop, names: names, host: target.host, port: target.port, trust: target.trust)
    let needsHTTP2 = target.trust != nil
    connection.open { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened:
        if needsHTTP2, !connection.speaksHTTP2 { return fail("it does not speak HTTP/2") }
        flushSoon()
      case .bytes(let bytes):
        heardAt = loop.time.uptime
        session.receive(bytes)
        tell()
        flushSoon()
      case .drained: flushSoon()
      case .failed(let reason): fail(reason)
      }
    }
  }

  func submit(_ waiter: ServiceLine.Waiter) {
    usedAt = loop.time.uptime
    waiters[session.submit(waiter.request)] = waiter
    unwritten += 1
    // While the rest of a turn's requests is made, the service works on the first ones.
    if unwritten == APNsSenderLimits.writtenTogether { write() }
    flushSoon()
  }

  /// Ends it: what was not answered has an unknown outcome, and what was not sent none.
  func fail(_ reason: String) {
    guard !isOver else { return }
    isOver = true
    connection.close()
    session.close(reason)
    // The line is told first, so that what was not processed gets another connection.
    heard(self, .over(reason))
    tell()
  }

  func look() {
    let now = loop.time.uptime
    guard session.hasSettings else {
      if now - begunAt >= APNsSenderLimits.openSeconds { fail("it did not answer in time") }
      return
    }
    for (number, waiter) in waiters where now - waiter.begunAt >= APNsSenderLimits.answerSeconds {
      session.cancel(number, "no answer within \(Int(APNsSenderLimits.answerSeconds)) s")
    }
    tell()
    guard !isOver else { return }
    let silence = now - heardAt
    if let pingedAt {
      if now - pingedAt >= APNsSenderLimits.pingSeconds { return fail("it gives no sign of life") }
    } else if silence >= (waiters.isEmpty ? APNsSenderLimits.idleSilenceSeconds : APNsSenderLimits.busySilenceSeconds) {
      pingedAt = now
      session.ping()
    }
    if waiters.isEmpty, now - usedAt >= APNsSenderLimits.idleSeconds {
      isIdle = true
      return fail("it was not used")
    }
    flushSoon()
  }

  /// Passes the session's events on.
  private func tell() {
    for event in session.takeEvents() {
      switch event {
      case .ended(let number, let ending):
        guard let waiter = waiters.removeValue(forKey: number) else { continue }
        if case .answered = ending { hasAnswered = true }
        heard(self, .ended(waiter, ending))
      case .goAway(let code, let text):
        guard !isLeaving, !isOver else { continue }
        isLeaving = true
        heard(self, .leaving(text.isEmpty ? "code \(code)" : text))
      case .pong: pingedAt = nil
      }
    }
    guard !isOver else { return }
    if session.isFinished || (isLeaving && waiters.isEmpty) { fail("the connection was ended") }
  }

  /// Sends what is left at the end of the turn: requests that come together go together.
  private func flushSoon() {
    guard !isFlushing, !isOver else { return }
    isFlushing = true
    loop.atEndOfTurn { [self] in
      isFlushing = false
      write()
      tell()
    }
  }

  private func write() {
    unwritten = 0
    var bytes: [UInt8] = []
    while !isOver, connection.waitingBytes + bytes.count < APNsSenderLimits.outputBytes {
      let next = session.nextOutput()
      if next.isEmpty { break }
      bytes += next
    }
    if !bytes.isEmpty { connection.write(bytes) }
  }
}
