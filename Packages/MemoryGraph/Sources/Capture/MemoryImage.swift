import Glibc

/// A process' memory at one moment: a copy of all writable memory, and the rest on demand.
///
/// Not thread-safe.
public final class MemoryImage {
  private struct Region {
    let start: UInt64
    let end: UInt64
    let bytes: UnsafeMutableRawPointer
    /// The ranges copied, in order; memory in between is zero.
    var runs: [Range<UInt64>] = []
    /// The ranges left out although they are not empty: they contain no references.
    var plain: [Range<UInt64>] = []

    func isPlain(_ start: UInt64, _ count: Int) -> Bool {
      if plain.isEmpty { return false }
      let next = firstPlace(in: plain) { $0.upperBound > start }
      return next < plain.count && plain[next].lowerBound < start + UInt64(count)
    }
  }
  private var regions: [Region] = []
  private var pages: [UInt64: UnsafeMutableRawPointer] = [:]
  private var source: (any MemorySource)?
  /// True if the process ended before all was read: missing memory is then unknown, not zero.
  private var isGone = false
  public private(set) var copied: UInt64 = 0

  private static let page = AddressSpace.page

  init(of source: any MemorySource) { self.source = source }

  deinit {
    for region in regions { munmap(region.bytes, Int(region.end - region.start)) }
    for page in pages.values { page.deallocate() }
  }

  // MARK: Copying

  /// Reserves room for a part of the process' memory, after the earlier ones; both addresses at page boundaries.
  func reserve(_ start: UInt64, _ end: UInt64) throws(CaptureError) {
    let size = Int(end - start)
    let protection = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
    guard let bytes = mmap(nil, size, PROT_READ | PROT_WRITE, protection, -1, 0), bytes != MAP_FAILED else {
      throw CaptureError(.refused, "No memory for a copy of \(size) bytes: \(String(cString: strerror(errno))).")
    }
    regions.append(Region(start: start, end: end, bytes: bytes))
  }

  /// Copies the memory between two addresses within one reserved part, each at most once; both at page boundaries.
  ///
  /// - Parameters:
  ///   - source: the memory to read.
  ///   - toucher: a process; pages that it has never touched are left out and count as zero. Nil copies all.
  ///   - isOwn: true to leave out pages that are unchanged from their file, too.
  ///   - filter: leaves out pages without references, once the copy is large.
  func copy(
    _ start: UInt64, _ end: UInt64, of source: any MemorySource, touchedBy toucher: (any MemorySource)?,
    isOwn: Bool = false, filter: PageFilter? = nil
  ) throws(CaptureError) {
    guard let index = region(start), end <= regions[index].end else { return }
    let runs = toucher?.touched(start, end, isOwn: isOwn) ?? [start..<end]
    let bytes = regions[index].bytes + Int(start - regions[index].start)
    var copying = Copying(source: source, start: start, bytes: bytes, filter: filter, copied: copied)
    defer {
      copied = copying.copied
      regions[index].runs += copying.runs
      regions[index].plain += copying.plain
    }
    for run in runs { if !copying.copy(run) { throw Self.gone } }
  }

  /// To be called when all is copied.
  func seal() {
    for index in regions.indices {
      regions[index].runs = Self.joined(regions[index].runs)
      regions[index].plain = Self.joined(regions[index].plain)
    }
  }

  private static func joined(_ parts: [Range<UInt64>]) -> [Range<UInt64>] {
    var row: [Range<UInt64>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) { row.join(part) }
    return row
  }

  /// Copies the pages of a range that were left out, although they have no references: their contents matter.
  public func complete(_ range: Range<UInt64>) {
    guard let index = region(range.lowerBound), regions[index].isPlain(range.lowerBound, range.count) else { return }
    var plain: [Range<UInt64>] = []
    for part in regions[index].plain {
      let page = range.clamped(to: part)
      let wanted = (page.lowerBound & ~(Self.page - 1))..<((page.upperBound + (Self.page - 1)) & ~(Self.page - 1))
      guard !page.isEmpty, fill(wanted, of: index) else {
        plain.append(part)
        continue
      }
      for rest in [part.lowerBound..<wanted.lowerBound, wanted.upperBound..<part.upperBound] where !rest.isEmpty {
        plain.append(rest)
      }
    }
    regions[index].plain = plain
  }

  private func fill(_ part: Range<UInt64>, of index: Int) -> Bool {
    let bytes = regions[index].bytes + Int(part.lowerBound - regions[index].start)
    guard let count = source?.read(part.lowerBound, UInt64(part.count), into: bytes) else { return false }
    if count == Int64(-ESRCH) { isGone = true }
    return count == Int64(part.count)
  }

  /// Stops reading from the process; memory not read by now stays unknown. Throws if the process had ended before.
  public func release() throws(CaptureError) {
    source = nil
    if isGone { throw Self.gone }
  }

  private static var gone: CaptureError {
    CaptureError(.gone, "The process has ended while it was read.")
  }

  /// Releases the whole pages of a part of the copy, which then read as zero.
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
    let place = firstPlace(in: regions) { $0.end > address }
    return place < regions.count && regions[place].start <= address ? place : nil
  }

  /// The parts of a copy that may contain references: a program may have mapped far more than it has ever touched, and
  /// may have filled it with other data.
  public func touched(_ start: UInt64, _ end: UInt64) -> [Range<UInt64>] {
    guard let index = region(start) else { return [] }
    let runs = regions[index].runs
    let first = firstPlace(in: runs) { $0.upperBound > start }
    return runs[first...].prefix { $0.lowerBound < end }.map { max($0.lowerBound, start)..<min($0.upperBound, end) }
  }

  public func read(_ address: UInt64, _ count: Int, into target: UnsafeMutableRawPointer) -> Bool {
    if let index = region(address), regions[index].end - address >= count, !regions[index].isPlain(address, count) {
      memcpy(target, regions[index].bytes + Int(address - regions[index].start), count)
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
    guard let source else { return nil }
    let page = UnsafeMutableRawPointer.allocate(byteCount: Int(Self.page), alignment: 16)
    let count = source.read(address, Self.page, into: page)
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

  /// A zero-terminated text; nil if it cannot be read, or is longer than `limit` bytes.
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

extension UnsafeRawBufferPointer {
  /// A number anywhere in a copy or in a file.
  @inlinable @inline(__always)
  public func word(_ offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  @inlinable @inline(__always)
  public func half(_ offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  @inlinable @inline(__always)
  public func quarter(_ offset: Int) -> UInt16 { loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
}

/// The first index of a sorted list from which on a condition holds; the end if it never does.
@inlinable @inline(__always)
public func firstPlace<Element>(in row: [Element], where holds: (Element) -> Bool) -> Int {
  var low = 0
  var high = row.count
  while low < high {
    let middle = (low + high) / 2
    if holds(row[middle]) { high = middle } else { low = middle + 1 }
  }
  return low
}
