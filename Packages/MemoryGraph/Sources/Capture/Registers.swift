import CPtrace
import Glibc

/// A stopped thread's registers. All that depends on the processor stands in this file, in `AddressSpace.swift`,
/// `SnapshotCode….swift`, `VectorRegisters.swift` and `DeadStackARM64.swift`.
public struct Registers: @unchecked Sendable {
  var raw = user_regs_struct()

  init(of thread: Int32) throws(CaptureError) {
    var code = cptrace_get_registers(thread, &raw)
    #if arch(arm64)
      if code >= 0 { code = cptrace_get_thread_pointer(thread, &threadPointer) }
      _ = cptrace_read(thread, raw.pc &- 4, &instructions, 8)
    #endif
    if code < 0 { throw ProcessFiles(thread).refusal(-code) }
  }

  /// Those that a thread has written down itself, in a signal's handler, which is not told whether there was a call.
  /// - Parameters:
  ///   - place: a `user_regs_struct`.
  ///   - pointer: its thread pointer.
  ///   - memory: where its instructions can be read.
  init(at place: UnsafeRawPointer, threadPointer pointer: UInt64, _ memory: some MemorySource) {
    memcpy(&raw, place, MemoryLayout<user_regs_struct>.size)
    #if arch(arm64)
      threadPointer = pointer
      _ = memory.read(raw.pc &- 4, 8, into: &instructions)
    #else
      // It is to repeat a call, or stands behind one, whose place the processor has left in rcx.
      func isCall(_ place: UInt64) -> Bool {
        var code: UInt16 = 0
        return memory.read(place, 2, into: &code) == 2 && code == 0x050F  // syscall
      }
      if isCall(raw.rip) || raw.rcx == raw.rip && isCall(raw.rip &- 2) { raw.orig_rax = Self.someCall }
    #endif
  }

  func write(to thread: Int32) -> Int32 {
    withUnsafePointer(to: raw) { cptrace_set_registers(thread, $0) }
  }

  /// Every word the thread holds in a register.
  public var words: [UInt64] {
    withUnsafeBytes(of: raw) { bytes in
      (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  #if arch(x86_64)
    public var stackPointer: UInt64 { raw.rsp }
    /// Where the C library keeps what belongs to the thread.
    public var threadPointer: UInt64 { raw.fs_base }
    /// Where thread-local variables lie: below the thread pointer (variant II of the ELF TLS ABI).
    func variables(_ bytes: UInt64) -> Range<UInt64> { max(threadPointer, bytes) - bytes..<max(threadPointer, bytes) }
    /// Bytes below the stack pointer that functions may use (the ABI's red zone).
    public static let redZone: UInt64 = 128
    /// Whether the thread waits in the kernel.
    public var isInSystemCall: Bool { Int64(bitPattern: raw.orig_rax) >= 0 }
    /// Its number; nil when the thread is in none, or when that is not known.
    public var systemCall: UInt64? { isInSystemCall && raw.orig_rax != Self.someCall ? raw.orig_rax : nil }
    /// In place of a number that is not known.
    private static let someCall: UInt64 = 1 << 62
    /// Those that an allocator makes: mmap, mprotect, munmap, brk, mremap, madvise, prctl, futex and restart_syscall.
    public static let memoryCalls: Set<UInt64> = [9, 10, 11, 12, 25, 28, 157, 202, 219]
    /// Whether all that the thread has is still there when it has run code of ours.
    var canLeave: Bool { true }
    /// A process of 32 bits has another code segment.
    var is64Bit: Bool { raw.cs == 0x33 }

    /// The state in which the thread would come back to its program if nobody had looked: the kernel repeats an
    /// interrupted system call (kernel/signal.c, arch_do_signal_or_restart).
    func resumed() -> Registers {
      var next = self
      guard isInSystemCall else { return next }
      switch -Int64(bitPattern: raw.rax) {
      case 512, 513, 514:  // ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND
        next.raw.rax = raw.orig_rax
        next.raw.rip -= 2
      case 516:  // ERESTART_RESTARTBLOCK
        next.raw.rax = 219  // restart_syscall
        next.raw.rip -= 2
      default: break
      }
      next.raw.orig_rax = .max
      return next
    }

    /// The same thread about to run code at another address.
    func moved(to address: UInt64) -> Registers {
      var next = self
      next.raw.rip = address
      next.raw.orig_rax = .max
      return next
    }

    var systemCallResult: Int64 { Int64(bitPattern: raw.rax) }
    public var programCounter: UInt64 { raw.rip }
    /// What the C library has a signal's handler come back to: mov $15, %rax (rt_sigreturn); its first bytes.
    public static let signalReturn: UInt64 = 0x0F00_0000_0FC0_C748
  #elseif arch(arm64)
    public var stackPointer: UInt64 { raw.sp }
    /// TPIDR_EL0, which has a register set of its own (NT_ARM_TLS).
    public private(set) var threadPointer: UInt64 = 0
    /// Where thread-local variables lie: from the thread pointer on (variant I of the ELF TLS ABI).
    func variables(_ bytes: UInt64) -> Range<UInt64> {
      let start = min(threadPointer, .max - 2 * bytes)
      return start..<start + bytes
    }
    public static let redZone: UInt64 = 0
    /// What stands before the program counter, and at it; 0 where nothing can be read.
    private var instructions: (UInt32, UInt32) = (0, 0)
    private static let systemCall: UInt32 = 0xD400_0001  // svc #0

    /// Whether the thread was in the kernel, which at once tells it as it will be: at the call again, to repeat it, or
    /// behind it.
    public var isInSystemCall: Bool { repeatsCall || instructions.0 == Self.systemCall }
    private var repeatsCall: Bool { instructions.1 == Self.systemCall }

    /// Its number; nil when the thread is in none.
    public var systemCall: UInt64? { isInSystemCall ? raw.regs.8 : nil }
    /// Those that an allocator makes: futex, restart_syscall, prctl, brk, munmap, mremap, mmap, mprotect, madvise.
    public static let memoryCalls: Set<UInt64> = [98, 128, 167, 214, 215, 216, 222, 226, 233]

    /// Whether all that the thread has is still there when it has run code of ours.
    ///
    /// Of a call that waits for a span of time the kernel knows how much is left, and tells it to nobody: repeated from
    /// a place of ours it would begin anew. And a call takes what a thread has in registers of the vector extensions,
    /// SVE and SME, beyond 128 bits; who is in one has nothing there.
    var canLeave: Bool {
      if repeatsCall {
        switch raw.regs.8 {
        case 101: return false  // nanosleep
        case 115: return raw.regs.1 & 1 != 0  // clock_nanosleep, TIMER_ABSTIME
        case 98: return raw.regs.1 & 0x7F != 0 || raw.regs.3 == 0  // futex, FUTEX_WAIT
        default: return true
        }
      }
      return isInSystemCall || !Self.hasLongVectors
    }
    private static let hasLongVectors = cptrace_has_long_vectors() != 0

    var is64Bit: Bool { raw.pstate & 0x10 == 0 }

    /// The state in which the thread would come back to its program if nobody had looked: the kernel has already
    /// prepared an interrupted system call to be repeated (arch/arm64/kernel/signal.c, do_signal).
    func resumed() -> Registers { self }

    /// The same thread about to run code at another address.
    func moved(to address: UInt64) -> Registers {
      var next = self
      next.raw.pc = address
      next.raw.pstate &= ~0xC00  // BTYPE: a branch to the thread's own next instruction is not one to ours
      return next
    }

    /// What the call has answered that the thread is just leaving; -ENOSYS on the way into one, as on x86_64. Which it
    /// is, x7 says meanwhile (arch/arm64/kernel/ptrace.c, report_syscall).
    var systemCallResult: Int64 { raw.regs.7 == 0 ? Int64(-ENOSYS) : Int64(bitPattern: raw.regs.0) }
    public var programCounter: UInt64 { raw.pc }
    /// What a signal's handler comes back to, of the kernel's: mov x8, #139 (rt_sigreturn); svc #0.
    public static let signalReturn: UInt64 = 0xD400_0001_D280_1168
  #endif
}
