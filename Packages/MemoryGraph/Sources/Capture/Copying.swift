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
    while address < run.upperBound {
      let rest = run.upperBound - address
      let count: Int64
      if filter == nil || copied < CaptureLimits.wholeBytes {
        count = source.read(address, min(rest, 16 << 20), into: bytes + Int(address - start))
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
        memcpy(bytes + Int(part.lowerBound - start), piece + number * PageFilter.page, part.count)
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

  private mutating func keep(_ part: Range<UInt64>) {
    copied += UInt64(part.count)
    runs.join(part)
  }
}
