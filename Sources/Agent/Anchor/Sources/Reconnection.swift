import EventLoop
import Positions

/// The rhythm by which a source is connected: anew after a pause when its connection is lost, and when it says nothing,
/// since one may have gone without a word. Confined to its loop.
final class Reconnection {
  private let loop: EventLoop
  private weak var source: (any FixSource)?
  private var take: ((Positions.Reading) -> Void)?
  private var timer: LoopTimer?
  private var pause = AgentWatchLimits.reconnectSeconds.lowerBound

  init(_ loop: EventLoop) { self.loop = loop }

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
    pause = AgentWatchLimits.reconnectSeconds.lowerBound
    watchForSilence()
    // Whoever takes one may close the source.
    for reading in readings { take?(reading) }
  }

  /// The connection is over, or was not made.
  func lost() {
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
