import Glibc

/// The copying of a part of a process' memory.
struct Copying {
  let source: any MemorySource
  /// The beginning of the part, and of its copy.
  let start: UInt64
  let bytes: UnsafeMutableRawPointer
  /// Nil to keep all pages.
  var filter: PageFilter?
  /// The bytes of the whole copy.
  var copied: UInt64
  /// The ranges that were copied, and those left out although they are not empty; both in order.
  private(set) var runs: [Range<UInt64>] = []
  private(set) var plain: [Range<UInt64>] = []
  private var verdicts: [PageFilter.Verdict] = []
  private var piece: UnsafeMutableRawPointer?

  init(
    source: any MemorySource, start: UInt64, bytes: UnsafeMutableRawPointer, filter: PageFilter?, copied: UInt64
  ) {
    (self.source, self.start, self.bytes) = (source, start, bytes)
    (self.filter, self.copied) = (filter, copied)
  }

  private static let page = UInt64(PageFilter.page)

  /// Copies a run; false when the process has ended.
  mutating func copy(_ run: Range<UInt64>) -> Bool {
    defer {
      piece?.deallocate()
      piece = nil
    }
    var address = run.lowerBound
    var isRead = false
    while address < run.upperBound {
      let rest = run.upperBound - address
      let count: Int64
      if filter == nil || copied < CaptureLimits.wholeBytes {
        let target = bytes + Int(address - start)
        let wanted = min(rest, 4 << 20)
        // What cannot be read is not to take memory.
        if isRead { Self.populate(target, Int(wanted)) }
        count = source.read(address, wanted, into: target)
        isRead = count == Int64(wanted)
        if count > 0 { keep(address..<address + UInt64(count)) }
      } else {
        count = copyFiltered(address, min(rest, UInt64(CaptureLimits.pieceBytes)))
      }
      if count == Int64(-ESRCH) { return false }
      // A page may exist and not be readable, for example after the end of a file that was truncated.
      if count <= 0 { address = (address & ~(Self.page - 1)) + Self.page } else { address += UInt64(count) }
    }
    return true
  }

  /// Copies piece by piece through memory that stays in the processor's cache: pages left out cost no memory, and
  /// little time.
  private mutating func copyFiltered(_ address: UInt64, _ wanted: UInt64) -> Int64 {
    let piece = self.piece ?? .allocate(byteCount: CaptureLimits.pieceBytes, alignment: PageFilter.page)
    self.piece = piece
    let count = source.read(address, wanted, into: piece)
    guard count > 0 else { return count }
    let pages = Int(count) / PageFilter.page
    filter!.judge(piece, pages: pages, at: address, into: &verdicts)
    var number = 0
    while number < pages {
      let verdict = verdicts[number]
      let end = verdicts[number..<pages].firstIndex { $0 != verdict } ?? pages
      let part = address + UInt64(number) * Self.page..<address + UInt64(end) * Self.page
      switch verdict {
      case .kept:
        let target = bytes + Int(part.lowerBound - start)
        Self.populate(target, part.count)
        memcpy(target, piece + number * PageFilter.page, part.count)
        keep(part)
      case .plain: plain.join(part)
      case .zero: break
      }
      number = end
    }
    // Less than a page, if the next one cannot be read.
    let done = Int64(pages * PageFilter.page)
    if done < count {
      memcpy(bytes + Int(address - start) + Int(done), piece + Int(done), Int(count - done))
      keep(address + UInt64(done)..<address + UInt64(count))
    }
    return count
  }

  /// Has the kernel make many pages at once: one by one, when they are written, takes twice as long. Before Linux 5.14
  /// it is not known, and nothing happens.
  private static func populate(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
    if count >= CaptureLimits.populatedBytes { madvise(bytes, count, populateWrite) }
  }

  /// MADV_POPULATE_WRITE, which older headers of the C library lack.
  private static let populateWrite: Int32 = 23

  private mutating func keep(_ part: Range<UInt64>) {
    copied += UInt64(part.count)
    runs.join(part)
  }
}
