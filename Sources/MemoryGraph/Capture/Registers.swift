import CPtrace
import Glibc

/// A stopped thread's registers. All that depends on the processor stands in this file and in `SnapshotCode.swift`.
public struct Registers: @unchecked Sendable {
  var raw = user_regs_struct()

  init(of thread: Int32) throws(CaptureError) {
    var code = cptrace_get_registers(thread, &raw)
    #if arch(arm64)
      if code >= 0 { code = cptrace_get_thread_pointer(thread, &threadPointer) }
    #endif
    if code < 0 { throw ProcessFiles(thread).refusal(-code) }
  }

  /// Those that a thread has written down itself.
  /// - Parameters:
  ///   - place: a `user_regs_struct`.
  ///   - pointer: its thread pointer.
  init(at place: UnsafeRawPointer, threadPointer pointer: UInt64) {
    memcpy(&raw, place, MemoryLayout<user_regs_struct>.size)
    #if arch(arm64)
      threadPointer = pointer
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
    var programCounter: UInt64 { raw.rip }
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
    public var isInSystemCall: Bool { false }
    var is64Bit: Bool { raw.pstate & 0x10 == 0 }
    func resumed() -> Registers { self }
    func moved(to address: UInt64) -> Registers {
      var next = self
      next.raw.pc = address
      return next
    }
    var systemCallResult: Int64 { Int64(bitPattern: raw.regs.0) }
    var programCounter: UInt64 { raw.pc }
  #endif
}
