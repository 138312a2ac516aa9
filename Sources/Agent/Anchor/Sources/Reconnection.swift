import EventLoop
import Lifecycle
import Positions

/// The rhythm by which a source is connected: anew after a pause when its connection is lost, and when it says nothing,
/// since one may have gone without a word. Confined to its loop.
final class Reconnection {
  private let loop: EventLoop
  private let warn: (String) -> Void
  private weak var source: (any FixSource)?
  private var take: ((Positions.Reading) -> Void)?
  private var timer: LoopTimer?
  private var pause = AgentWatchLimits.reconnectSeconds.lowerBound
  /// The reason why it is not connected, as the end of a sentence; nil while it is, and where none is known.
  private(set) var fault: String?
  /// True while something comes from it, which need not be a position.
  private(set) var speaks = false
  /// The reason that was warned of last, and the uptime then.
  private var warned: (reason: String, at: Double)?

  init(_ loop: EventLoop, warn: @escaping (String) -> Void) { (self.loop, self.warn) = (loop, warn) }

  func begin(_ source: any FixSource, _ take: @escaping (Positions.Reading) -> Void) {
    self.source = source
    self.take = take
    attempt()
  }

  func end() {
    take = nil
    timer?.cancel()
    source?.disconnect()
    source = nil
  }

  /// The source has told something, these readings among it.
  func heard(_ readings: [Positions.Reading]) {
    (fault, speaks) = (nil, true)
    pause = AgentWatchLimits.reconnectSeconds.lowerBound
    watchForSilence()
    // Whoever takes one may close the source.
    for reading in readings { take?(reading) }
  }

  /// The connection is over, or was not made.
  /// - Parameter reason: as the end of a sentence, where one is known. It is warned of once, not at each attempt.
  func lost(_ reason: String? = nil) {
    (fault, speaks) = (reason, false)
    let now = loop.time.uptime
    let isNews = warned.map { $0.reason != reason || now - $0.at >= AgentWatchLimits.warnAgainSeconds } ?? true
    if isNews, let source, let reason {
      warned = (reason, now)
      warn("\(source.name): \(reason)")
    }
    source?.disconnect()
    after(pause) { $0.attempt() }
    pause = min(pause * 2, AgentWatchLimits.reconnectSeconds.upperBound)
  }

  private func attempt() {
    watchForSilence()
    source?.connect()
  }

  private func watchForSilence() { after(AgentWatchLimits.silentSeconds) { $0.lost() } }

  private func after(_ seconds: Double, _ work: @escaping (Reconnection) -> Void) {
    timer?.cancel()
    guard source != nil else { return }
    timer = loop.schedule(after: seconds) { [weak self] in
      guard let self, source != nil else { return }
      work(self)
    }
  }
}
