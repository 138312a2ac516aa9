public import Capture
import Glibc

/// Reads the values in selected blocks: strings, numbers, images.
///
/// Not thread-safe.
public final class ValueReader {
  private let memory: MemoryImage
  private let mappings: [Mapping]
  private let process: Int32
  private let graph: ObjectGraph
  /// The readable places of each type examined so far.
  private var places: [UInt32: Places] = [:]
  private var imageBytes = 0
  private var valuesRead = 0

  /// Keeps the parts of a snapshot's copy with blocks of readable types, and those outside of blocks; the rest is
  /// released.
  public init(_ snapshot: Snapshot, _ graph: ObjectGraph) {
    (memory, mappings, process) = (snapshot.memory, snapshot.mappings, snapshot.files)
    self.graph = graph
    dropUnreadable()
  }

  public func values(of nodes: some Sequence<Int>) -> [UInt32: [Value]] {
    var found: [UInt32: [Value]] = [:]
    for node in nodes where found[UInt32(node)] == nil && valuesRead < Self.mostValues {
      let values = values(of: node)
      valuesRead += values.count
      if !values.isEmpty { found[UInt32(node)] = values }
    }
    return found
  }

  // MARK: Limits

  private static let longestText = 200
  /// The most elements of a collection, and values in all.
  private static let mostElements = 256
  private static let mostValues = 100_000
  /// The most bytes of one image, and of all.
  private static let largestImage = 256 << 10
  private static let allImages = 8 << 20

  // MARK: Readable places

  private struct Places {
    var fields: [Place] = []
    var elements: [(part: BlockType.Elements, fields: [Place])] = []
    /// The content of a string's own storage, and of storage with bytes.
    var content: Content?
    var isEmpty: Bool { fields.isEmpty && elements.isEmpty && content == nil }
  }
  /// The place of a value, or, of an optional structure, the encoding of nil.
  private struct Place {
    var offset: Int
    var scalar: Scalar?
    var absence: Absence?
    var name: String?
  }
  private enum Content {
    case text
    case bytes
    /// `Data`'s storage: the bytes are in a block of their own.
    case data(pointer: Int, length: Int)
  }

  private func places(of number: UInt32) -> Places {
    if let known = places[number] { return known }
    let type = graph.types[Int(number)]
    var found = Places()
    found.fields = Self.scalars(type.fields.filter { !Self.isInternal($0) })
    found.elements = type.elements.map { ($0, Self.scalars($0.fields)) }.filter { !$0.1.isEmpty }
    found.content = Self.content(type)
    switch found.content {
    // Bytes are an image, or too many numbers.
    case .bytes: found.elements = []
    // A string's own count is in its flags.
    case .text: found.fields = []
    default: break
    }
    places[number] = found
    return found
  }

  /// True for Foundation's internal fields in objects shared with CoreFoundation.
  private static func isInternal(_ field: BlockType.Field) -> Bool { field.name.hasPrefix("_cfinfo") }

  private static func content(_ type: BlockType) -> Content? {
    if type.isText { return .text }
    if type.name == "Array<UInt8> storage" { return .bytes }
    guard type.name.hasSuffix("__DataStorage"),
      let pointer = type.fields.first(where: { $0.name == "_bytes" })?.offset,
      let length = type.fields.first(where: { $0.name == "_length" })?.offset
    else { return nil }
    return .data(pointer: pointer, length: length)
  }

  private static func scalars(_ fields: [BlockType.Field]) -> [Place] {
    var found: [Place] = []
    var end = Int.min
    for field in fields {
      if let absence = field.absence {
        found.append(Place(offset: field.offset, absence: absence, name: field.name))
      }
      // After an optional come its parts, at the same offset.
      guard field.offset >= end,
        let scalar = Scalar(cases: field.cases, size: field.caseSize) ?? Scalar(typeName: field.typeName)
      else { continue }
      found.append(Place(offset: field.offset, scalar: scalar))
      end = field.offset + scalar.size
    }
    return found.contains { $0.scalar != nil } ? found : []
  }

  private func dropUnreadable() {
    let isReadable = graph.types.indices.map { !places(of: UInt32($0)).isEmpty }
    // The bytes of Data are in a block of unknown type.
    var kept: Set<Int> = []
    for (number, type) in graph.types.enumerated() {
      guard case .data = Self.content(type) else { continue }
      for node in 0..<graph.count where graph.typeOf[node] == number {
        kept.formUnion(graph.references(of: node).map { Int($0.target) })
      }
    }
    var run: Range<UInt64> = 0..<0
    for node in 0..<graph.count {
      let start = graph.addresses[node]
      let isKept = isReadable[Int(graph.typeOf[node])] || !kept.isEmpty && kept.contains(node)
      // Less than a page between two blocks belongs to the heap.
      let follows = !isKept && !run.isEmpty && start >= run.upperBound && start - run.upperBound < Self.page
      if !follows {
        memory.drop(run)
        run = start..<start
      }
      if !isKept { run = run.lowerBound..<start + UInt64(graph.bytes(of: node)) }
    }
    memory.drop(run)
  }

  private static let page: UInt64 = 4096

  // MARK: Reading

  private func values(of node: Int) -> [Value] {
    let places = places(of: graph.typeOf[node])
    let (start, end) = (graph.addresses[node], graph.bytes(of: node))
    var found: [Value] = []
    func add(_ fields: [Place], at base: Int) {
      // The parts of an empty optional are stale.
      var absent = Int.min
      for place in fields where place.offset >= absent {
        let offset = base + place.offset
        if let absence = place.absence {
          guard offset + absence.extent <= end, isAbsent(absence, start + UInt64(offset)) else { continue }
          absent = place.offset + absence.extent
          found.append(Value(offset: offset, kind: .number, text: "nil", field: base == 0 ? place.name : nil))
        } else if let scalar = place.scalar, offset + scalar.size <= end,
          let value = value(scalar, start + UInt64(offset), offset: offset)
        {
          found.append(value)
        }
      }
    }
    add(places.fields, at: 0)
    for (part, fields) in places.elements {
      var shown = 0
      for index in 0..<count(part, start, end) where shown < Self.mostElements {
        if part.role != .element, !isTaken(index, start) { continue }
        shown += 1
        add(fields, at: part.first + index * part.stride)
      }
    }
    if let content = places.content, let value = value(content, node, offset: SwiftLayout.firstElement) {
      found.append(value)
      if case .text = content {
        found.append(Value(offset: Int(SwiftLayout.stringCount), kind: .number, text: "\(stringCount(node))"))
      }
    }
    for reference in graph.references(of: node) {
      // The contents of an object's byte array are shown with the object.
      guard let content = self.places(of: graph.typeOf[Int(reference.target)]).content, places.content == nil else {
        continue
      }
      if case .text = content { continue }
      if let value = value(content, Int(reference.target), offset: reference.offset) { found.append(value) }
    }
    // The length of Data tells less than the image in it.
    let images = Set(found.filter { $0.kind == .image }.map(\.offset))
    if !images.isEmpty { found.removeAll { $0.kind == .number && images.contains($0.offset + 8) } }
    return found.sorted { $0.offset < $1.offset }
  }

  private func isAbsent(_ absence: Absence, _ address: UInt64) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8)
    guard memory.read(address + UInt64(absence.offset), absence.size, into: &bytes) else { return false }
    return bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == absence.value
  }

  private func count(_ part: BlockType.Elements, _ start: UInt64, _ end: Int) -> Int {
    guard part.stride > 0, part.first < end else { return 0 }
    let room = (end - part.first) / part.stride
    if let count = part.count { return min(count, room) }
    return min(room, Int(clamping: memory.word(start + SwiftLayout.arrayCount) ?? 0))
  }

  /// True if a bucket of a dictionary or of a set is in use: there is a bit for each after the header.
  private func isTaken(_ bucket: Int, _ start: UInt64) -> Bool {
    guard let word = memory.word(start &+ SwiftLayout.tableBits &+ UInt64(bucket >> 6) &* 8) else { return false }
    return word >> UInt64(bucket & 63) & 1 == 1
  }

  private func value(_ scalar: Scalar, _ address: UInt64, offset: Int) -> Value? {
    var bytes = [UInt8](repeating: 0, count: scalar.size)
    guard memory.read(address, bytes.count, into: &bytes) else { return nil }
    switch scalar.read(bytes) {
    case .number(let text): return Value(offset: offset, kind: .number, text: text)
    case .text(let bytes, let isWhole): return text(bytes, isWhole, offset)
    case .stored(let place, let count):
      return read(place, min(count, Self.longestText)).flatMap { text($0, count <= Self.longestText, offset) }
    case .url(let place): return url(place, offset)
    case nil: return nil
    }
  }

  /// A URL refers to an object, which refers to the one with its text.
  private func url(_ address: UInt64, _ offset: Int) -> Value? {
    func field(_ address: UInt64, _ type: String, _ name: String) -> UInt64? {
      guard let node = graph.node(at: address), graph.addresses[node] == address,
        graph.type(of: node).name.hasSuffix(".\(type)"),
        let field = graph.type(of: node).fields.first(where: { $0.name == name })
      else { return nil }
      return address + UInt64(field.offset)
    }
    guard let info = field(address, "_SwiftURL", "_parseInfo").flatMap(memory.word),
      let text = field(info, "URLParseInfo", "urlString")
    else { return nil }
    return value(Scalar(typeName: "String")!, text, offset: offset)
  }

  private func text(_ bytes: [UInt8], _ isWhole: Bool, _ offset: Int) -> Value? {
    var bytes = bytes[...]
    // A cut text may end within a character.
    if !isWhole { while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() } }
    if !isWhole, let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    let text = printable(String(decoding: bytes, as: UTF8.self))
    return Value(offset: offset, kind: .text, text: isWhole ? text : text + "…")
  }

  private func value(_ content: Content, _ node: Int, offset: Int) -> Value? {
    let (start, end) = (graph.addresses[node], graph.bytes(of: node))
    func word(_ place: UInt64) -> Int { Int(clamping: memory.word(start + place) ?? 0) }
    switch content {
    case .text:
      let count = stringCount(node)
      guard count <= end - SwiftLayout.firstElement else { return nil }
      return read(start + UInt64(SwiftLayout.firstElement), min(count, Self.longestText))
        .flatMap { text($0, count <= Self.longestText, offset) }
    case .bytes:
      let count = word(SwiftLayout.arrayCount)
      guard count <= end - SwiftLayout.firstElement else { return nil }
      return image(start + UInt64(SwiftLayout.firstElement), count, offset)
    case .data(let pointer, let length):
      guard let place = memory.word(start + UInt64(pointer)), let target = graph.node(at: place),
        UInt64(word(UInt64(length))) <= UInt64(graph.bytes(of: target)) - (place - graph.addresses[target])
      else { return nil }
      return image(place, word(UInt64(length)), offset)
    }
  }

  /// The bytes of a string in its own storage; the upper 16 bits are flags.
  private func stringCount(_ node: Int) -> Int {
    Int((memory.word(graph.addresses[node] + SwiftLayout.stringCount) ?? 0) & SwiftLayout.stringSize)
  }

  private func image(_ address: UInt64, _ count: Int, _ offset: Int) -> Value? {
    guard count >= 16, let head = read(address, 16) else { return nil }
    let signatures: [(name: String, bytes: [UInt8])] = [
      ("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("JPEG", [0xFF, 0xD8, 0xFF]),
    ]
    guard let name = signatures.first(where: { head.starts(with: $0.bytes) })?.name else { return nil }
    let isShown = count <= Self.largestImage && imageBytes + count <= Self.allImages
    let bytes = isShown ? read(address, count) ?? [] : []
    imageBytes += bytes.count
    return Value(offset: offset, kind: .image, text: "\(name) of \(count) bytes", bytes: bytes)
  }

  /// Reads from the copy, else from the mapped file, since a program's literals are not copied.
  private func read(_ address: UInt64, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    if count == 0 || memory.read(address, count, into: &bytes) { return bytes }
    guard let mapping = mappings.first(where: { $0.contains(address) }), mapping.isFile, !mapping.isWritable,
      UInt64(count) <= mapping.end - address
    else { return nil }
    let file = openMapped(mapping.path, of: process)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let place = address - mapping.start + mapping.fileOffset
    return pread(file, &bytes, count, Int(place)) == count ? bytes : nil
  }
}
