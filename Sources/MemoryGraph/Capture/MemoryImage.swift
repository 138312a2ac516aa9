import CPtrace
import Glibc

/// What was in a process's memory at one moment: a copy of all it may write, and the rest on demand.
///
/// Not to be shared between threads.
public final class MemoryImage {
  private struct Region {
    let start: UInt64
    let end: UInt64
    let bytes: UnsafeMutableRawPointer
    /// What was copied, in order; between it there are zeros.
    let runs: [Range<UInt64>]
  }
  private var regions: [Region] = []
  private var pages: [UInt64: UnsafeMutableRawPointer] = [:]
  private var source: Int32?
  /// It ended before all was read: what is missing is not known to be zero, or to be no type.
  private var isGone = false
  /// Of the copy, in bytes.
  public private(set) var copied: UInt64 = 0

  private static let page = AddressSpace.page

  init(of process: Int32) { source = process }

  deinit {
    for region in regions { munmap(region.bytes, Int(region.end - region.start)) }
    for page in pages.values { page.deallocate() }
  }

  // MARK: Copying

  /// Copies what is there between two addresses; both at pages' edges.
  ///
  /// - Parameters:
  ///   - process: whose memory it is; by default that of the image.
  ///   - toucher: a process; pages that it has never touched are left out and count as zero. nil copies all.
  ///   - isOwn: leaves out what is still as in a file, too.
  func copy(
    _ start: UInt64, _ end: UInt64, of process: Int32? = nil, touchedBy toucher: Int32?, isOwn: Bool = false
  ) throws(CaptureError) {
    guard let process = process ?? source, end > start else { return }
    let size = Int(end - start)
    let protection = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
    guard let bytes = mmap(nil, size, PROT_READ | PROT_WRITE, protection, -1, 0), bytes != MAP_FAILED else {
      throw CaptureError(.refused, "No memory for a copy of \(size) bytes: \(String(cString: strerror(errno))).")
    }
    let runs = toucher.map { touchedRuns(start, end, of: $0, isOwn: isOwn) } ?? [start..<end]
    regions.append(Region(start: start, end: end, bytes: bytes, runs: runs))
    for run in runs {
      var address = run.lowerBound
      while address < run.upperBound {
        let count = cptrace_read(
          process, address, bytes + Int(address - start), min(run.upperBound - address, 1 << 30))
        if count == Int64(-ESRCH) { throw Self.gone }
        // A page may be there and not be readable: behind the end of a file that became shorter, for example.
        if count <= 0 { address = (address & ~(Self.page - 1)) + Self.page } else { address += UInt64(count) }
        copied += UInt64(max(0, count))
      }
    }
  }

  /// The parts of a mapping that have pages, by /proc/PID/pagemap.
  private func touchedRuns(_ start: UInt64, _ end: UInt64, of process: Int32, isOwn: Bool) -> [Range<UInt64>] {
    let file = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [start..<end] }
    defer { close(file) }
    var runs: [Range<UInt64>] = []
    var entries = [UInt64](repeating: 0, count: 1 << 13)
    var address = start
    while address < end {
      let wanted = min(entries.count, Int((end - address) / Self.page))
      let count = pread(file, &entries, wanted * 8, Int(address / Self.page) * 8) / 8
      if count <= 0 { return runs + [address..<end] }
      for index in 0..<count {
        let page = address + UInt64(index) * Self.page
        guard entries[index] >> 62 != 0 else { continue }  // present, or swapped out
        if isOwn, entries[index] >> 61 & 1 == 1 { continue }  // a page of a file
        if let last = runs.last, last.upperBound == page {
          runs[runs.count - 1] = last.lowerBound..<page + Self.page
        } else {
          runs.append(page..<page + Self.page)
        }
      }
      address += UInt64(count) * Self.page
    }
    return runs
  }

  func seal() { regions.sort { $0.start < $1.start } }

  /// The process is not asked any more; what was not read by now stays unknown. Throws when it had ended before.
  public func release() throws(CaptureError) {
    source = nil
    if isGone { throw Self.gone }
  }

  private static var gone: CaptureError {
    CaptureError(.gone, "The process has ended while it was read.")
  }

  /// Lets go of the whole pages of a part of the copy, which read as zero then.
  public func drop(_ range: Range<UInt64>) {
    let start = (range.lowerBound &+ (Self.page - 1)) & ~(Self.page - 1)
    let end = range.upperBound & ~(Self.page - 1)
    guard start < end, let index = region(start), end <= regions[index].end else { return }
    madvise(regions[index].bytes + Int(start - regions[index].start), Int(end - start), MADV_DONTNEED)
  }

  // MARK: Reading

  /// The copied bytes from an address to the end of their part.
  @inline(__always)
  public func copy(at address: UInt64) -> UnsafeRawBufferPointer? {
    guard let index = region(address) else { return nil }
    let region = regions[index]
    return UnsafeRawBufferPointer(
      start: region.bytes + Int(address - region.start), count: Int(region.end - address))
  }

  @inline(__always)
  private func region(_ address: UInt64) -> Int? {
    var low = 0
    var high = regions.count
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].end <= address { low = middle + 1 } else { high = middle }
    }
    return low < regions.count && regions[low].start <= address ? low : nil
  }

  /// The parts of a copy that are not zero all over: a program may have mapped far more than it has ever touched.
  public func touched(_ start: UInt64, _ end: UInt64) -> [Range<UInt64>] {
    guard let index = region(start) else { return [] }
    return regions[index].runs.compactMap { run in
      let (low, high) = (max(run.lowerBound, start), min(run.upperBound, end))
      return low < high ? low..<high : nil
    }
  }

  public func read(_ address: UInt64, _ count: Int, into target: UnsafeMutableRawPointer) -> Bool {
    if let bytes = copy(at: address), bytes.count >= count {
      memcpy(target, bytes.baseAddress!, count)
      return true
    }
    var done = 0
    while done < count {
      let (next, isOver) = address.addingReportingOverflow(UInt64(done))
      guard !isOver, let page = page(next & ~(Self.page - 1)) else { return false }
      let offset = Int(next & (Self.page - 1))
      let part = min(count - done, Int(Self.page) - offset)
      memcpy(target + done, page + offset, part)
      done += part
    }
    return true
  }

  private func page(_ address: UInt64) -> UnsafeMutableRawPointer? {
    if let page = pages[address] { return page }
    guard let process = source else { return nil }
    let page = UnsafeMutableRawPointer.allocate(byteCount: Int(Self.page), alignment: 16)
    let count = cptrace_read(process, address, page, Self.page)
    guard count == Int64(Self.page) else {
      if count == Int64(-ESRCH) { isGone = true }
      page.deallocate()
      return nil
    }
    pages[address] = page
    return page
  }

  public func word(_ address: UInt64) -> UInt64? {
    var value: UInt64 = 0
    return read(address, 8, into: &value) ? value : nil
  }

  public func half(_ address: UInt64) -> UInt32? {
    var value: UInt32 = 0
    return read(address, 4, into: &value) ? value : nil
  }

  /// A text that ends with a zero; nil where nothing can be read, or none comes within `limit` bytes.
  public func text(_ address: UInt64, limit: Int = 4096) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      var byte: UInt8 = 0
      guard read(address + UInt64(bytes.count), 1, into: &byte) else { return nil }
      if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }
}
