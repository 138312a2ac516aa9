import CPtrace
import Glibc

/// Finds the pages that a process has touched, by /proc/PID/pagemap.
enum TouchedPages {
  private static let page: UInt64 = 4096

  /// The parts of a mapping that have pages, in order.
  ///
  /// - Parameter isOwn: true to leave out pages that are unchanged from their file.
  static func runs(_ start: UInt64, _ end: UInt64, of process: Int32, isOwn: Bool) -> [Range<UInt64>] {
    let file = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [start..<end] }
    defer { close(file) }
    return scanned(start, end, file, isOwn: isOwn) ?? listed(start, end, file, isOwn: isOwn)
  }

  /// From the kernel's own scan, which skips untouched memory, even terabytes. Nil before Linux 6.7.
  private static func scanned(_ start: UInt64, _ end: UInt64, _ file: Int32, isOwn: Bool) -> [Range<UInt64>]? {
    var runs: [Range<UInt64>] = []
    var found = [cptrace_run](repeating: cptrace_run(), count: 1 << 10)
    var address = start
    while address < end {
      let count = cptrace_touched(file, &address, end, isOwn ? 1 : 0, &found, Int32(found.count))
      if count < 0 { return nil }
      for run in found[..<Int(count)] { runs.join(run.start..<run.end) }
    }
    return runs
  }

  /// From the list of all pages, touched or not.
  private static func listed(_ start: UInt64, _ end: UInt64, _ file: Int32, isOwn: Bool) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    var entries = [UInt64](repeating: 0, count: 1 << 13)
    var address = start
    while address < end {
      let wanted = min(entries.count, Int((end - address) / page))
      let count = pread(file, &entries, wanted * 8, Int(address / page) * 8) / 8
      if count <= 0 { return runs + [address..<end] }
      for index in 0..<count {
        guard entries[index] >> 62 != 0 else { continue }  // present, or swapped out
        if isOwn, entries[index] >> 61 & 1 == 1 { continue }  // a page of a file
        let place = address + UInt64(index) * page
        runs.join(place..<place + page)
      }
      address += UInt64(count) * page
    }
    return runs
  }
}

extension [Range<UInt64>] {
  /// Appends a range, joining it with the last one if they are adjacent.
  mutating func join(_ range: Range<UInt64>) {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
