import CPtrace
import Glibc
import Lifecycle

/// A process all of whose threads stand still, until it is resumed or we end.
///
/// The kernel lets a process run on when its tracer ends, at whatever moment: nothing here sets PTRACE_O_EXITKILL.
final class StoppedProcess {
  struct Thread {
    let number: Int32
    let registers: Registers
  }

  let process: Int32
  let watch: StopWatch
  private(set) var threads: [Thread] = []
  /// Stopped by a signal already before we came.
  private(set) var isGroupStopped = false
  private var seized: Set<Int32> = []
  private let startedAt = SystemTime().uptime

  init(_ process: Int32) throws(CaptureError) {
    self.process = process
    watch = StopWatch()
    do throws(CaptureError) {
      try stopAll()
    } catch {
      resume()
      throw error
    }
  }

  deinit { resume() }

  /// Stops thread after thread. One that still runs may start others, so the list is read again until nothing is new.
  private func stopAll() throws(CaptureError) {
    let files = ProcessFiles(process)
    watch.allow(CaptureLimits.stopSeconds)
    while true {
      let new = files.threads.filter { !seized.contains($0) }
      if new.isEmpty { break }
      for thread in new {
        let code = cptrace_seize(thread, 0)
        if code == -ESRCH { continue }
        if code < 0 { throw files.refusal(-code) }
        seized.insert(thread)
        _ = cptrace_interrupt(thread)
      }
      if seized.isDisjoint(with: new) { break }
      for thread in new where seized.contains(thread) {
        switch try watch.trapped(thread) {
        case .ended: seized.remove(thread)
        case .groupStop:
          isGroupStopped = true
          threads.append(Thread(number: thread, registers: try Registers(of: thread)))
        default: threads.append(Thread(number: thread, registers: try Registers(of: thread)))
        }
      }
    }
    guard let first = threads.first else { throw ProcessFiles.gone(process) }
    guard first.registers.is64Bit else {
      throw CaptureError(.unsupported, "Process \(process) is a program of 32 bits; 64 bits are accepted.")
    }
  }

  /// Lets every thread run on. Answers the seconds that the process stood still.
  @discardableResult
  func resume() -> Double {
    for thread in seized { _ = cptrace_detach(thread, 0) }
    seized = []
    return SystemTime().uptime - startedAt
  }
}
