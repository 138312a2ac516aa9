import Capture

/// The places where blocks were allocated, recorded by the shim in a program started by `memorygraph run --stacks`
/// (Shim/include/memorygraph_table.h).
struct AllocationStacks {
  private static let magic: UInt64 = 0x7761_7463_6873_7431
  private static let symbol = "memorygraph_table"
  private static let library = "libmemorygraph-shim"
  /// The most calls of a stack that are read; the shim records 30.
  private static let depth: UInt64 = 64

  private let memory: MemoryImage
  private let words: UInt64
  private let capacity: UInt64
  private let code: [Mapping]
  private let shim: String

  /// Nil when the shim is not in the process.
  init?(_ snapshot: Snapshot, _ images: [ELFImage]) {
    guard let image = images.first(where: { $0.path.split(separator: "/").last?.hasPrefix(Self.library) == true })
    else { return nil }
    let table = image.exported(Self.symbol)
    memory = snapshot.memory
    guard table != 0, memory.word(table) == Self.magic, let words = memory.word(table &+ 8),
      let capacity = memory.word(table &+ 16)
    else { return nil }
    self.words = words
    self.capacity = capacity
    shim = image.path
    code = snapshot.mappings.filter(\.isExecutable)
  }

  /// Takes the shim's word off each block that has one. Returns the place where each block was allocated, as an index
  /// of the table's words; 0 when unknown.
  func separate(_ blocks: inout HeapBlocks) -> [UInt32] {
    var found = [UInt32](repeating: 0, count: blocks.count)
    var part = UnsafeRawBufferPointer(start: nil, count: 0)
    var partStart: UInt64 = 0
    for block in 0..<blocks.count where blocks.words[block] > 0 {
      let address = blocks.addresses[block]
      let last = address &+ UInt64(blocks.words[block] - 1) * 8
      if last < partStart || last - partStart + 8 > UInt64(part.count) {
        guard let copy = memory.copy(at: address), last - address + 8 <= UInt64(copy.count) else { continue }
        (part, partStart) = (copy, address)
      }
      let word = part.word(Int(last - partStart))
      let mark = ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 32
      guard word & 0xFFFF_FFFF == mark else { continue }
      blocks.dropLastWord(of: block)
      found[block] = UInt32(word >> 32)
    }
    return found
  }

  func read(_ places: [UInt32], into graph: inout ObjectGraph) {
    guard words != 0 else { return }
    graph.allocatedAt = [UInt32](repeating: 0, count: places.count)
    var known: [UInt32: UInt32] = [:]
    var frames: [UInt64: UInt32] = [:]
    for (block, place) in places.enumerated() where place != 0 {
      if let stack = known[place] {
        graph.allocatedAt[block] = stack
        continue
      }
      let stack = stack(at: place, &frames, &graph.frames)
      if !stack.isEmpty { graph.stacks.append(stack) }
      known[place] = stack.isEmpty ? 0 : UInt32(graph.stacks.count)
      graph.allocatedAt[block] = known[place]!
    }
    if let used = memory.word(words), used > capacity {
      graph.remarks.append("There were more stacks than are kept: of some blocks it is not known where they come from.")
    }
  }

  private func stack(at place: UInt32, _ known: inout [UInt64: UInt32], _ frames: inout [Frame]) -> Stack {
    guard UInt64(place) + 2 <= capacity else { return [] }
    let start = words &+ UInt64(place) * 8
    guard let count = memory.word(start &+ 8), count <= min(Self.depth, capacity - UInt64(place) - 2) else { return [] }
    var stack: Stack = []
    for call in 0..<count {
      // An address within the call instruction: the next one may belong to another line, or to another function.
      guard let next = memory.word(start &+ 16 &+ call * 8), next > 0 else { break }
      let address = next - 1
      if let frame = known[address] {
        stack.append(frame)
        continue
      }
      // Functions without a frame pointer have other words in the place of the return address.
      guard let image = code.first(where: { $0.contains(address) })?.path else { break }
      if image == shim { continue }
      known[address] = UInt32(frames.count)
      stack.append(UInt32(frames.count))
      frames.append(Frame(address: address, image: printable(image)))
    }
    return stack
  }
}
