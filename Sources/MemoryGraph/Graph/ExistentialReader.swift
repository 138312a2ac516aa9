import Capture

/// Values of any type (`any Protocol`): one that is larger than three words is in a box, and of the three only the
/// first is its own. What stands in the others, somebody has left there.
struct ExistentialReader {
  /// By types, the places of such values.
  private let places: [[Int]]
  /// By metadata, whether values of that type are put into a box.
  private var isBoxed: [UInt64: Bool] = [:]

  /// Asks for all types that such values have, as long as the process can be asked.
  init(_ blocks: HeapBlocks, _ typeOf: [UInt32], _ types: [BlockType], _ memory: MemoryImage) {
    places = types.map { $0.fields.filter(\.isExistential).map(\.offset).filter { $0 >= 0 && $0 & 7 == 0 } }
    guard places.contains(where: { !$0.isEmpty }) else { return }
    for block in 0..<blocks.count {
      for place in places[Int(typeOf[block])] {
        guard let metadata = memory.word(blocks.addresses[block] &+ UInt64(place + SwiftLayout.existentialType)),
          isBoxed[metadata] == nil, isBoxed.count < Self.most
        else { continue }
        let table = memory.word(metadata &- SwiftLayout.valueWitnesses)
        let flags = table.flatMap { memory.half($0 &+ SwiftLayout.valueFlags) } ?? 0
        isBoxed[metadata] = flags & SwiftLayout.isNonInline != 0
      }
    }
  }

  /// No program has more types in such places; a damaged one may seem to.
  private static let most = 1 << 16

  @inline(__always)
  func has(_ type: UInt32) -> Bool { !places[Int(type)].isEmpty }

  /// Whether a word of a block belongs to nobody.
  func isLeftover(_ offset: Int, type: UInt32, _ part: UnsafeRawBufferPointer, base: Int, size: Int) -> Bool {
    for place in places[Int(type)] where offset > place && offset < place + SwiftLayout.existentialWords * 8 {
      guard place + SwiftLayout.existentialType + 8 <= size else { return false }
      let metadata = part.loadUnaligned(
        fromByteOffset: base + place + SwiftLayout.existentialType, as: UInt64.self)
      return isBoxed[metadata] ?? false
    }
    return false
  }
}
