/// Selects the pages of a large process that are copied: those that may contain a reference, or the beginning of a
/// block. The others hold pictures, buffers and texts, of which only the beginning matters.
struct PageFilter {
  enum Verdict { case kept, zero, plain }

  private let spans: AddressSpans
  /// The largest word that can be a chunk's header: its size and three flags.
  private let largestChunk: UInt64
  /// The difference between a mapping's size and that of the block which fills it.
  private let mappedRest: UInt64
  /// The end of the latest block with a mapping of its own: its last word may belong to the shim, and is needed.
  private var blockEnd: UInt64 = 0

  static let page = 4096

  init(_ mappings: [Mapping], _ layout: GlibcLayout) {
    // The kernel's own page is at the top of the address space.
    spans = AddressSpans(mappings.filter { $0.start < 1 << 62 }.map { $0.start..<$0.end })
    largestChunk = mappings.map(\.size).max() ?? 0
    mappedRest = layout.mappedRest
  }

  /// Judges adjacent pages. The neighbours of a page that is kept are kept as well: blocks begin at its end, and end at
  /// its beginning.
  mutating func judge(_ bytes: UnsafeRawPointer, pages: Int, at address: UInt64, into verdicts: inout [Verdict]) {
    verdicts.removeAll(keepingCapacity: true)
    // The pages before and after are unknown here.
    var before = true
    for number in 0..<pages {
      let start = address + UInt64(number * Self.page)
      let words = (bytes + number * Self.page).assumingMemoryBound(to: UInt64.self)
      let (isUsed, isZero) = look(words)
      let chunk = words[1] & ~7
      if words[0] == 0, words[1] & 7 == 2, (chunk &+ mappedRest) & 4095 == 0, chunk <= largestChunk {
        blockEnd = start + chunk + mappedRest
      }
      if isUsed, let last = verdicts.last, last == .plain { verdicts[number - 1] = .kept }
      let isLast = number == pages - 1 || start + UInt64(Self.page) == blockEnd
      verdicts.append(isZero ? .zero : isUsed || before || isLast ? .kept : .plain)
      before = isUsed
    }
  }

  private func look(_ words: UnsafePointer<UInt64>) -> (isUsed: Bool, isZero: Bool) {
    var all: UInt64 = 0
    for group in stride(from: 0, to: Self.page / 8, by: 16) {
      // Sixteen at a time without a branch: most of the time is spent here.
      var hits: UInt64 = 0
      for number in group..<group + 16 {
        let word = words[number]
        all |= word
        hits |= (word &- 16 <= largestChunk ? 1 : 0) | (spans.mayHold(word) ? 1 : 0)
      }
      if hits != 0 { return (true, false) }
    }
    return (false, all == 0)
  }
}

/// The ranges of possible addresses. Programs, their heap, mappings and the stack are far apart, and the gaps are a
/// large part of the address space.
@usableFromInline
struct AddressSpans: Sendable {
  @usableFromInline typealias Span = (start: UInt64, size: UInt64)
  @usableFromInline var first: Span = (0, 0)
  @usableFromInline var second: Span = (0, 0)
  @usableFromInline var third: Span = (0, 0)
  @usableFromInline var fourth: Span = (0, 0)

  /// - Parameter ranges: in order.
  init(_ ranges: [Range<UInt64>]) {
    // Split at the largest gaps.
    let cuts = ranges.indices.dropFirst()
      .sorted { ranges[$0].lowerBound - ranges[$0 - 1].upperBound > ranges[$1].lowerBound - ranges[$1 - 1].upperBound }
      .prefix(3).sorted()
    let bounds = [0] + cuts + [ranges.count]
    let spans = zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { start, end -> Span in
      (ranges[start].lowerBound, ranges[end - 1].upperBound - ranges[start].lowerBound)
    }
    if spans.count > 0 { first = spans[0] }
    if spans.count > 1 { second = spans[1] }
    if spans.count > 2 { third = spans[2] }
    if spans.count > 3 { fourth = spans[3] }
  }

  /// True if a word, with or without tag bits, is in one of the ranges.
  @inlinable @inline(__always)
  func mayHold(_ word: UInt64) -> Bool {
    let address = word & BlockIndex.addressBits
    return address &- first.start < first.size || address &- second.start < second.size
      || address &- third.start < third.size || address &- fourth.start < fourth.size
  }
}
