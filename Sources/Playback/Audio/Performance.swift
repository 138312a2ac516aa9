import CLinux
import Glibc
import Lifecycle
import Sound
import Synchronization

/// One sound on its way to a device, on a thread of its own: the device is opened, plays silence while its delay is
/// measured, and then the sound, so that its first sample is heard at its time.
final class Performance: Sendable {
  let clip: Clip
  /// Seconds since 1970; nil for as soon as possible.
  let instant: Double?
  let gain: Float
  private let time: any TimeSource
  private let begins: @Sendable () -> Void
  private let isStopped = Atomic<Bool>(false)
  private let counted = Atomic<Int>(0)
  /// Readable once it is to stop.
  private let stopping: Int32

  init(
    _ clip: Clip, at instant: Double?, gain: Float, time: any TimeSource, begins: @escaping @Sendable () -> Void
  ) {
    (self.clip, self.instant, self.gain, self.time, self.begins) = (clip, instant, gain, time, begins)
    stopping = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
  }

  deinit { close(stopping) }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    var one: UInt64 = 1
    _ = write(stopping, &one, 8)
  }

  /// The samples as the device takes them.
  private var samples: [Int16] { Clip(samples: clip.samples.map { $0 * gain }, rate: clip.rate).integers }

  /// The uptime at which its first sample is to be heard, by what the wall clock shows now.
  private var target: Double? { instant.map { $0 - time.now + time.uptime } }

  private func wall(_ uptime: Double) -> Double { uptime + time.now - time.uptime }

  // MARK: To a device

  private struct Progress {
    var placement: Placement
    /// Frames written since the device began.
    var written = 0
    /// Uptime at which the device began, at which it last took something, and of the last measurement.
    var since: Double
    var moved: Double
    var measured = 0.0
    /// Samples of the sound that were written.
    var played = 0
    /// The frame with the first sample, until the device starts anew.
    var first: Int?
    /// The uptime at which the first sample is heard, as far as it is known.
    var heard: Double?
  }

  /// Counts on from 0 for as long as its thread is at work: some twenty times a second once the device has opened. A
  /// sound server that does not answer holds the thread within one of its calls.
  var rounds: Int { counted.load(ordering: .relaxed) }

  private func noteRound() { counted.wrappingAdd(1, ordering: .relaxed) }

  func perform(on device: SoundDevice) throws(PlaybackError) -> PlaybackEnd {
    noteRound()
    let rate = Double(clip.rate)
    let period = Int(rate * PlaybackLimits.periodSeconds)
    // After its end a period of silence: what stands in the buffer from before is not heard.
    let sound = samples + [Int16](repeating: 0, count: 2 * period)
    let silence = [Int16](repeating: 0, count: period)
    var progress = Progress(placement: Placement(rate: clip.rate), since: time.uptime, moved: time.uptime)
    var hasBegun = false
    let silenceAhead = isNear(time.uptime) ? 2 * period : device.bufferFrames
    while progress.played < sound.count {
      noteRound()
      if isStopped.load(ordering: .relaxed) { return .stopped(from: progress.heard.map(wall)) }
      measure(device, &progress)
      guard let room = try device.room() else {
        restart(&progress)
        continue
      }
      let now = time.uptime
      // Devices that keep no time take everything at once, so it is never further ahead than its buffer.
      let ahead = hasBegun ? device.bufferFrames : silenceAhead
      let paced = Int((now - progress.since) * rate) + ahead - progress.written
      guard min(room, paced) > 0 else {
        if now - progress.moved > PlaybackLimits.stuckSeconds {
          throw PlaybackError("The sound device takes no sound any more.")
        }
        wait(device, forRoom: room <= 0)
        continue
      }
      var count = min(room, paced, period)
      if !hasBegun {
        let left = silentFrames(progress)
        if isTooLate(now) { return .missed }
        if left <= 0 {
          hasBegun = true
          progress.first = progress.written
          begins()
        } else {
          count = min(count, left)
        }
      }
      let piece = hasBegun ? sound[progress.played..<min(sound.count, progress.played + count)] : silence[..<count]
      switch try device.write(piece) {
      case .taken(let frames):
        progress.written += frames
        if hasBegun { progress.played += frames }
        if frames > 0 { progress.moved = now }
      case .full: wait(device, forRoom: true)
      case .restarted: restart(&progress)
      }
    }
    return finish(device, progress)
  }

  /// True if there is no time to fill the whole buffer with silence.
  private func isNear(_ now: Double) -> Bool { target.map { $0 - now < 3 * PlaybackLimits.bufferSeconds } ?? true }

  private func isTooLate(_ now: Double) -> Bool {
    guard let target else { return false }
    return now - target > PlaybackLimits.lateSeconds || target - now > PlaybackLimits.awaySeconds
  }

  /// Frames of silence that are still to be written before the first sample.
  private func silentFrames(_ progress: Progress) -> Int {
    guard let target else { return 0 }
    // Before there are measurements, as if what waits in the buffer were heard one by one.
    let heard = progress.placement.frame(at: target) ?? Int((target - progress.since) * Double(clip.rate))
    return heard - progress.written
  }

  private func measure(_ device: SoundDevice, _ progress: inout Progress) {
    let before = time.uptime
    guard progress.written > 0, before - progress.measured >= PlaybackLimits.periodSeconds / 2 else { return }
    guard let delay = device.delay() else { return }
    let after = time.uptime
    guard after - before < PlaybackLimits.measuringSeconds else { return }
    progress.measured = before
    progress.placement.measured(delay: delay, written: progress.written, uptime: (before + after) / 2)
    if let first = progress.first { progress.heard = progress.placement.uptime(of: first) ?? progress.heard }
  }

  private func restart(_ progress: inout Progress) {
    progress.placement.restart()
    (progress.written, progress.first, progress.since) = (0, nil, time.uptime)
  }

  private func wait(_ device: SoundDevice, forRoom: Bool) {
    if forRoom { return device.wait(or: stopping, atMost: PlaybackLimits.periodSeconds) }
    pause(PlaybackLimits.periodSeconds)
  }

  /// Waits until it is to stop, or the time is over.
  private func pause(_ seconds: Double) {
    var one = pollfd(fd: stopping, events: Int16(POLLIN), revents: 0)
    poll(&one, 1, Int32(max(1, (seconds * 1000).rounded(.up))))
  }

  /// Waits until all was heard.
  private func finish(_ device: SoundDevice, _ progress: Progress) -> PlaybackEnd {
    var progress = progress
    // A device that does not say how far it is has played its buffer by then.
    let end = time.uptime + Double(device.bufferFrames) / Double(clip.rate) + PlaybackLimits.endSeconds
    while !isStopped.load(ordering: .relaxed) {
      noteRound()
      measure(device, &progress)
      let over = min(end, progress.placement.uptime(of: progress.written) ?? end)
      if time.uptime >= over { break }
      pause(min(PlaybackLimits.periodSeconds, over - time.uptime))
    }
    return .played(from: wall(progress.heard ?? time.uptime))
  }

  // MARK: To a file

  func perform(to path: String) throws(PlaybackError) -> PlaybackEnd {
    noteRound()
    while let target, target > time.uptime {
      noteRound()
      if isTooLate(time.uptime) { return .missed }
      if isStopped.load(ordering: .relaxed) { return .stopped(from: nil) }
      pause(min(1, target - time.uptime))
    }
    let heard = time.now
    begins()
    try GrowingWave.append(samples, rate: clip.rate, to: path)
    return .played(from: heard)
  }
}
