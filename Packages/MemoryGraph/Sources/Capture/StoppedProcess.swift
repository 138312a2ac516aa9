import CPtrace
import Glibc
import Lifecycle
import Synchronization

/// A process with all threads stopped, until it is resumed or this tool ends.
///
/// The kernel resumes a process when its tracer ends, at any moment: nothing here sets PTRACE_O_EXITKILL.
final class StoppedProcess {
  typealias Thread = Snapshot.Thread

  let process: Int32
  let watch: StopWatch
  private(set) var threads: [Thread] = []
  /// A live thread of the process: the first may have ended before the others.
  var living: Int32 { threads.first?.number ?? process }
  /// True if a signal had stopped it before.
  private(set) var isGroupStopped = false
  /// The threads traced by this tool. One that does not stop cannot be released either.
  private var seized: Set<Int32> = []
  /// The threads known to have stopped: the kernel reports it once.
  private var trapped: Set<Int32> = []
  /// The threads that have not stopped in time, with their process. Each will stop when it returns from the kernel, and
  /// only this tool can release it.
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
          // Another look may be under way, which takes some milliseconds.
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

  /// Stops thread after thread. A running one may start others, so the list is read again until there are no new ones.
  /// Returns a thread that does not stop in time; nil when all are stopped.
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

  /// Resumes all threads. Returns the seconds for which the process was stopped.
  @discardableResult
  func resume() -> Double {
    seized = seized.filter { !(trapped.contains($0) && cptrace_detach($0, 0) >= 0) && !Self.letGo($0) }
    trapped = []
    threads = []
    isGroupStopped = false
    let time = SystemTime()
    let stopped = time.uptime - startedAt
    // Some may just be about to stop, as requested.
    let deadline = time.uptime + Double(CaptureLimits.stopPause) / 1000
    while !seized.isEmpty, time.uptime < deadline {
      poll(nil, 0, 1)
      seized = seized.filter { !Self.letGo($0) }
    }
    return stopped
  }

  // MARK: Threads that stop late

  /// Releases a thread that has stopped or ended meanwhile. A signal for which it has stopped is delivered.
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

  /// Releases the threads that have stopped meanwhile. To be called now and then by the tracing thread, as long as it
  /// returns true.
  static func letLateGo() -> Bool {
    late.withLock { late in
      late = late.filter { !letGo($0.key) }
      return !late.isEmpty
    }
  }

  /// True if the process' first thread is one of these: its stop would then be reported to whoever waits for its end.
  static func isLate(_ process: Int32) -> Bool { late.withLock { $0[process] != nil } }
}
