import CLinux
import CPtrace
import Glibc
import Lifecycle
import Synchronization

/// Waits for events of traced threads, no longer than `allow` permits. Only the tracing thread may use it.
final class StopWatch {
  enum Event: Equatable {
    /// A requested trap: PTRACE_INTERRUPT, or the start of a traced child.
    case trap
    /// The whole process was stopped by a signal such as SIGSTOP.
    case groupStop
    case clone
    /// The entry to a system call, or its exit.
    case call
    case signal(Int32)
    case ended
  }

  private let time = SystemTime()
  private var seconds = 0.0
  private var deadline = 0.0
  private var childSignal = sigset_t()
  private var oldMask = sigset_t()
  private let oldHandler: (@convention(c) (Int32) -> Void)?

  /// The exit statuses of traced processes, which can be fetched only once.
  private static let ends = Mutex<[Int32: Int32]>([:])
  /// The status as from wait(2).
  static func end(of process: Int32) -> Int32? { ends.withLock { $0[process] } }

  init() {
    // The signal of a stop is blocked, so that none is missed between a check and a wait.
    oldHandler = signal(SIGCHLD, SIG_DFL)
    sigemptyset(&childSignal)
    sigaddset(&childSignal, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &childSignal, &oldMask)
  }

  deinit {
    pthread_sigmask(SIG_SETMASK, &oldMask, nil)
    signal(SIGCHLD, oldHandler)
  }

  /// Sets a limit of so many seconds for all following waits together.
  func allow(_ seconds: Double) {
    self.seconds = seconds
    deadline = time.uptime + seconds
  }

  static func poll(_ thread: Int32) -> Event? {
    var status: Int32 = 0
    let found = cptrace_poll(thread, &status)
    guard found > 0 else { return found < 0 ? .ended : nil }
    let event = Self.event(status)
    if event == .ended { ends.withLock { $0[thread] = status } }
    return event
  }

  /// A thread's next event; nil when none came in time.
  private func look(_ thread: Int32) -> Event? {
    while true {
      if let event = Self.poll(thread) { return event }
      guard time.uptime < deadline else { return nil }
      var pause = timespec(tv_sec: 0, tv_nsec: CaptureLimits.lookPause)
      sigtimedwait(&childSignal, nil, &pause)
    }
  }

  func next(_ thread: Int32) throws(CaptureError) -> Event {
    if let event = look(thread) { return event }
    throw late(thread)
  }

  private func late(_ thread: Int32) -> CaptureError {
    CaptureError(.refused, "Thread \(thread) did not stop within \(seconds) s.")
  }

  /// Waits until a thread is in a requested trap. Signals before it are delivered, as they would have been; a stop of
  /// the whole process is returned, since the thread cannot run.
  func trapped(_ thread: Int32) throws(CaptureError) -> Event {
    guard let event = trappedInTime(thread) else { throw late(thread) }
    return event
  }

  /// The same; nil when the thread does not stop in time.
  func trappedInTime(_ thread: Int32) -> Event? {
    while true {
      guard let event = look(thread) else { return nil }
      guard case .signal(let number) = event else { return event }
      _ = cptrace_continue(thread, number)
    }
  }

  private static func event(_ status: Int32) -> Event {
    guard cptrace_is_stop(status) != 0 else { return .ended }
    let number = cptrace_stop_signal(status)
    switch cptrace_event(status) {
    case Int32(cptrace_event_stop): return number == SIGTRAP ? .trap : .groupStop
    case Int32(cptrace_event_clone): return .clone
    default: return number == Int32(cptrace_call_stop) ? .call : .signal(number)
    }
  }
}
