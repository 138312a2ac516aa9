import Delivery
package import EventLoop
import Lifecycle
package import Observe
package import TCPClient
package import Wire

/// Requests to one server over HTTP/2, all on one connection. When that ends, another takes its place.
///
/// A request that the server certainly has not processed is sent once more on the next connection. What becomes of one
/// that was not answered is its sender's matter. Confined to its loop, but for `send`.
package final class ServiceLine: @unchecked Sendable {
  package enum Result: Equatable, Sendable {
    case answered(HTTP2Answer)
    /// The server may have processed it.
    case unanswered(String)
    /// It was not processed; with the seconds until it makes sense to try again, if there is a pause.
    case unreachable(String, retryAfter: Double?)
  }

  /// The server, and how it is trusted.
  package struct Target {
    package var host: String
    package var port: UInt16
    package var trust: TLSTrust?

    package init(host: String, port: UInt16, trust: TLSTrust?) {
      self.host = host
      self.port = port
      self.trust = trust
    }
  }

  /// Someone who waits for the end of a request. Confined to the loop.
  final class Waiter: @unchecked Sendable {
    let request: HTTP2Request
    var begunAt = 0.0
    var isSecond = false
    private(set) var isOver = false
    private var continuation: CheckedContinuation<Result, Never>?

    init(_ request: HTTP2Request) { self.request = request }

    /// - Returns: false if it was over before.
    func begin(_ continuation: CheckedContinuation<Result, Never>, at now: Double) -> Bool {
      begunAt = now
      if isOver {
        continuation.resume(returning: .unanswered(""))
      } else {
        self.continuation = continuation
      }
      return !isOver
    }

    /// Only the first end counts.
    func end(_ result: Result) {
      isOver = true
      continuation?.resume(returning: result)
      continuation = nil
    }
  }

  private let loop: EventLoop
  private let names: NameLookup
  private let log: Log
  private let target: () -> Target?
  private var current: ServiceLink?
  /// Those that the server has ended, while answers are waited for.
  private var ending: [ServiceLink] = []
  private var timer: LoopTimer?
  /// Connections in a row that came to nothing.
  private var failures = 0
  private var pauseEnds = 0.0
  private var lastReason = ""
  private var waiting: Int { ending.reduce(current?.count ?? 0) { $0 + $1.count } }

  /// - Parameter target: called on the loop for each connection; nil if the trust cannot be made.
  package init(loop: EventLoop, names: NameLookup, log: Log, target: @escaping () -> Target?) {
    self.loop = loop
    self.names = names
    self.log = log
    self.target = target
  }

  /// Sends a request; from any thread.
  /// - Throws: when the task is cancelled; the server may have got the request.
  package func send(_ request: HTTP2Request) async throws(CancellationError) -> Result {
    let waiter = Waiter(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result, Never>) in
        loop.perform { [self] in
          if waiter.begin(continuation, at: loop.time.uptime) { begin(waiter) }
        }
      }
    } onCancel: {
      // The hub is ending, and waits for nobody.
      loop.perform { waiter.end(.unanswered("")) }
    }
    if Task.isCancelled { throw CancellationError() }
    return result
  }

  /// Drops the connections; from any thread.
  package func close() {
    loop.perform { [self] in
      for link in ending + [current].compactMap({ $0 }) { link.fail("the hub is ending") }
    }
  }

  private func begin(_ waiter: Waiter) {
    let now = loop.time.uptime
    guard waiting < APNsSenderLimits.requests else {
      return waiter.end(.unreachable("too many requests wait", retryAfter: nil))
    }
    if current == nil {
      guard now >= pauseEnds else { return waiter.end(.unreachable(lastReason, retryAfter: pauseEnds - now)) }
      guard let target = target() else {
        return waiter.end(.unreachable("its certificate or the authorities cannot be used", retryAfter: nil))
      }
      current = ServiceLink(loop, names, target) { [weak self] in self?.heard($0, $1) }
      look()
    }
    current?.submit(waiter)
  }

  private func heard(_ link: ServiceLink, _ event: ServiceLink.Event) {
    switch event {
    case .ended(let waiter, .answered(let answer)):
      (failures, pauseEnds) = (0, 0)
      waiter.end(.answered(answer))
    case .ended(let waiter, .unknown(let reason)): waiter.end(.unanswered(reason))
    case .ended(let waiter, .notProcessed(let reason)):
      guard link.wasOpen, !waiter.isSecond, !waiter.isOver else {
        let left = pauseEnds - loop.time.uptime
        return waiter.end(.unreachable(reason, retryAfter: left > 0 ? left : nil))
      }
      waiter.isSecond = true
      begin(waiter)
    case .leaving(let reason):
      log.info("a push service ends a connection", ["reason": reason])
      release(link, reason)
      ending.append(link)
    case .over(let reason):
      release(link, reason)
      ending.removeAll { $0 === link }
    }
  }

  /// Lets the next request have another connection.
  private func release(_ link: ServiceLink, _ reason: String) {
    guard current === link else { return }
    current = nil
    guard !link.hasAnswered, !link.isIdle else { return }
    lastReason = reason
    // The first one that follows a failure may come at once: what was not processed is sent again.
    if failures > 0 {
      pauseEnds =
        loop.time.uptime
        + Backoff.seconds(
          after: failures - 1, atLeast: nil, jitter: .random(in: 0..<1), longest: APNsSenderLimits.longestPause)
    }
    failures += 1
  }

  /// Looks now and then at what takes too long, as long as there is a connection.
  private func look() {
    timer?.cancel()
    timer = loop.schedule(after: APNsSenderLimits.lookSeconds) { [weak self] in
      guard let self else { return }
      timer = nil
      for link in ending + [current].compactMap({ $0 }) { link.look() }
      if current != nil || !ending.isEmpty { look() }
    }
  }
}
