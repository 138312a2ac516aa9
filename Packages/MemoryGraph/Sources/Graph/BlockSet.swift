/// A set of blocks, with one bit for each: so small that a test costs next to nothing, even a million times.
public struct BlockSet: Sendable {
  @usableFromInline var words: [UInt64]

  @inlinable
  public init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  @inlinable @inline(__always)
  public mutating func insert(_ block: Int) { words[block >> 6] |= 1 << UInt64(block & 63) }
  @inlinable @inline(__always)
  public mutating func remove(_ block: Int) { words[block >> 6] &= ~(1 << UInt64(block & 63)) }
  @inlinable @inline(__always)
  public func contains(_ block: Int) -> Bool { words[block >> 6] >> UInt64(block & 63) & 1 == 1 }
}

/// A number for each of some blocks. There may be a million, for which a dictionary would be slow.
struct BlockMap {
  private var keys: BlockSet
  /// How many keys are before each word of `keys`.
  private var before: [UInt32] = []
  private var values: [UInt32] = []

  /// - Parameters:
  ///   - pairs: where a block comes twice, the last one counts.
  ///   - count: how many blocks there are in all.
  init(_ pairs: [(block: UInt32, value: UInt32)] = [], count: Int) {
    keys = BlockSet(count: count)
    for pair in pairs { keys.insert(Int(pair.block)) }
    before.reserveCapacity(keys.words.count)
    var found: UInt32 = 0
    for word in keys.words {
      before.append(found)
      found += UInt32(word.nonzeroBitCount)
    }
    values = [UInt32](repeating: 0, count: Int(found))
    for pair in pairs { values[place(of: Int(pair.block))] = pair.value }
  }

  @inline(__always)
  private func place(of block: Int) -> Int {
    let lower = keys.words[block >> 6] & (1 << UInt64(block & 63) - 1)
    return Int(before[block >> 6]) + lower.nonzeroBitCount
  }

  @inline(__always)
  subscript(block: Int) -> Int? { keys.contains(block) ? Int(values[place(of: block)]) : nil }
}
