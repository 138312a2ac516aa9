import CPtrace
import Glibc

/// A stopped thread's registers. All code that depends on the processor is in this file, in `AddressSpace.swift`,
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

  /// The registers in a core file.
  /// - Parameters:
  ///   - place: a `user_regs_struct`.
  ///   - pointer: the thread pointer, where it is not among them.
  ///   - memory: where its instructions can be read.
  init(inFile place: UnsafeRawPointer, threadPointer pointer: UInt64, _ memory: some MemorySource) {
    memcpy(&raw, place, MemoryLayout<user_regs_struct>.size)
    #if arch(arm64)
      threadPointer = pointer
      _ = memory.read(raw.pc &- 4, 8, into: &instructions)
    #endif
  }

  /// The registers that a thread has stored itself in a signal handler, which do not tell if it was in a system call.
  init(at place: UnsafeRawPointer, threadPointer pointer: UInt64, _ memory: some MemorySource) {
    self.init(inFile: place, threadPointer: pointer, memory)
    #if arch(x86_64)
      // Before a call to be repeated, or after one, whose address the processor has left in rcx.
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
      (0..<bytes.count / 8).map { bytes.word($0 * 8) }
    }
  }

  #if arch(x86_64)
    public var stackPointer: UInt64 { raw.rsp }
    /// The C library's data of the thread.
    public var threadPointer: UInt64 { raw.fs_base }
    /// The range of thread-local variables: below the thread pointer (variant II of the ELF TLS ABI).
    func variables(_ bytes: UInt64) -> Range<UInt64> { max(threadPointer, bytes) - bytes..<max(threadPointer, bytes) }
    /// Bytes below the stack pointer that functions may use (the ABI's red zone).
    public static let redZone: UInt64 = 128
    /// True if the thread waits in the kernel.
    public var isInSystemCall: Bool { Int64(bitPattern: raw.orig_rax) >= 0 }
    /// The number of its system call; nil when the thread is in none, or when unknown.
    public var systemCall: UInt64? { isInSystemCall && raw.orig_rax != Self.someCall ? raw.orig_rax : nil }
    /// Stands for an unknown number.
    private static let someCall: UInt64 = 1 << 62
    /// The system calls of an allocator: mmap, mprotect, munmap, brk, mremap, madvise, prctl, futex and
    /// restart_syscall.
    public static let memoryCalls: Set<UInt64> = [9, 10, 11, 12, 25, 28, 157, 202, 219]
    /// True if running our code changes nothing of the thread's state.
    var canLeave: Bool { true }
    /// A 32-bit process has another code segment.
    var is64Bit: Bool { raw.cs == 0x33 }

    /// The state in which the thread would have continued without the stop: the kernel repeats an interrupted system
    /// call (kernel/signal.c, arch_do_signal_or_restart).
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

    /// The same thread, about to run code at another address.
    func moved(to address: UInt64) -> Registers {
      var next = self
      next.raw.rip = address
      next.raw.orig_rax = .max
      return next
    }

    var systemCallResult: Int64 { Int64(bitPattern: raw.rax) }
    public var programCounter: UInt64 { raw.rip }
    /// The code that a signal handler returns to: mov $15, %rax (rt_sigreturn); its first bytes.
    public static let signalReturn: UInt64 = 0x0F00_0000_0FC0_C748
  #elseif arch(arm64)
    public var stackPointer: UInt64 { raw.sp }
    /// TPIDR_EL0, which is in a register set of its own (NT_ARM_TLS).
    public private(set) var threadPointer: UInt64 = 0
    /// The range of thread-local variables: from the thread pointer on (variant I of the ELF TLS ABI).
    func variables(_ bytes: UInt64) -> Range<UInt64> {
      let start = min(threadPointer, .max - 2 * bytes)
      return start..<start + bytes
    }
    public static let redZone: UInt64 = 0
    /// The instructions before and at the program counter; 0 where they cannot be read.
    private var instructions: (UInt32, UInt32) = (0, 0)
    private static let systemCall: UInt32 = 0xD400_0001  // svc #0

    /// True if the thread was in the kernel, which sets the program counter at once: to the call again, to repeat it,
    /// or behind it.
    public var isInSystemCall: Bool { repeatsCall || instructions.0 == Self.systemCall }
    private var repeatsCall: Bool { instructions.1 == Self.systemCall }

    /// The number of its system call; nil when the thread is in none.
    public var systemCall: UInt64? { isInSystemCall ? raw.regs.8 : nil }
    /// The system calls of an allocator: futex, restart_syscall, prctl, brk, munmap, mremap, mmap, mprotect, madvise.
    public static let memoryCalls: Set<UInt64> = [98, 128, 167, 214, 215, 216, 222, 226, 233]

    /// True if running our code changes nothing of the thread's state.
    ///
    /// For a call that waits for a period, only the kernel knows the rest: repeated from another address it would start
    /// anew. And within a call, registers of the vector extensions SVE and SME have only 128 bits, so nothing is lost
    /// there.
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

    /// The state in which the thread would have continued without the stop: the kernel has already prepared an
    /// interrupted system call for repetition (arch/arm64/kernel/signal.c, do_signal).
    func resumed() -> Registers { self }

    /// The same thread, about to run code at another address.
    func moved(to address: UInt64) -> Registers {
      var next = self
      next.raw.pc = address
      next.raw.pstate &= ~0xC00  // BTYPE: a branch to the thread's own next instruction is not one to ours
      return next
    }

    /// The result of the call that the thread is just leaving; -ENOSYS on entering one, as on x86_64. Meanwhile x7
    /// tells which of the two it is (arch/arm64/kernel/ptrace.c, report_syscall).
    var systemCallResult: Int64 { raw.regs.7 == 0 ? Int64(-ENOSYS) : Int64(bitPattern: raw.regs.0) }
    public var programCounter: UInt64 { raw.pc }
    /// The kernel's code that a signal handler returns to: mov x8, #139 (rt_sigreturn); svc #0.
    public static let signalReturn: UInt64 = 0xD400_0001_D280_1168
  #endif
}
