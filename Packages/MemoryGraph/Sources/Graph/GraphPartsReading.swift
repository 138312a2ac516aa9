import Capture

extension GraphFile {
  mutating func decode(_ part: GraphPart, _ from: inout GraphByteReader) throws(GraphError) {
    switch part {
    case .about: try decodeAbout(&from)
    case .types:
      let count = try from.list()
      guard count > 0 else { throw from.damaged("there is no type") }
      graph.types = []
      for _ in 0..<count { graph.types.append(try Self.type(&from)) }
    case .nodes: try decodeNodes(&from)
    case .references: try decodeReferences(&from)
    case .roots:
      let count = try from.count()
      // One for each block is enough; few have another.
      guard count <= graph.count + Self.moreRoots else { throw from.damaged("there are more roots than blocks") }
      for _ in 0..<count {
        let (label, address) = (try from.text(), try from.number())
        graph.roots.append(Root(label: label, address: address, target: try from.number(below: graph.count)))
      }
      for _ in 0..<(try from.count()) { graph.exempt.insert(try from.number(below: graph.count)) }
      for _ in 0..<(try from.count()) { graph.inTransit.insert(try from.number(below: graph.count)) }
    case .values: try decodeValues(&from)
    case .stacks: try decodeStacks(&from)
    case .look: try decodeLook(&from)
    case .definitions:
      for _ in 0..<(try from.list()) {
        // The types come later; of those that do not exist nothing is asked.
        let type = UInt32(try from.number(below: 1 << 32))
        graph.definitions[type] = Definition(file: try from.text(), line: try from.number(below: 1 << 32))
      }
    }
  }

  /// The most roots of blocks that have one already: one for each array that a thread is just appending to.
  private static let moreRoots = 1 << 16

  private mutating func decodeLook(_ from: inout GraphByteReader) throws(GraphError) {
    looks = try from.number(below: 1 << 16)
    guard looks > 0 else { throw from.damaged("there was no look") }
    for _ in 0..<(try from.list()) {
      let (address, unread) = (try from.number(), try from.number(below: 1 << 57))
      graph.damage.append(HeapDamage(address: address, unread: unread, sentence: try from.text()))
    }
  }

  private mutating func decodeAbout(_ from: inout GraphByteReader) throws(GraphError) {
    graph.process = Int32(try from.number(below: 1 << 31))
    graph.processName = try from.text()
    takenAt = try Self.time(&from, upTo: 1e11)
    let method = try from.text()
    guard Snapshot.Method(rawValue: method) != nil else { throw from.damaged("the way it was taken is unknown") }
    self.method = method
    stopSeconds = try Self.time(&from, upTo: 1e9)
    seconds = try Self.time(&from, upTo: 1e9)
    for _ in 0..<(try from.list()) { graph.remarks.append(try from.text()) }
  }

  private static func time(_ from: inout GraphByteReader, upTo limit: Double) throws(GraphError) -> Double {
    let value = try from.double()
    // NaN is not in any range.
    guard (0...limit).contains(value) else { throw from.damaged("a time is out of range") }
    return value
  }

  /// The limit of an offset in a block, as in `Reference`.
  private static let offsets = 1 << 33

  private static func type(_ from: inout GraphByteReader) throws(GraphError) -> BlockType {
    let name = try from.text()
    guard let language = BlockType.Language(rawValue: try from.text()),
      let kind = BlockType.Kind(rawValue: try from.text())
    else { throw from.damaged("a type's language or kind is unknown") }
    let fields = try fields(&from)
    var superclasses: [String] = []
    for _ in 0..<(try from.list()) { superclasses.append(try from.text()) }
    let size = try from.optional(below: offsets)
    var elements: [BlockType.Elements] = []
    for _ in 0..<(try from.list()) { elements.append(try Self.elements(&from)) }
    return BlockType(
      name, language, kind, fields: fields, superclasses: superclasses, size: size, elements: elements)
  }

  private static func elements(_ from: inout GraphByteReader) throws(GraphError) -> BlockType.Elements {
    guard let role = BlockType.Elements.Role(rawValue: try from.text()) else {
      throw from.damaged("what elements are is unknown")
    }
    let (first, stride) = (try from.number(below: offsets), try from.number(below: offsets))
    let count = try from.optional(below: offsets)
    return BlockType.Elements(role, first: first, stride: stride, count: count, fields: try fields(&from))
  }

  private static func fields(_ from: inout GraphByteReader) throws(GraphError) -> [BlockType.Field] {
    var fields: [BlockType.Field] = []
    for _ in 0..<(try from.list()) {
      let (name, offset, typeName) = (try from.text(), try from.number(below: offsets), try from.text())
      let bits = try from.number(below: 32)
      var field = BlockType.Field(
        name, offset: offset, typeName: typeName, kind: Reference.Kind(rawValue: UInt32(bits >> 1 & 3))!,
        isReference: bits & 1 == 1)
      field.isExistential = bits & 8 != 0
      field.isVague = bits & 16 != 0
      fields.append(field)
    }
    return fields
  }

  /// The limit of addresses of a program's memory.
  private static let highest = UInt64(1) << 57

  private mutating func decodeNodes(_ from: inout GraphByteReader) throws(GraphError) {
    let count = try from.count()
    let shift = try from.number(below: 64)
    graph.addresses.reserveCapacity(count)
    var address: UInt64 = 0
    for node in 0..<count {
      let step = try from.number()
      guard step > 0 || node == 0 else { throw from.damaged("addresses do not rise") }
      guard step <= Self.highest >> UInt64(shift) else { throw from.damaged("an address is too high") }
      address += step << UInt64(shift)
      guard address <= Self.highest else { throw from.damaged("an address is too high") }
      graph.addresses.append(address)
    }
    graph.words = try from.column(count, below: 1 << 32)
    // All blocks together fit below the highest address.
    guard graph.words.reduce(UInt64(0), { $0 &+ UInt64($1) }) < 1 << 54 else {
      throw from.damaged("sizes are too high")
    }
    graph.typeOf = try from.column(count, below: graph.types.count)
    graph.strongCounts = try from.column(count, below: 1 << 32)
    graph.unownedCounts = try from.column(count, below: 1 << 32)
    for _ in 0..<(try from.count()) {
      graph.weakCounts[UInt32(try from.number(below: count))] = UInt32(try from.number(below: 1 << 32))
    }
  }

  private mutating func decodeReferences(_ from: inout GraphByteReader) throws(GraphError) {
    graph.firstReference.reserveCapacity(graph.count + 1)
    var total = 0
    for _ in 0..<graph.count {
      total += try from.number(below: 1 << 30)
      guard total < 1 << 32 else { throw from.damaged("there are too many references") }
      graph.firstReference.append(UInt32(total))
    }
    try from.expect(total * 2)
    var targets: [UInt32] = []
    targets.reserveCapacity(total)
    for node in 0..<graph.count {
      for _ in graph.firstReference[node]..<graph.firstReference[node + 1] {
        let target = node &+ (try from.signed())
        guard target >= 0, target < graph.count else { throw from.damaged("a reference leads nowhere") }
        targets.append(UInt32(target))
      }
    }
    graph.references.reserveCapacity(total)
    for target in targets {
      let place = UInt32(try from.number(below: 1 << 32))
      graph.references.append(
        Reference(to: Int(target), offset: Int(place >> 2) << 3, Reference.Kind(rawValue: place & 3)!))
    }
  }

  private mutating func decodeValues(_ from: inout GraphByteReader) throws(GraphError) {
    for _ in 0..<(try from.list()) {
      let node = UInt32(try from.number(below: graph.count))
      for _ in 0..<(try from.list()) {
        let offset = try from.number(below: Self.offsets)
        guard let kind = Value.Kind(rawValue: try from.text()) else { throw from.damaged("a value's kind is unknown") }
        graph.values[node, default: []]
          .append(Value(offset: offset, kind: kind, text: try from.text(), bytes: try from.data()))
      }
    }
  }

  private mutating func decodeStacks(_ from: inout GraphByteReader) throws(GraphError) {
    for _ in 0..<(try from.list()) {
      let (address, image, function, file) = (try from.number(), try from.text(), try from.text(), try from.text())
      graph.frames.append(
        Frame(
          address: address, image: printable(image), function: function.isEmpty ? nil : printable(function),
          file: file.isEmpty ? nil : printable(file), line: try from.optional(below: 1 << 32)))
    }
    for _ in 0..<(try from.list()) {
      graph.stacks.append(try from.column(try from.count(), below: graph.frames.count))
    }
    let recorded = try from.count()
    guard recorded == 0 || recorded == graph.count else { throw from.damaged("stacks do not belong to the blocks") }
    graph.allocatedAt = try from.column(recorded, below: graph.stacks.count + 1)
    for _ in 0..<(try from.count()) {
      graph.suspendedAt[UInt32(try from.number(below: graph.count))] = UInt32(
        try from.number(below: graph.stacks.count))
    }
  }
}
