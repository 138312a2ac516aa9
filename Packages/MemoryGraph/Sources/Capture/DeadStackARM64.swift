#if arch(arm64)
  /// The remains of a finished thread that glibc keeps for the next one.
  struct DeadStack {
    /// The end of the thread's memory: its stack, its descriptor and its variables.
    let end: UInt64
    /// The thread's table of dynamic TLS; 0 when it was not found.
    let table: UInt64

    /// The thread's descriptor (`struct pthread`) states the beginning of the stack with its guard, the stack's size,
    /// and the guard's. On this processor it does not contain its own address; behind it are the data that the thread
    /// pointer points to, with the table first, and the variables (variant I of the ELF TLS ABI).
    init?(_ mapping: Mapping, _ memory: MemoryImage) {
      for run in memory.touched(mapping.start, mapping.end) {
        guard let bytes = memory.copy(at: run.lowerBound) else { continue }
        let size = min(bytes.count, run.count, Int(mapping.end - run.lowerBound))
        for offset in stride(from: 0, through: size - 24, by: 8) {
          let start = bytes.word(offset)
          let guardSize = bytes.word(offset + 16)
          guard start < mapping.start, start &+ guardSize == mapping.start else { continue }
          let end = start &+ bytes.word(offset + 8)
          let address = run.lowerBound + UInt64(offset)
          guard end > address, end <= mapping.end else { continue }
          self.end = end
          table = Self.table(behind: address + 24, until: end, memory)
          return
        }
      }
      return nil
    }

    /// The first address of a table: it begins with the number of times that libraries were loaded, and is preceded by
    /// the number of its entries, at the start of the allocator's block (elf/dl-tls.c, allocate_dtv).
    private static func table(behind start: UInt64, until end: UInt64, _ memory: MemoryImage) -> UInt64 {
      for place in stride(from: start, to: min(end, start + reach), by: 8) {
        guard let table = memory.word(place), table & 15 == 0, table > 1 << 16, table >> AddressSpace.bits == 0,
          let loads = memory.half(table), loads < 1 << 20, let entries = memory.word(table - 16),
          (1..<1 << 16).contains(entries)
        else { continue }
        return table
      }
      return 0
    }

    /// Bytes of a descriptor after the fields about its stack; it has some 700.
    private static let reach: UInt64 = 2048
  }
#endif
