import Graph

/// The places of a type where Swift declares a reference; of plain objects a bit for each of the first 64 words. It is
/// asked for every reference of a process, so it is a value that is copied for nothing.
struct SurePlaces {
  private let first: UInt64
  private let isPlain: Bool

  init(_ type: BlockType) {
    isPlain = type.elements.isEmpty
    first = (0..<64).reduce(0) { type.isReference(at: $1 * 8) ? $0 | 1 << UInt64($1) : $0 }
  }

  /// - Parameter type: its number in the graph, for places beyond those.
  @inline(__always)
  func contains(_ offset: Int, of type: Int, in graph: ObjectGraph) -> Bool {
    isPlain && offset < 512 ? first >> UInt64(offset >> 3) & 1 == 1 : graph.types[type].isReference(at: offset)
  }
}
