/// Which pages of a large process's copy are worth their memory: those in which something may refer to a block, or a
/// block may begin. Pictures, buffers and texts fill the others; of these nothing is asked but how they begin.
struct PageFilter {
  enum Verdict { case kept, zero, plain }

  /// Words that can be addresses.
  private let spans: AddressSpans
  /// Words that can be the header of a chunk: its size and three flags.
  private let largestChunk: UInt64
  /// What rests when the size of a block that has a mapping of its own is taken from the mapping's.
  private let mappedRest: UInt64
  /// Where the block ends that began last, of those that have a mapping of their own: its last word may belong to our
  /// shim, which is read.
  private var blockEnd: UInt64 = 0

  static let page = 4096

  init(_ mappings: [Mapping], _ layout: GlibcLayout) {
    // The kernel's own page lies at the top of the address space.
    spans = AddressSpans(mappings.filter { $0.start < 1 << 62 }.map { $0.start..<$0.end })
    largestChunk = mappings.map(\.size).max() ?? 0
    mappedRest = layout.mappedRest
  }

  /// Judges pages that lie one behind the other. The neighbours of a page with something in it are kept: blocks begin
  /// at its end, and end at its beginning.
  mutating func judge(_ bytes: UnsafeRawPointer, pages: Int, at address: UInt64, into verdicts: inout [Verdict]) {
    verdicts.removeAll(keepingCapacity: true)
    // What lies before and behind is not known here.
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
      // Sixteen at a time without a branch: this is where the time goes.
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

/// Where addresses can lie: programs, their heap, what is mapped and the stack are far from each other, and what is
/// between them is a sixth of all that words of 48 bits can name.
struct AddressSpans {
  private typealias Span = (start: UInt64, size: UInt64)
  private var first: Span = (0, 0)
  private var second: Span = (0, 0)
  private var third: Span = (0, 0)
  private var fourth: Span = (0, 0)

  /// - Parameter ranges: in order.
  init(_ ranges: [Range<UInt64>]) {
    // Cut where most is between two.
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

  /// Whether a word, or what rests of it without the bits that programs keep beside an address, lies in one of them.
  @inline(__always)
  func mayHold(_ word: UInt64) -> Bool {
    let address = word & BlockIndex.addressBits
    return address &- first.start < first.size || address &- second.start < second.size
      || address &- third.start < third.size || address &- fourth.start < fourth.size
  }
}
