import CPtrace
import Glibc

/// A copy-on-write copy of a process, held before its first instruction: its memory is that of one moment, and can be
/// read while the process continues. It ends with this tool.
final class Twin {
  let process: Int32

  private init(_ process: Int32) { self.process = process }

  deinit {
    kill(process, SIGKILL)
    // The tracer is notified first; only then may the system's reaper of orphans have it.
    var status: Int32 = 0
    while cptrace_poll(process, &status) == 0 { sched_yield() }
  }

  /// Has a thread of the process make its twin, see `SnapshotCode`. Nil when that is not possible here, so that memory
  /// has to be copied while the process is stopped. The process is unchanged in any case.
  static func of(_ stopped: StoppedProcess, mappings: [Mapping]) throws(CaptureError) -> Twin? {
    let files = ProcessFiles(stopped.process)
    // A system call filter may kill a program when one of its threads calls clone. To ask takes longer than to stop a
    // thread, and all of them stand still meanwhile: no more are asked than have to be.
    let threads = stopped.threads.lazy.filter { $0.registers.canLeave && files.isUnfiltered($0.number) }
    guard !stopped.isGroupStopped,
      // The first process of a container would have to reap the twin, since it adopts orphans.
      !files.isFirstOfContainer,
      let thread = threads.first(where: { $0.registers.isInSystemCall }) ?? threads.first,
      let place = CodePadding.find(mappings, of: stopped, for: thread)
    else { return nil }
    var birth = try Birth(stopped, thread, place)
    return try birth.run()
  }

  /// The progress of one thread through the code.
  private struct Birth {
    let stopped: StoppedProcess
    let thread: Int32
    let original: Registers
    let mask: UInt64
    let code: SnapshotCode
    let place: UInt64
    /// The go-between and its child, while only this knows of them; else 0.
    var goBetween: Int32 = 0
    var newborn: Int32 = 0
    var twin: Twin?

    init(_ stopped: StoppedProcess, _ chosen: StoppedProcess.Thread, _ place: UInt64) throws(CaptureError) {
      self.stopped = stopped
      self.place = place
      thread = chosen.number
      original = chosen.registers
      var mask: UInt64 = 0
      if cptrace_get_signal_mask(thread, &mask) < 0 { throw ProcessFiles.gone(stopped.process) }
      self.mask = mask
      code = SnapshotCode(at: place, returningTo: original.resumed(), mask: mask)
    }

    mutating func run() throws(CaptureError) -> Twin? {
      guard write(code.bytes) else {
        erase()
        return nil
      }
      // From here on the thread returns by itself. Only now are signals blocked: they wait in the kernel with all their
      // data, and the code restores the thread's mask.
      guard original.moved(to: code.entry).write(to: thread) >= 0 else { throw ProcessFiles.gone(stopped.process) }
      _ = cptrace_set_signal_mask(thread, .max)
      _ = cptrace_set_options(thread, UInt64(cptrace_trace_clone | cptrace_mark_calls))
      stopped.watch.allow(CaptureLimits.twinSeconds)
      do throws(CaptureError) {
        if try passCalls() { try stopAndRestore() }
      } catch {
        endUnfinished()
        throw error
      }
      erase()
      return twin
    }

    /// Ends what was not made to the end: otherwise the go-between would stay stopped as long as this tool lives, and
    /// the thread that waits for it with it.
    private func endUnfinished() {
      stopped.watch.allow(CaptureLimits.stopSeconds)
      for process in [goBetween, newborn] where process > 0 {
        kill(process, SIGKILL)
        while let event = stopped.watch.trappedInTime(process), event != .ended {}
      }
    }

    /// Continues from system call to system call, until the go-between has ended or could not be made. Returns true if
    /// the thread is still in the code; otherwise it has returned by itself.
    private mutating func passCalls() throws(CaptureError) -> Bool {
      var delivered: Int32 = 0
      while true {
        _ = cptrace_continue_to_syscall(thread, delivered)
        delivered = 0
        switch try stopped.watch.next(thread) {
        case .clone: try handleClone()
        case .ended: throw ProcessFiles.gone(stopped.process)
        case .signal(let number): delivered = number  // SIGSTOP, which no mask holds off
        case .call:
          let now = try Registers(of: thread)
          let result = now.systemCallResult
          let size = UInt64(SnapshotCode.size)
          guard (place..<place + size).contains(now.programCounter) else {
            _ = cptrace_set_options(thread, 0)
            return false
          }
          if now.programCounter == code.afterQuestion, result != Int64(-ENOSYS), try adoptsOrphans(now) { return true }
          // On entry to a call the result is -ENOSYS. In a container processes have other numbers than here.
          if now.programCounter == code.afterClone, result < 0, result != Int64(-ENOSYS) { return true }
          // ECHILD: the program itself waits for all children, and was faster.
          if now.programCounter == code.afterWait, result > 0 || result == Int64(-ECHILD) { return true }
        case .trap, .groupStop: break
        }
      }
    }

    /// The result of the call for subreapers; true also when it failed.
    private func adoptsOrphans(_ now: Registers) throws(CaptureError) -> Bool {
      var answer: Int32 = 1
      let place = now.stackPointer - SnapshotCode.adoptsDepth
      guard cptrace_read(thread, place, &answer, 4) == 4 else { throw ProcessFiles.gone(stopped.process) }
      return now.systemCallResult != 0 || answer != 0
    }

    private mutating func handleClone() throws(CaptureError) {
      goBetween = try child(of: thread)
      // The go-between and its child are traced by this tool.
      let bound = UInt64(cptrace_trace_clone | cptrace_exit_kill)
      _ = try stopped.watch.trapped(goBetween)
      _ = cptrace_set_options(goBetween, bound)
      _ = cptrace_continue(goBetween, 0)
      if case .clone = try stopped.watch.trapped(goBetween) {
        newborn = try child(of: goBetween)
        if case .trap = try stopped.watch.trapped(newborn) { twin = Twin(newborn) }
        newborn = 0
        _ = cptrace_continue(goBetween, 0)
      }
      // Its end is reported to the tracer first, then to its parent, which waits for it.
      while try stopped.watch.trapped(goBetween) != .ended { _ = cptrace_continue(goBetween, 0) }
      goBetween = 0
    }

    private func child(of parent: Int32) throws(CaptureError) -> Int32 {
      var number: UInt64 = 0
      guard cptrace_event_message(parent, &number) >= 0, number > 0 else { throw ProcessFiles.gone(stopped.process) }
      return Int32(number)
    }

    /// Stops the thread where the kernel repeats interrupted calls, and restores exactly the old state. The mask comes
    /// first: until the registers are restored, the code would still set both.
    private func stopAndRestore() throws(CaptureError) {
      _ = cptrace_interrupt(thread)
      _ = cptrace_continue(thread, 0)
      var event = try stopped.watch.trapped(thread)
      while event != .trap && event != .groupStop {
        if event == .ended { throw ProcessFiles.gone(stopped.process) }
        _ = cptrace_continue(thread, 0)
        event = try stopped.watch.trapped(thread)
      }
      _ = cptrace_set_options(thread, 0)
      _ = cptrace_set_signal_mask(thread, mask)
      _ = original.write(to: thread)
    }

    /// The signature is written first, and erased last, so that any remains of the code are recognised by it. Returns
    /// true if all was written: a thread must not be sent to anything else.
    private func write(_ bytes: [UInt8]) -> Bool {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        var word: UInt64 = 0
        for byte in 0..<min(8, bytes.count - offset) { word |= UInt64(bytes[offset + byte]) << (byte * 8) }
        guard cptrace_write_word(thread, place + UInt64(offset), word) >= 0 else { return false }
      }
      var written = [UInt8](repeating: 0, count: bytes.count)
      let count = cptrace_read(thread, place, &written, UInt64(bytes.count))
      return count == Int64(bytes.count) && written == bytes
    }

    private func erase() {
      for offset in stride(from: 0, to: code.bytes.count, by: 8).reversed() {
        _ = cptrace_write_word(thread, place + UInt64(offset), 0)
      }
    }
  }
}
