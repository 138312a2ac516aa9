import Capture

/// Reads the references of every block: each word with an address within another block is one, whatever its place;
/// where Swift's metadata declares it weak or unowned, it is that.
struct ReferenceReader {
  let blocks: HeapBlocks
  let index: BlockIndex
  let memory: MemoryImage
  let tables: GraphReader.Tables
  let types: [BlockType]
  let code: CodePointers
  let existentials: ExistentialReader

  /// The places of a type that are not simply strong; nil for those that name an object and never keep it.
  private struct Special {
    private var kinds: [Int: Reference.Kind?] = [:]
    /// A bit for each of the first 64 words, set if it is in none of those places.
    private let strong: UInt64
    private var elements: [(part: BlockType.Elements, kinds: [Int: Reference.Kind?])] = []
    var isEmpty: Bool { kinds.isEmpty && elements.isEmpty }

    init(_ type: BlockType) {
      let kinds = Self.kinds(type.fields)
      elements = type.elements.map { ($0, Self.kinds($0.fields)) }.filter { !$0.1.isEmpty }
      strong = elements.isEmpty ? (0..<64).reduce(0) { kinds[$1 * 8] == nil ? $0 | 1 << UInt64($1) : $0 } : 0
      self.kinds = kinds
    }

    private static func kinds(_ fields: [BlockType.Field]) -> [Int: Reference.Kind?] {
      var kinds: [Int: Reference.Kind?] = [:]
      for field in fields {
        if field.isIdentifier {
          kinds.updateValue(nil, forKey: field.offset)
        } else if field.kind != .strong, kinds[field.offset] == nil {
          kinds[field.offset] = field.kind
        }
      }
      return kinds
    }

    @inline(__always)
    func kind(at offset: Int) -> Reference.Kind? {
      if offset < 512, strong >> UInt64(offset >> 3) & 1 == 1 { return .strong }
      for (part, kinds) in elements { if let (_, place) = part.place(offset) { return kinds[place] ?? .strong } }
      return kinds[offset] ?? .strong
    }
  }

  /// The way to read the blocks of a type.
  private struct Plan {
    let isSwift: Bool
    let isOfTask: Bool
    let hasSpecials: Bool
    let isArray: Bool
    let buckets: Buckets?
    let isText: Bool
    let sure: WordPlaces
    let hasExistentials: Bool
    /// Words after this are stale, in blocks up to `largestBytes`.
    let end: Int
    let largest: Int
    let narrow: WordPlaces
    let hasNarrow: Bool

    init(_ type: BlockType, hasSpecials: Bool, hasExistentials: Bool) {
      self.hasExistentials = hasExistentials
      end = type.end ?? .max
      largest = type.largestBytes
      isSwift = type.language == .swift
      isOfTask = type.kind == .task || type.kind == .frames
      self.hasSpecials = hasSpecials
      isArray = type.elements.first?.role == .element
      buckets = Buckets(type)
      sure = WordPlaces(sure: type)
      isText = type.isText
      narrow = WordPlaces(narrow: type)
      hasNarrow = !narrow.isEmpty
    }
  }

  /// The end of an array's elements: words after it are stale, or just being appended.
  private static func end(of type: BlockType, count: UInt64, size: Int) -> Int {
    guard let part = type.elements.first, part.stride > 0, size > part.first,
      count <= UInt64((size - part.first) / part.stride)
    else { return size }
    return part.first + Int(count) * part.stride
  }

  /// The range of references in a string's storage: neither its text nor its spare room has any.
  ///
  /// - Parameter room: the storage's word of capacity and flags.
  private static func references(ofText room: UInt64, size: Int) -> Range<Int> {
    let bytes = room & SwiftLayout.stringSize
    guard bytes <= size - SwiftLayout.firstElement else { return SwiftLayout.header..<size }
    let end = (SwiftLayout.firstElement + Int(bytes) + 7) & ~7
    // That to the breadcrumbs is one word; the rest of the block is spare room, too.
    return room & SwiftLayout.hasBreadcrumbs == 0 ? size..<size : end..<min(max(end, size), end + 8)
  }

  /// The buckets of a dictionary or of a set: a value without arrays, since it is asked for every word.
  private struct Buckets {
    private var first: (start: Int, end: Int, stride: Int)
    /// Of a dictionary's values.
    private var second = (start: 0, end: 0, stride: 1)

    /// Nil for what is no such table.
    init?(_ type: BlockType) {
      let parts = type.elements.filter { $0.role != .element && $0.stride > 0 && $0.first >= 0 }.map {
        (start: $0.first, end: $0.first + $0.stride * ($0.count ?? 0), stride: $0.stride)
      }
      guard let first = parts.first else { return nil }
      self.first = first
      if parts.count > 1 { second = parts[1] }
    }

    /// True if an offset is in an empty bucket, whose contents are stale.
    @inline(__always)
    func isEmpty(_ offset: Int, _ part: UnsafeRawBufferPointer, _ base: Int, size: Int) -> Bool {
      let bucket: Int
      if offset >= first.start, offset < first.end {
        bucket = (offset - first.start) / first.stride
      } else if offset >= second.start, offset < second.end {
        bucket = (offset - second.start) / second.stride
      } else {
        return false
      }
      let place = Int(SwiftLayout.tableBits) + (bucket >> 6) * 8
      guard place + 8 <= min(size, first.start) else { return false }
      let bits = part.word(base + place)
      return bits >> UInt64(bucket & 63) & 1 == 0
    }
  }

  /// Reads all references into a graph, and returns what they show about closures and boxes.
  func read(into graph: inout ObjectGraph) -> ContextKinds {
    let specials = types.map(Special.init)
    let plans = types.indices.map { type in
      Plan(types[type], hasSpecials: !specials[type].isEmpty, hasExistentials: existentials.has(UInt32(type)))
    }
    var orphans: [Int] = []
    var behind: [Int] = []
    var contexts = ContextKinds(types)
    var references: [Reference] = []
    references.reserveCapacity(blocks.count * 2)
    var first: [UInt32] = [0]
    first.reserveCapacity(blocks.count + 1)
    var part = UnsafeRawBufferPointer(start: nil, count: 0)
    var partStart: UInt64 = 0
    for block in 0..<blocks.count {
      defer { first.append(UInt32(references.count)) }
      if tables.isStale(block) { continue }
      let address = blocks.addresses[block]
      var size = Int(blocks.words[block]) * 8
      if address < partStart || address - partStart + UInt64(size) > UInt64(part.count) {
        guard let found = memory.copy(at: address), found.count >= size else { continue }
        (part, partStart) = (found, address)
      }
      let number = graph.typeOf[block]
      if number == TypeReader.sideTable {
        // A side table belongs to its object and never keeps it alive.
        if let owner = tables.ownerOfSideTable[block] { references.append(Reference(to: owner, offset: 0, .weak)) }
        continue
      }
      let plan = plans[Int(number)]
      var offset = plan.isSwift ? SwiftLayout.header : 0
      if size <= plan.largest { size = min(size, plan.end) }
      let frames = plan.isOfTask ? tables.frames[block] : nil
      if let frames, number == TypeReader.frames {
        (offset, size) = (Int(SwiftLayout.Slab.next), min(size, frames.taken))
      }
      if let used = tables.used(of: block) { (offset, size) = (used.lowerBound, min(size, used.upperBound)) }
      let base = Int(address - partStart)
      if plan.isArray, size > SwiftLayout.firstElement {
        let count = part.word(base + Int(SwiftLayout.arrayCount))
        let end = Self.end(of: types[Int(number)], count: count, size: size)
        for rest in stretches(of: address, (end + 7) & ~7, size) {
          for place in stride(from: rest.lowerBound, to: rest.upperBound - 7, by: 8)
          where behind.count < Self.mostBehind {
            let word = part.word(base + place)
            if let target = index.exactBlock(at: word), graph.strongCounts[target] > 0 { behind.append(target) }
          }
        }
        size = end
      }
      if plan.isText, size >= SwiftLayout.firstElement {
        let room = part.word(base + Int(SwiftLayout.stringRoom))
        (offset, size) = { ($0.lowerBound, $0.upperBound) }(Self.references(ofText: room, size: size))
      }
      var rest = size < Self.largeBytes ? [] : stretches(of: address, offset, size)[...]
      var end = size < Self.largeBytes ? size : 0
      while true {
        if offset + 8 > end {
          guard let next = rest.popFirst() else { break }
          (offset, end) = (next.lowerBound, next.upperBound)
          continue
        }
        defer { offset += 8 }
        if plan.hasNarrow, plan.narrow.contains(offset) == true { continue }
        if let buckets = plan.buckets, buckets.isEmpty(offset, part, base, size: size) { continue }
        if plan.hasExistentials, existentials.isLeftover(offset, type: number, part, base: base, size: size) {
          continue
        }
        let word = part.word(base + offset)
        guard let target = index.target(of: word) else { continue }
        // Storage with pointers into itself holds nothing; a field that refers to its own object does.
        if target == block, plan.isSwift, !(plan.sure.contains(offset) ?? types[Int(number)].isReference(at: offset)) {
          continue
        }
        if plan.isOfTask, !isOutward(word, target, offset, frames, isFrames: number == TypeReader.frames) { continue }
        if tables.isPastEnd(word, in: target, at: blocks.addresses[target]) { continue }
        guard let kind = plan.hasSpecials ? specials[Int(number)].kind(at: offset) : .strong else {
          references.append(Reference(to: target, offset: offset, .unowned))
          continue
        }
        append(target, offset, kind, to: &references)
        if kind == .weak, isOrphan(target, graph) { orphans.append(target) }
        if offset >= 8, tables.contexts.contains(target) {
          let before = part.word(base + offset - 8)
          contexts.add(graph.typeOf[target], isFunction: { code.isFunction(before) })
        }
      }
      if let table = tables.sideTableOfObject[block] { references.append(Reference(to: table, offset: 8)) }
    }
    // A side table of an object that was freed still has its address, where another block may be now.
    for orphan in orphans {
      graph.typeOf[orphan] = TypeReader.sideTable
      for place in Int(first[orphan])..<Int(first[orphan + 1]) {
        references[place] = Reference(
          to: Int(references[place].target), offset: references[place].offset, .unowned)
      }
    }
    graph.references = references
    graph.firstReference = first
    addAppended(behind, to: &graph)
    return contexts
  }

  /// Blocks of this size and more are read only where the program has touched them, and where references may be: the
  /// rest may be gigabytes.
  private static let largeBytes = 64 << 10

  /// The parts of a block to be read between two offsets.
  private func stretches(of address: UInt64, _ first: Int, _ end: Int) -> [Range<Int>] {
    if end - first < Self.largeBytes { return first < end ? [first..<end] : [] }
    return memory.touched(address + UInt64(first), address + UInt64(end)).map {
      Int($0.lowerBound - address)..<Int($0.upperBound - address)
    }
  }

  /// While an array is appended to (`append(contentsOf:)`), its count includes the new elements only at the end. A word
  /// behind the count is either one of them, or stale; it is real if the object's retain count is higher than the
  /// number of references found.
  private func addAppended(_ behind: [Int], to graph: inout ObjectGraph) {
    var found: [Int: UInt32] = Dictionary(behind.map { ($0, 0) }) { first, _ in first }
    guard !found.isEmpty else { return }
    var isAsked = BlockSet(count: graph.count)
    for target in behind { isAsked.insert(target) }
    for reference in graph.references where reference.keepsAlive && isAsked.contains(Int(reference.target)) {
      if let count = found[Int(reference.target)] { found[Int(reference.target)] = count + 1 }
    }
    for (target, count) in found.sorted(by: { $0.key < $1.key }) where graph.strongCounts[target] > count {
      graph.roots.append(Root(label: "array that is being appended to", target: target))
    }
  }

  /// The most of these words that are examined.
  private static let mostBehind = 1 << 20

  /// True if a weak reference leads to the side table of an object that was freed.
  private func isOrphan(_ target: Int, _ graph: ObjectGraph) -> Bool {
    tables.ownerOfSideTable[target] == nil && graph.typeOf[target] == 0 && graph.words[target] <= Self.sideTableWords
  }

  /// A side table has 32 bytes, which the allocator may round up.
  private static let sideTableWords: UInt32 = 5

  /// True if a word of a task, or of its frames, is more than internal: a task refers to its first frames and these to
  /// the next ones, and the frames refer to each other and to their task.
  private func isOutward(
    _ word: UInt64, _ target: Int, _ offset: Int, _ frames: GraphReader.Frames?, isFrames: Bool
  ) -> Bool {
    guard let frames else { return true }
    if target == frames.task { return isFrames && word == blocks.addresses[target] }
    guard let other = tables.frames[target], other.task == frames.task else { return true }
    return offset == Int(isFrames ? SwiftLayout.Slab.next : SwiftLayout.Task.slab)
  }

  /// A weak reference points to the side table; it becomes one to the object, and keeps the table alive. If the object
  /// was freed, it is the only reference to the table. The block of a deallocated object is kept by unowned references
  /// to it.
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
