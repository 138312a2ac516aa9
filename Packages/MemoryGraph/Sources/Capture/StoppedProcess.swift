import CPtrace
import Glibc
import Lifecycle
import Synchronization

/// A process all of whose threads stand still, until it is resumed or we end.
///
/// The kernel lets a process run on when its tracer ends, at whatever moment: nothing here sets PTRACE_O_EXITKILL.
final class StoppedProcess {
  typealias Thread = Snapshot.Thread

  let process: Int32
  let watch: StopWatch
  private(set) var threads: [Thread] = []
  /// A thread by which the kernel knows the process's memory: the first may have ended before the others.
  var living: Int32 { threads.first?.number ?? process }
  /// Stopped by a signal already before we came.
  private(set) var isGroupStopped = false
  /// Traced by us. One that does not stop cannot be let go either.
  private var seized: Set<Int32> = []
  /// Those that have stopped, as we know: the kernel tells it once.
  private var trapped: Set<Int32> = []
  /// The process of each thread that has not stopped while we wanted it to. It will, when it comes back from the
  /// kernel, and nobody but we can let it go.
  private static let late = Mutex<[Int32: Int32]>([:])
  private var startedAt = SystemTime().uptime

  init(_ process: Int32) throws(CaptureError) {
    self.process = process
    watch = StopWatch()
    seized = Self.late.withLock { late in
      defer { late = late.filter { $0.value != process } }
      return Set(late.filter { $0.value == process }.keys)
    }
    do throws(CaptureError) {
      for attempt in 1... {
        let refusal: CaptureError
        do throws(CaptureError) {
          guard let late = try stopAll() else { return }
          refusal = Self.refusal(process, late)
        } catch {
          // Another look, which takes some milliseconds, may be under way.
          guard ProcessFiles(process).isTracedByOthers else { throw error }
          refusal = error
        }
        resume()
        guard attempt < CaptureLimits.stopAttempts else { throw refusal }
        if seized.isEmpty { poll(nil, 0, CaptureLimits.stopPause) }
      }
    } catch {
      resume()
      leaveLate()
      throw error
    }
  }

  private static func refusal(_ process: Int32, _ thread: Int32) -> CaptureError {
    CaptureError(
      .refused,
      """
      Process \(process) does not stand still: thread \(thread) did not stop within \(CaptureLimits.stopSeconds) s, \
      \(CaptureLimits.stopAttempts) times. It waits in the kernel, for the end of a vfork, for a disk or for a file \
      system in the network; try again when it has come back.
      """)
  }

  deinit {
    resume()
    leaveLate()
  }

  /// Stops thread after thread. One that still runs may start others, so the list is read again until nothing is new.
  /// Answers the thread that does not stop in time; nil when all stand still.
  private func stopAll() throws(CaptureError) -> Int32? {
    let files = ProcessFiles(process)
    var known: Set<Int32> = []
    startedAt = SystemTime().uptime
    watch.allow(CaptureLimits.stopSeconds)
    while true {
      let new = files.threads.filter { !known.contains($0) }
      if new.isEmpty { break }
      for thread in new where !seized.contains(thread) {
        let code = cptrace_seize(thread, 0)
        if code == -ESRCH || code == -EPERM && files.isGone(thread) { continue }
        if code < 0 { throw files.refusal(-code) }
        seized.insert(thread)
        _ = cptrace_interrupt(thread)
      }
      if seized.isDisjoint(with: new) { break }
      for thread in new where seized.contains(thread) {
        known.insert(thread)
        guard let event = watch.trappedInTime(thread) else { return thread }
        if event == .ended {
          seized.remove(thread)
          continue
        }
        trapped.insert(thread)
        if event == .groupStop { isGroupStopped = true }
        let registers = try Registers(of: thread)
        let vectors = try VectorRegisters.words(of: thread, isInCall: registers.isInSystemCall)
        threads.append(Thread(number: thread, registers: registers, vectors: vectors))
      }
    }
    guard let first = threads.first else { throw files.refusal(ESRCH) }
    guard first.registers.is64Bit else {
      throw CaptureError(.unsupported, "Process \(process) is a program of 32 bits; 64 bits are accepted.")
    }
    return nil
  }

  /// Lets every thread run on. Answers the seconds that the process stood still.
  @discardableResult
  func resume() -> Double {
    seized = seized.filter { !(trapped.contains($0) && cptrace_detach($0, 0) >= 0) && !Self.letGo($0) }
    trapped = []
    threads = []
    isGroupStopped = false
    let time = SystemTime()
    let stopped = time.uptime - startedAt
    // Some may just be about to stop, since we have told them to.
    let deadline = time.uptime + Double(CaptureLimits.stopPause) / 1000
    while !seized.isEmpty, time.uptime < deadline {
      poll(nil, 0, 1)
      seized = seized.filter { !Self.letGo($0) }
    }
    return stopped
  }

  // MARK: Threads that stop late

  /// Lets a thread go that has stopped or ended since. A signal for which it has stopped is delivered.
  private static func letGo(_ thread: Int32) -> Bool {
    switch StopWatch.poll(thread) {
    case nil: false
    case .ended: true
    case .signal(let number): cptrace_detach(thread, number) >= 0
    default: cptrace_detach(thread, 0) >= 0
    }
  }

  private func leaveLate() {
    Self.late.withLock { for thread in seized { $0[thread] = process } }
    seized = []
  }

  /// Lets go who has stopped since. To be called now and then by the thread that has looked, as long as it answers
  /// true: there are others yet.
  static func letLateGo() -> Bool {
    late.withLock { late in
      late = late.filter { !letGo($0.key) }
      return !late.isEmpty
    }
  }

  /// Whether the process's first thread is one of these: then its stop would be told to whoever waits for its end.
  static func isLate(_ process: Int32) -> Bool { late.withLock { $0[process] != nil } }
}
