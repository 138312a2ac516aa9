import CLinux
public import EventLoop
import Glibc
import Lifecycle
public import Sound

/// Plays sounds on a device or into a file. Each has a thread of its own and opens the device anew: in between nothing
/// is open and nothing wakes up, and a device that was taken away is tried again by the next one. Confined to its loop.
public final class Player: Loudspeaker, @unchecked Sendable {
  private let output: AudioOutput
  private let loop: EventLoop
  private var current: Running?
  /// The threads that still wait for a device that does not answer, with nobody waiting for them.
  private var left = 0

  private struct Running {
    var performance: Performance
    var thread: pthread_t
    var ended: ThreadSignal
    var watching: LoopTimer?
  }

  public init(_ output: AudioOutput, loop: EventLoop) { (self.output, self.loop) = (output, loop) }

  /// Carries the closure over the thread and back; it is used on the loop only.
  private final class Listener: @unchecked Sendable {
    let heard: (PlaybackEvent) -> Void
    init(_ heard: @escaping (PlaybackEvent) -> Void) { self.heard = heard }
  }

  public func play(_ clip: Clip, at instant: Double?, volume: Int, _ heard: @escaping (PlaybackEvent) -> Void) {
    loop.assertCurrent()
    let listener = Listener(heard)
    func fail(_ message: String) {
      loop.execute { listener.heard(.ended(.failed(PlaybackError(message)))) }
    }
    precondition(current == nil, "one sound at a time")
    guard clip.seconds <= PlaybackLimits.soundSeconds else {
      return fail("A sound of more than \(Int(PlaybackLimits.soundSeconds)) s is not played.")
    }
    guard left < PlaybackLimits.leftThreads else { return fail(Self.silence) }
    // As sound servers do it: loudness is heard by its cube root.
    let share = Float(min(100, max(0, volume))) / 100
    let performance = Performance(clip, at: instant, gain: share * share * share, time: loop.time) { [loop] in
      loop.execute { listener.heard(.begins) }
    }
    let ended = ThreadSignal()
    let work = Work(performance: performance, output: output) { [self] end in
      ended.post()
      loop.execute { [self] in
        guard current?.performance === performance else { return left -= 1 }
        join()
        listener.heard(.ended(end))
      }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work).toOpaque()
    let code = pthread_create(&thread, nil, { Work.main($0) }, context)
    guard code == 0 else {
      Unmanaged<Work>.fromOpaque(context).release()
      return fail("No thread for sound: \(String(cString: strerror(code))).")
    }
    current = Running(performance: performance, thread: thread, ended: ended)
    watch(performance, since: 0, listener)
  }

  /// Leaves a sound behind whose thread has done nothing since the last look. A sound server that does not answer holds
  /// it for as long as it likes, while the device opens, plays or closes, and what follows must be heard.
  private func watch(_ performance: Performance, since rounds: Int, _ listener: Listener) {
    current?.watching = loop.schedule(after: PlaybackLimits.stuckSeconds) { [self] in
      guard let current, current.performance === performance else { return }
      guard performance.rounds == rounds else { return watch(performance, since: performance.rounds, listener) }
      performance.stop()
      pthread_detach(current.thread)
      self.current = nil
      left += 1
      listener.heard(.ended(.failed(PlaybackError(Self.silence))))
    }
  }

  private static let silence = "The sound device does not answer."

  public func stop() { current?.performance.stop() }

  /// Ends the sound and its thread. One that waits for a device that does not answer is left behind after a moment.
  public func close() {
    guard let current else { return }
    current.performance.stop()
    guard current.ended.wait(atMost: PlaybackLimits.closeSeconds) else { return }
    join()
  }

  private func join() {
    guard let current else { return }
    current.watching?.cancel()
    pthread_join(current.thread, nil)
    self.current = nil
  }

  /// The work of the thread.
  private final class Work {
    let performance: Performance
    let output: AudioOutput
    let done: (PlaybackEnd) -> Void

    init(performance: Performance, output: AudioOutput, done: @escaping (PlaybackEnd) -> Void) {
      (self.performance, self.output, self.done) = (performance, output, done)
    }

    static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      let work = Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
      clinux_name_thread("sound")
      work.done(work.end())
      return nil
    }

    private func end() -> PlaybackEnd {
      do throws(PlaybackError) {
        switch output {
        case .device(let name): return try performance.perform(on: SoundDevice(name, rate: performance.clip.rate))
        case .file(let path): return try performance.perform(to: path)
        case .off: throw PlaybackError("Sound is switched off here (--audio off).")
        }
      } catch {
        return .failed(error)
      }
    }
  }
}
