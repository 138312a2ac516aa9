/// Finds the block that contains an address.
public struct BlockIndex {
  private struct Part {
    let start: UInt64
    let end: UInt64
    /// The beginning of its granules in `granules`; for a large block, which is a part of its own, its number and
    /// `isBlock`.
    let base: Int
  }
  private static let isBlock = 1 << 62
  private var parts: [Part] = []
  /// For each 256 bytes of the heap the last block that begins at or before them.
  private var granules: [UInt32] = []
  private let addresses: [UInt64]
  private let words: [UInt32]
  @usableFromInline let spans: AddressSpans

  private static let shift: UInt64 = 8
  /// The words of a block that is a part of its own: 128 KB.
  private static let largeWords: UInt32 = 16 << 10

  public init(_ blocks: HeapBlocks) {
    addresses = blocks.addresses
    words = blocks.words
    spans = AddressSpans(blocks.owned)
    let large = words.indices.filter { words[$0] >= Self.largeWords }
    var next = 0
    var nextLarge = 0
    for range in blocks.owned {
      var start = range.lowerBound
      while nextLarge < large.count, addresses[large[nextLarge]] < range.upperBound {
        let block = large[nextLarge]
        let end = min(range.upperBound, addresses[block] + UInt64(words[block]) << 3)
        nextLarge += 1
        // The data of a damaged heap may be inconsistent.
        guard addresses[block] >= start, end > addresses[block] else { continue }
        addGranules(start..<addresses[block], &next)
        parts.append(Part(start: addresses[block], end: end, base: Self.isBlock | block))
        start = end
      }
      addGranules(start..<range.upperBound, &next)
    }
  }

  private mutating func addGranules(_ range: Range<UInt64>, _ next: inout Int) {
    if range.isEmpty { return }
    parts.append(Part(start: range.lowerBound, end: range.upperBound, base: granules.count))
    var granule = range.lowerBound
    while granule < range.upperBound {
      while next < addresses.count, addresses[next] <= granule { next += 1 }
      // A block that begins inside this granule is found from the one before it.
      granules.append(UInt32(max(0, next - 1)))
      granule += 1 << Self.shift
    }
  }

  @inline(__always)
  public func block(at address: UInt64) -> Int? {
    // Most words are not addresses.
    guard spans.mayHold(address) else { return nil }
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) >> 1
      if parts[middle].end <= address { low = middle + 1 } else { high = middle }
    }
    guard low < parts.count, parts[low].start <= address else { return nil }
    if parts[low].base & Self.isBlock != 0 { return parts[low].base ^ Self.isBlock }
    var index = Int(granules[parts[low].base + Int((address - parts[low].start) >> Self.shift)])
    while index + 1 < addresses.count, addresses[index + 1] <= address { index += 1 }
    guard index < addresses.count, addresses[index] <= address,
      address - addresses[index] < UInt64(words[index]) << 3
    else { return nil }
    return index
  }

  public func exactBlock(at address: UInt64) -> Int? {
    block(at: address).flatMap { addresses[$0] == address ? $0 : nil }
  }

  /// The block that a word refers to, also with Swift's tag bits. Most words are numbers, which is seen where it is
  /// asked.
  @inlinable @inline(__always)
  public func target(of word: UInt64) -> Int? {
    if word < 1 << 16 || !spans.mayHold(word) { return nil }
    return target(ofAddress: word)
  }

  @usableFromInline
  func target(ofAddress word: UInt64) -> Int? {
    if let block = block(at: word) { return block }
    let plain = word & Self.addressBits
    return plain == word ? nil : block(at: plain)
  }

  /// An address without tag bits: Swift uses the top four and the low three, others a counter in the upper sixteen.
  @inlinable public static var addressBits: UInt64 { 0x0000_FFFF_FFFF_FFF8 }
}
