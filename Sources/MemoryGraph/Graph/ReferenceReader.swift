import Capture

/// Reads the references of every block: each word that lies in another block is one, whatever is known of its place;
/// where Swift says that a place is weak or unowned, it is that.
struct ReferenceReader {
  let blocks: HeapBlocks
  let index: BlockIndex
  let memory: MemoryImage
  let tables: GraphReader.Tables
  let types: [BlockType]

  /// The places of a type that are not simply strong.
  private struct Special {
    var kinds: [Int: Reference.Kind] = [:]
    /// Bytes after which the places repeat; 0 when they do not.
    var stride = 0
    var first = 0

    @inline(__always)
    func kind(at offset: Int) -> Reference.Kind {
      let place = stride > 0 && offset >= first ? (offset - first) % stride : offset
      return kinds[place] ?? .strong
    }
  }

  func read(into graph: inout ObjectGraph) {
    let specials = types.map { type in
      var special = Special()
      for field in type.fields where field.kind != .strong { special.kinds[field.offset] = field.kind }
      if let elements = type.elements { (special.first, special.stride) = (elements.first, elements.stride) }
      return special
    }
    let hasSpecials = specials.map { !$0.kinds.isEmpty }
    let isSwift = types.map { $0.language == .swift }
    var references: [Reference] = []
    references.reserveCapacity(blocks.count * 2)
    var first: [UInt32] = [0]
    first.reserveCapacity(blocks.count + 1)
    var part = UnsafeRawBufferPointer(start: nil, count: 0)
    var partStart: UInt64 = 0
    for block in 0..<blocks.count {
      defer { first.append(UInt32(references.count)) }
      if tables.stale.contains(block) { continue }
      let address = blocks.addresses[block]
      let size = Int(blocks.words[block]) * 8
      if address < partStart || address - partStart + UInt64(size) > UInt64(part.count) {
        guard let found = memory.copy(at: address), found.count >= size else { continue }
        (part, partStart) = (found, address)
      }
      let type = Int(graph.typeOf[block])
      if type == Int(TypeReader.sideTable) {
        // It belongs to its object and never keeps it alive.
        if let owner = tables.ownerOfSideTable[block] { references.append(Reference(to: owner, offset: 0, .weak)) }
        continue
      }
      var offset = isSwift[type] ? SwiftLayout.header : 0
      let base = Int(address - partStart)
      while offset + 8 <= size {
        let word = part.loadUnaligned(fromByteOffset: base + offset, as: UInt64.self)
        // Storage points into itself, which holds nothing; a field that refers to its own object does.
        if let target = index.target(of: word),
          target != block || !isSwift[type] || types[type].isReference(at: offset)
        {
          append(target, offset, hasSpecials[type] ? specials[type].kind(at: offset) : .strong, to: &references)
        }
        offset += 8
      }
      if let table = tables.sideTableOfObject[block] { references.append(Reference(to: table, offset: 8)) }
    }
    graph.references = references
    graph.firstReference = first
  }

  /// A weak reference names the side table; it is told as one to the object, and keeps the table. When the object has
  /// died, nothing else knows the table: it is an ordinary block, which the reference keeps. The block of an object
  /// that has died is kept by the unowned references to it.
  @inline(__always)
  private func append(_ target: Int, _ offset: Int, _ kind: Reference.Kind, to references: inout [Reference]) {
    if kind == .weak, let object = tables.ownerOfSideTable[target] {
      references.append(Reference(to: object, offset: offset, .weak))
    } else if kind == .unowned, tables.dying.contains(target) {
      references.append(Reference(to: target, offset: offset, .unmanaged))
    } else {
      references.append(Reference(to: target, offset: offset, kind == .weak ? .strong : kind))
    }
  }
}
