import Capture

/// Tables of Swift's runtime and of the loader, buffers of C's streams, and texts: blocks with more room than contents,
/// whose rest is stale. The bytes in use of each are recorded in `Tables`.
struct PartlyUsed {
  private let blocks: HeapBlocks
  private let index: BlockIndex
  private let memory: MemoryImage

  init(_ blocks: HeapBlocks, _ index: BlockIndex, _ memory: MemoryImage) {
    (self.blocks, self.index, self.memory) = (blocks, index, memory)
  }

  /// The owner of the variables. A program's own may look like a table with few entries.
  enum Owner {
    case program
    case runtime
    case loader

    init(_ path: String) {
      let file = path.split(separator: "/").last ?? ""
      let isRuntime = file.hasPrefix("libswiftCore.") || file.hasPrefix("libswift_Concurrency.")
      self = file.hasPrefix("ld-") || file == "ld.so" ? .loader : isRuntime ? .runtime : .program
    }
  }

  /// Examines a variable that may refer to a table.
  ///
  /// - Parameters:
  ///   - word: its value.
  ///   - place: its address.
  ///   - isTableOfTypes: true if its name is that of a cache of a generic type's instances.
  @inline(__always)
  func look(
    at word: UInt64, _ place: UInt64, of owner: Owner, _ tables: inout GraphReader.Tables, isTableOfTypes: () -> Bool
  ) {
    guard let block = index.block(at: word) else { return }
    if owner == .loader { return addObjects(word, &tables) }
    if isBuffer(word, at: place) { return tables.setUsed(0..<0, of: block) }
    guard blocks.addresses[block] == word else { return }
    if let used = usedBytes(ofMap: block, place, owner, isTableOfTypes)
      ?? (owner == .runtime ? usedBytes(ofArray: block, place) : nil)
    {
      tables.setUsed(0..<used, of: block)
    }
  }

  // MARK: Tables of the runtime

  /// The bytes in use of the elements of one of the runtime's hash tables: instances of generic types, conformances,
  /// and so on. Nil if it is not one.
  private func usedBytes(ofMap block: Int, _ place: UInt64, _ owner: Owner, _ isTableOfTypes: () -> Bool) -> Int? {
    typealias Layout = SwiftLayout.HashMap
    guard let count = memory.half(place &- Layout.count), count > 0,
      let room = memory.half(blocks.addresses[block]), count <= room,
      let end = end(of: block, count: UInt64(count), room: UInt64(room)),
      let indices = memory.word(place &+ Layout.indices), isIndices(indices, of: count)
    else { return nil }
    if isTableOfTypes() { return Int(Layout.first + UInt64(count) * Layout.typeBytes) }
    return owner == .runtime || indices & 3 != 0 ? end : nil
  }

  /// The bytes in use of one of the runtime's arrays that can be read while they grow: sections with conformances,
  /// types and protocols. Nil if it is not one.
  private func usedBytes(ofArray block: Int, _ place: UInt64) -> Int? {
    typealias Layout = SwiftLayout.GrowingArray
    guard let count = memory.word(blocks.addresses[block]), let room = memory.word(place &- Layout.room),
      memory.word(place &- Layout.readers) == 0, count > 0, count <= room, room < 1 << 32
    else { return nil }
    return end(of: block, count: count, room: room)
  }

  /// The end of the elements of such a table. Their size is unknown: at most the block's size divided by the capacity.
  private func end(of block: Int, count: UInt64, room: UInt64) -> Int? {
    let bytes = UInt64(blocks.words[block]) * 8
    guard bytes > SwiftLayout.HashMap.first else { return nil }
    let stride = (bytes - SwiftLayout.HashMap.first) / room & ~7
    return stride == 0 ? nil : Int(SwiftLayout.HashMap.first + count * stride)
  }

  /// Bytes that a block may have in excess of the size requested.
  private static let mostRest: UInt64 = 48

  /// True if a word is an index of so many elements: 16 numbers of 4 bits, or a block of larger numbers that begins
  /// with the logarithm of their count.
  private func isIndices(_ word: UInt64, of count: UInt32) -> Bool {
    let kind = word & 3
    if kind == 0 {
      let numbers = (1..<16).map { word >> ($0 * 4) & 15 }.filter { $0 != 0 }
      // The index of an element that is just being added may be there already.
      return word & 15 == 0 && Set(numbers).count == numbers.count && numbers.allSatisfy { $0 <= count + 1 }
        && (Int(count)...Int(count) + 1).contains(numbers.count)
    }
    guard let block = index.exactBlock(at: word & ~3), let first = memory.word(word & ~3) else { return false }
    let logarithm = first & 0xFF
    guard (4...30).contains(logarithm), count <= 1 << logarithm else { return false }
    let (size, bytes) = (UInt64(1) << (logarithm + kind - 1), UInt64(blocks.words[block]) * 8)
    return size <= bytes && bytes <= size + Self.mostRest
  }

  // MARK: Tables of the loader

  /// Records the tables by which the loader finds the library of an address (`_dl_find_object`): each segment refers to
  /// the one of lower addresses.
  private func addObjects(_ word: UInt64, _ tables: inout GraphReader.Tables) {
    typealias Layout = GlibcObjects
    var segment = word
    for _ in 0..<Layout.mostSegments {
      guard let block = index.block(at: segment), let whole = memory.word(segment &+ Layout.block),
        let count = memory.word(segment &+ Layout.count), let room = memory.word(segment &+ Layout.room)
      else { return }
      let (start, bytes) = (blocks.addresses[block], UInt64(blocks.words[block]) * 8)
      let before = segment - start
      // It begins at a cache line, or it is the first of all, which is never freed.
      let isOne = whole == 0 ? before == 0 : whole == start && segment % Layout.line == 0 && before < Layout.line
      guard isOne, count <= room, room >= Layout.smallest, room <= bytes / Layout.stride,
        before + Layout.first + room * Layout.stride <= bytes
      else { return }
      tables.setUsed(Int(before)..<Int(before + Layout.first + count * Layout.stride), of: block)
      segment = memory.word(segment) ?? 0
    }
  }

  // MARK: Streams

  /// Records the buffers of streams that were opened; those of the standard ones are found by their variables.
  func addStreams(_ tables: inout GraphReader.Tables) {
    typealias Layout = GlibcStream
    for block in 0..<blocks.count where Layout.words.contains(blocks.words[block]) {
      let place = blocks.addresses[block] + Layout.buffer
      guard let word = memory.word(place), isBuffer(word, at: place), let buffer = index.exactBlock(at: word) else {
        continue
      }
      tables.setUsed(0..<0, of: buffer)
    }
  }

  /// True if a word is the address of a stream's buffer: bytes that go in or out, and what the memory had before.
  private func isBuffer(_ word: UInt64, at place: UInt64) -> Bool {
    typealias Layout = GlibcStream
    let stream = place &- Layout.buffer
    guard let flags = memory.half(stream), flags & Layout.mask == Layout.magic,
      let end = memory.word(stream &+ Layout.bufferEnd), let read = memory.word(stream &+ Layout.readBase)
    else { return false }
    return end > word && (read == word || read == 0)
  }

  /// Records the texts that the loader keeps of each library, and other known ones.
  ///
  /// - Parameter labels: blocks that contain a text if they look like one.
  func addTexts(_ labels: [Int], _ tables: inout GraphReader.Tables) {
    for block in labels where isText(block) { tables.setUsed(0..<0, of: block) }
    typealias Layout = GlibcObjects.Library
    for block in 0..<blocks.count where Layout.words.contains(blocks.words[block]) {
      let address = blocks.addresses[block]
      // A library's description contains its own address, and the one before it refers to it.
      guard memory.word(address + Layout.itself) == address, let before = memory.word(address + Layout.previous),
        before != 0, memory.word(before &+ Layout.next) == address
      else { continue }
      for offset in stride(from: Layout.name, to: UInt64(blocks.words[block]) * 8, by: 8) {
        guard let text = memory.word(address + offset).flatMap(index.exactBlock) else { continue }
        // Other blocks of the loader begin with an address, whose first byte differs.
        guard isText(text), memory.half(blocks.addresses[text]).map({ $0 & 0xFF }) == 0x2F else { continue }
        tables.setUsed(0..<0, of: text)
      }
    }
  }

  /// True if a block contains a C string.
  private func isText(_ block: Int) -> Bool {
    guard let bytes = memory.copy(at: blocks.addresses[block]) else { return false }
    let part = bytes.prefix(Int(blocks.words[block]) * 8)
    let text = part.prefix { $0 != 0 }
    return !text.isEmpty && text.count < part.count && text.allSatisfy { $0 >= 0x20 }
  }
}

/// A stream of glibc (libio/bits/types/struct_FILE.h, `_IO_FILE`): the same since its beginnings, as programs have it
/// in their variables.
enum GlibcStream {
  static let magic: UInt32 = 0xFBAD_0000
  static let mask: UInt32 = 0xFFFF_0000
  static let readBase: UInt64 = 24
  static let buffer: UInt64 = 56
  static let bufferEnd: UInt64 = 64
  /// A stream with its lock and what it needs for wide characters has some 550 bytes.
  static let words: ClosedRange<UInt32> = 27...96
}

/// The data by which the loader of glibc 2.35 to 2.43 finds the library of an address (elf/dl-find_object.c,
/// `dlfo_mappings_segment`) and describes libraries (include/link.h, `link_map`).
enum GlibcObjects {
  /// The block of a segment, the number of objects, and the capacity.
  static let block: UInt64 = 8
  static let count: UInt64 = 16
  static let room: UInt64 = 24
  static let first: UInt64 = 32
  static let stride: UInt64 = 32
  static let line: UInt64 = 128
  static let smallest: UInt64 = 63
  /// Each has twice the capacity of the one before it.
  static let mostSegments = 32

  enum Library {
    static let name: UInt64 = 8
    static let next: UInt64 = 24
    static let previous: UInt64 = 32
    static let itself: UInt64 = 40
    /// It has about 1,150 bytes, followed by its name.
    static let words: ClosedRange<UInt32> = 128...1024
  }
}
