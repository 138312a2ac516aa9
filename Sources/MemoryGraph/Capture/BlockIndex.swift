/// From any address to the block that it lies in.
public struct BlockIndex {
  private struct Part {
    let start: UInt64
    let end: UInt64
    /// Where its granules begin in `granules`.
    let base: Int
  }
  private var parts: [Part] = []
  /// For each 256 bytes of the heap the last block that begins at or before them.
  private var granules: [UInt32] = []
  private let addresses: [UInt64]
  private let words: [UInt32]
  private let lowest: UInt64
  private let highest: UInt64

  private static let shift: UInt64 = 8

  public init(_ blocks: HeapBlocks) {
    addresses = blocks.addresses
    words = blocks.words
    lowest = blocks.owned.first?.lowerBound ?? 0
    highest = blocks.owned.last?.upperBound ?? 0
    var next = 0
    for range in blocks.owned {
      parts.append(Part(start: range.lowerBound, end: range.upperBound, base: granules.count))
      var granule = range.lowerBound
      while granule < range.upperBound {
        while next < addresses.count, addresses[next] <= granule { next += 1 }
        // A block that begins inside this granule is found from the one before it.
        granules.append(UInt32(max(0, next - 1)))
        granule += 1 << Self.shift
      }
    }
  }

  /// The block that holds this address, anywhere in it; nil where there is none.
  @inline(__always)
  public func block(at address: UInt64) -> Int? {
    guard address >= lowest, address < highest else { return nil }
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) >> 1
      if parts[middle].end <= address { low = middle + 1 } else { high = middle }
    }
    guard low < parts.count, parts[low].start <= address else { return nil }
    var index = Int(granules[parts[low].base + Int((address - parts[low].start) >> Self.shift)])
    while index + 1 < addresses.count, addresses[index + 1] <= address { index += 1 }
    guard index < addresses.count, addresses[index] <= address,
      address - addresses[index] < UInt64(words[index]) << 3
    else { return nil }
    return index
  }

  /// The block that begins here.
  public func exactBlock(at address: UInt64) -> Int? {
    block(at: address).flatMap { addresses[$0] == address ? $0 : nil }
  }

  /// The block that a word refers to, also when Swift keeps bits of its own in it.
  @inline(__always)
  public func target(of word: UInt64) -> Int? {
    if word < 1 << 16 { return nil }
    if let block = block(at: word) { return block }
    let plain = word & Self.addressBits
    return plain == word ? nil : block(at: plain)
  }

  /// Without the bits that programs keep beside an address, which has 48: Swift the top four and the low three, others
  /// a counter in the upper sixteen.
  private static let addressBits: UInt64 = 0x0000_FFFF_FFFF_FFF8
}
