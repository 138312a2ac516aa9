import CPtrace
import Glibc

/// The instructions that a stopped thread runs for this tool, and the data they need.
///
/// They make a copy-on-write twin of the process and return the thread **without help**: if the tool is killed at any
/// moment, its tracees continue, and this code ends as it would have.
///
///     thread     unless the process adopts orphans (PR_SET_CHILD_SUBREAPER): clone(VM, FS, FILES) makes the
///                go-between; wait for it; then in any case restore mask and registers; jump back
///     go-between clone(FS, FILES) makes the twin; exit
///     twin       exit
///
/// The tool holds the twin at its birth, before its first instruction, and reads it; without the tool it exits at once.
/// The go-between sends no signal when it ends and is waited for, so the program never learns of a child; a process
/// that adopts orphans would have to reap the twin. The go-between and the twin do not use the stack.
struct SnapshotCode {
  /// Bytes of code and data.
  static let size = 448
  /// The first bytes, by which another tool recognises the remains of one that was killed.
  static let signature: [UInt8] = Array("8bells\u{0}\u{1}".utf8)
  let bytes: [UInt8]
  let entry: UInt64
  /// The depth below the stack pointer of the word of 32 bits that tells if the process adopts orphans.
  static let adoptsDepth: UInt64 = 256
  /// The address after the thread's calls.
  let afterQuestion: UInt64
  let afterClone: UInt64
  let afterWait: UInt64

  #if arch(x86_64)
    /// True if the code can return a thread to an address.
    static func leads(from place: UInt64, to address: UInt64) -> Bool { true }

    /// - Parameters:
    ///   - address: the code's address, a multiple of 8.
    ///   - state: the registers to return with.
    ///   - mask: the thread's signal mask.
    init(at address: UInt64, returningTo state: Registers, mask: UInt64) {
      let raw = state.raw
      // The data: the values to restore, in the order of the loads below.
      let words = [
        raw.rax, raw.rcx, raw.rdx, raw.rsi, raw.rdi, raw.r8, raw.r9, raw.r10, raw.r11, raw.rip, raw.eflags, mask,
      ]
      var data = Self.signature
      for word in words { data += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      var code = Assembler(origin: address + UInt64(data.count), data: address + UInt64(Self.signature.count))

      code.append([0xB8, 157, 0, 0, 0])  // mov $prctl, %eax
      code.append([0xBF, 37, 0, 0, 0])  // mov $PR_GET_CHILD_SUBREAPER, %edi
      code.clearArguments()
      code.append([0x48, 0x8D, 0xB4, 0x24, 0x00, 0xFF, 0xFF, 0xFF])  // lea -256(%rsp), %rsi
      code.append([0x0F, 0x05])  // syscall
      afterQuestion = code.here
      code.append([0x85, 0xC0])  // test %eax, %eax
      let refused = code.jump([0x0F, 0x85])  // jnz restore
      code.append([0x83, 0xBC, 0x24, 0x00, 0xFF, 0xFF, 0xFF, 0])  // cmpl $0, -256(%rsp)
      let adopts = code.jump([0x0F, 0x85])  // jne restore
      code.append([0xB8, 56, 0, 0, 0])  // mov $clone, %eax
      code.append([0xBF, 0x00, 0x07, 0, 0])  // mov $CLONE_VM|CLONE_FS|CLONE_FILES, %edi
      code.clearArguments()
      code.append([0x0F, 0x05])  // syscall
      afterClone = code.here
      code.append([0x85, 0xC0])  // test %eax, %eax
      let toChild = code.jump([0x0F, 0x84])  // jz child
      let toRestore = code.jump([0x0F, 0x88])  // js restore
      code.append([0x89, 0xC7])  // mov %eax, %edi: whom to wait for
      code.append([0x41, 0x89, 0xC0])  // mov %eax, %r8d: kept over the call
      let again = code.here
      code.append([0xB8, 61, 0, 0, 0])  // mov $wait4, %eax
      code.append([0x44, 0x89, 0xC7])  // mov %r8d, %edi
      code.append([0x31, 0xF6])  // xor %esi, %esi
      code.append([0xBA, 0, 0, 0, 0x40])  // mov $__WALL, %edx
      code.append([0x45, 0x31, 0xD2])  // xor %r10d, %r10d
      code.append([0x0F, 0x05])  // syscall
      afterWait = code.here
      code.append([0x83, 0xF8, 0xFC])  // cmp $-EINTR, %eax
      code.jump([0x0F, 0x84], back: again)  // je again
      for jump in [refused, adopts, toRestore] { code.land(jump) }
      code.append([0xB8, 14, 0, 0, 0])  // mov $rt_sigprocmask, %eax
      code.append([0xBF, 2, 0, 0, 0])  // mov $SIG_SETMASK, %edi
      code.load([0x48, 0x8D, 0x35], word: 11)  // lea mask(%rip), %rsi
      code.append([0x31, 0xD2])  // xor %edx, %edx
      code.append([0x41, 0xBA, 8, 0, 0, 0])  // mov $8, %r10d
      code.append([0x0F, 0x05])  // syscall
      // The flags are restored through the stack, below the red zone; lea changes no flag.
      code.append([0x48, 0x8D, 0xA4, 0x24, 0x80, 0xFF, 0xFF, 0xFF])  // lea -128(%rsp), %rsp
      code.load([0xFF, 0x35], word: 10)  // push flags(%rip)
      code.append([0x9D])  // popfq
      code.append([0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0])  // lea 128(%rsp), %rsp
      code.load([0x48, 0x8B, 0x05], word: 0)  // mov …, %rax
      code.load([0x48, 0x8B, 0x0D], word: 1)  // %rcx
      code.load([0x48, 0x8B, 0x15], word: 2)  // %rdx
      code.load([0x48, 0x8B, 0x35], word: 3)  // %rsi
      code.load([0x48, 0x8B, 0x3D], word: 4)  // %rdi
      code.load([0x4C, 0x8B, 0x05], word: 5)  // %r8
      code.load([0x4C, 0x8B, 0x0D], word: 6)  // %r9
      code.load([0x4C, 0x8B, 0x15], word: 7)  // %r10
      code.load([0x4C, 0x8B, 0x1D], word: 8)  // %r11
      code.load([0xFF, 0x25], word: 9)  // jmp *pc(%rip)
      code.land(toChild)
      code.append([0xB8, 56, 0, 0, 0])  // mov $clone, %eax
      code.append([0xBF, 0x00, 0x06, 0, 0])  // mov $CLONE_FS|CLONE_FILES, %edi
      code.clearArguments()
      code.append([0x0F, 0x05])  // syscall
      code.append([0xB8, 60, 0, 0, 0])  // mov $exit, %eax: the go-between and the twin alike
      code.append([0x31, 0xFF])  // xor %edi, %edi
      code.append([0x0F, 0x05])  // syscall

      entry = address + UInt64(data.count)
      bytes = data + code.bytes
      precondition(bytes.count <= Self.size, "the code has \(bytes.count) bytes")
    }
  #endif
}

#if arch(x86_64)
  /// Instructions one after another, with jumps and loads relative to themselves.
  private struct Assembler {
    let origin: UInt64
    let data: UInt64
    var bytes: [UInt8] = []

    var here: UInt64 { origin + UInt64(bytes.count) }

    mutating func append(_ instruction: [UInt8]) { bytes += instruction }

    /// The arguments of a call behind the first: none.
    mutating func clearArguments() {
      bytes += [0x31, 0xF6, 0x31, 0xD2, 0x45, 0x31, 0xD2, 0x45, 0x31, 0xC0]  // xor %esi, %edx, %r10d, %r8d
    }

    /// An instruction that ends with a distance to a word of the data.
    mutating func load(_ instruction: [UInt8], word: UInt64) {
      bytes += instruction
      distance(to: data + word * 8)
    }

    mutating func jump(_ instruction: [UInt8], back target: UInt64) {
      bytes += instruction
      distance(to: target)
    }

    /// A forward jump; returns the place of its distance.
    mutating func jump(_ instruction: [UInt8]) -> Int {
      bytes += instruction + [0, 0, 0, 0]
      return bytes.count - 4
    }

    mutating func land(_ place: Int) {
      let distance = UInt32(bytes.count - place - 4)
      for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: distance >> (byte * 8)) }
    }

    private mutating func distance(to target: UInt64) {
      let distance = target &- (here + 4)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: distance >> ($0 * 8)) }
    }
  }
#endif
