#if arch(arm64)
  extension SnapshotCode {
    /// True if the code can return a thread to an address: a branch without a register reaches 128 MB.
    static func leads(from place: UInt64, to address: UInt64) -> Bool {
      abs(Int64(bitPattern: address &- place)) < 127 << 20
    }

    /// - Parameters:
    ///   - address: the code's address, a multiple of 8.
    ///   - state: the registers to return with.
    ///   - mask: the thread's signal mask.
    init(at address: UInt64, returningTo state: Registers, mask: UInt64) {
      let raw = state.raw
      // The data: the values to restore. A call changes no register but x0, and the code no flag.
      let changed = [
        raw.regs.0, raw.regs.1, raw.regs.2, raw.regs.3, raw.regs.4, raw.regs.8, raw.regs.9,
      ]
      let numbers: [UInt32] = [0, 1, 2, 3, 4, 8, 9]
      var data = Self.signature
      for word in changed + [mask] { data += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      let words = address + UInt64(Self.signature.count)
      let maskPlace = words + UInt64(changed.count) * 8
      var code = Assembler(origin: address + UInt64(data.count))

      code.move(37, to: 0)  // PR_GET_CHILD_SUBREAPER
      code.clear(2...4)
      code.append(0xD104_03E1)  // sub x1, sp, #256
      code.call(167)  // prctl
      afterQuestion = code.here
      let refused = code.jump(0x3500_0000)  // cbnz w0, restore
      code.append(0xB850_03E0)  // ldur w0, [sp, #-256]
      let adopts = code.jump(0x3500_0000)  // cbnz w0, restore
      code.move(0x700, to: 0)  // CLONE_VM|CLONE_FS|CLONE_FILES
      code.clear(1...4)
      code.call(220)  // clone
      afterClone = code.here
      let toChild = code.jump(0x3400_0000)  // cbz w0, child
      code.append(0x36F8_0040)  // tbz w0, #31, over the next
      let toRestore = code.jump(0x1400_0000)  // b restore
      code.append(0x2A00_03E9)  // mov w9, w0: whom to wait for, kept over the call
      let again = code.here
      code.append(0x2A09_03E0)  // mov w0, w9
      code.move(0, to: 1)
      code.append(0x52A8_0002)  // mov w2, #__WALL
      code.move(0, to: 3)
      code.call(260)  // wait4
      afterWait = code.here
      code.append(0x1100_1001)  // add w1, w0, #4
      code.jump(0x3400_0001, back: again)  // cbz w1, again: -EINTR
      for jump in [refused, adopts, toRestore] { code.land(jump) }
      code.move(2, to: 0)  // SIG_SETMASK
      code.load(0x1000_0001, from: maskPlace)  // adr x1, mask
      code.move(0, to: 2)
      code.move(8, to: 3)
      code.call(135)  // rt_sigprocmask
      for (index, number) in numbers.enumerated() {
        code.load(0x5800_0000 | number, from: words + UInt64(index) * 8)  // ldr xN, …
      }
      code.jump(0x1400_0000, back: raw.pc)  // b pc
      code.land(toChild)
      code.move(0x600, to: 0)  // CLONE_FS|CLONE_FILES
      code.clear(1...4)
      code.call(220)  // clone
      code.move(0, to: 0)
      code.call(93)  // exit: the go-between and the twin alike

      entry = address + UInt64(data.count)
      bytes = data + code.bytes
      precondition(bytes.count <= Self.size, "the code has \(bytes.count) bytes")
    }
  }

  /// Assembles instructions, with jumps and loads relative to themselves.
  private struct Assembler {
    let origin: UInt64
    private var instructions: [UInt32] = []

    init(origin: UInt64) { self.origin = origin }

    var here: UInt64 { origin + UInt64(instructions.count) * 4 }

    var bytes: [UInt8] {
      instructions.flatMap { instruction in (0..<4).map { UInt8(truncatingIfNeeded: instruction >> ($0 * 8)) } }
    }

    mutating func append(_ instruction: UInt32) { instructions.append(instruction) }

    /// movz wN, #value
    mutating func move(_ value: UInt32, to register: UInt32) { append(0x5280_0000 | value << 5 | register) }

    /// Clears the registers of arguments that a call does not use.
    mutating func clear(_ registers: ClosedRange<UInt32>) { for register in registers { move(0, to: register) } }

    mutating func call(_ number: UInt32) {
      move(number, to: 8)
      append(0xD400_0001)  // svc #0
    }

    /// Appends `ldr` of a literal, or `adr`, with the distance. That of `adr` is in bytes, but its lower two bits,
    /// which are 0 here, are encoded elsewhere: both instructions have the distance in words at the same place.
    mutating func load(_ instruction: UInt32, from address: UInt64) {
      append(instruction | (distance(to: address) & 0x7_FFFF) << 5)
    }

    mutating func jump(_ instruction: UInt32, back target: UInt64) {
      append(Self.jump(instruction, distance(to: target)))
    }

    /// Appends a forward jump, and returns the index of its instruction.
    mutating func jump(_ instruction: UInt32) -> Int {
      append(instruction)
      return instructions.count - 1
    }

    mutating func land(_ place: Int) {
      instructions[place] = Self.jump(instructions[place], UInt32(instructions.count - place))
    }

    /// The distance from the next instruction, in words.
    private func distance(to target: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: Int64(bitPattern: target &- here) >> 2)
    }

    /// `b` has 26 bits for the distance, `cbz` and `cbnz` have 19, before the register.
    private static func jump(_ instruction: UInt32, _ distance: UInt32) -> UInt32 {
      instruction == 0x1400_0000 ? instruction | distance & 0x3FF_FFFF : instruction | (distance & 0x7_FFFF) << 5
    }
  }
#endif
