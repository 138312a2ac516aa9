import Capture

/// The parts of a graph file, in the order in which they are written and read.
enum GraphPart: String, CaseIterable {
  /// Further data about the look, which older files lack. It comes first, so that a truncated file still has it.
  case look = "LOOK"
  /// Where classes are defined; older files lack it.
  case definitions = "DEFN"
  /// The process, and how the look was taken.
  case about = "META"
  case types = "TYPE"
  case nodes = "NODE"
  case references = "EDGE"
  case roots = "ROOT"
  case values = "VALS"
  case stacks = "STCK"

  var isOptional: Bool { self == .look || self == .definitions }
}

extension GraphFile {
  func encoded(_ part: GraphPart) -> [UInt8] {
    var to = GraphByteWriter()
    switch part {
    case .about: encodeAbout(&to)
    case .types:
      to.number(graph.types.count)
      graph.types.forEach { Self.encode($0, &to) }
    case .nodes: encodeNodes(&to)
    case .references: encodeReferences(&to)
    case .roots:
      to.number(graph.roots.count)
      for root in graph.roots {
        to.text(root.label)
        to.number(root.address)
        to.number(UInt64(root.target))
      }
      for set in [graph.exempt, graph.inTransit] {
        to.number(set.count)
        for node in set.sorted() { to.number(node) }
      }
    case .values: encodeValues(&to)
    case .stacks: encodeStacks(&to)
    case .definitions:
      to.number(graph.definitions.count)
      for (type, place) in graph.definitions.sorted(by: { $0.key < $1.key }) {
        to.number(UInt64(type))
        to.text(place.file)
        to.number(place.line)
      }
    case .look:
      to.number(looks)
      to.number(graph.damage.count)
      for damage in graph.damage {
        to.number(damage.address)
        to.number(damage.unread)
        to.text(damage.sentence)
      }
    }
    return to.bytes
  }

  private func encodeAbout(_ to: inout GraphByteWriter) {
    to.number(Int(graph.process))
    to.text(graph.processName)
    to.double(takenAt)
    to.text(method)
    to.double(stopSeconds)
    to.double(seconds)
    to.number(graph.remarks.count)
    graph.remarks.forEach { to.text($0) }
  }

  private static func encode(_ type: BlockType, _ to: inout GraphByteWriter) {
    to.text(type.name)
    to.text(type.language.rawValue)
    to.text(type.kind.rawValue)
    encode(type.fields, &to)
    to.number(type.superclasses.count)
    type.superclasses.forEach { to.text($0) }
    to.optional(type.size)
    to.number(type.elements.count)
    for elements in type.elements {
      to.text(elements.role.rawValue)
      to.number(elements.first)
      to.number(elements.stride)
      to.optional(elements.count)
      encode(elements.fields, &to)
    }
  }

  private static func encode(_ fields: [BlockType.Field], _ to: inout GraphByteWriter) {
    to.number(fields.count)
    for field in fields {
      to.text(field.name)
      to.number(field.offset)
      to.text(field.typeName)
      to.number(
        UInt64(field.kind.rawValue) << 1 | (field.isReference ? 1 : 0) | (field.isExistential ? 8 : 0)
          | (field.isVague ? 16 : 0))
    }
  }

  /// Column by column, so that similar values are adjacent.
  private func encodeNodes(_ to: inout GraphByteWriter) {
    to.number(graph.count)
    // The low bits that are zero in all addresses: 4 with glibc.
    let shift = min(63, graph.addresses.reduce(UInt64(0), |).trailingZeroBitCount)
    to.number(shift)
    var before: UInt64 = 0
    for address in graph.addresses {
      to.number((address &- before) >> UInt64(shift))
      before = address
    }
    for column in [graph.words, graph.typeOf, graph.strongCounts, graph.unownedCounts] {
      for value in column { to.number(UInt64(value)) }
    }
    encode(graph.weakCounts, &to)
  }

  private func encode(_ numbers: [UInt32: UInt32], _ to: inout GraphByteWriter) {
    to.number(numbers.count)
    for (node, number) in numbers.sorted(by: { $0.key < $1.key }) {
      to.number(UInt64(node))
      to.number(UInt64(number))
    }
  }

  private func encodeReferences(_ to: inout GraphByteWriter) {
    for node in 0..<graph.count { to.number(UInt64(graph.firstReference[node + 1] - graph.firstReference[node])) }
    for node in 0..<graph.count {
      for reference in graph.references(of: node) { to.signed(Int(reference.target) - node) }
    }
    for reference in graph.references { to.number(UInt64(reference.placeAndKind)) }
  }

  private func encodeValues(_ to: inout GraphByteWriter) {
    to.number(graph.values.count)
    for (node, values) in graph.values.sorted(by: { $0.key < $1.key }) {
      to.number(UInt64(node))
      to.number(values.count)
      for value in values {
        to.number(value.offset)
        to.text(value.kind.rawValue)
        to.text(value.text)
        to.data(value.bytes)
      }
    }
  }

  private func encodeStacks(_ to: inout GraphByteWriter) {
    to.number(graph.frames.count)
    for frame in graph.frames {
      to.number(frame.address)
      to.text(frame.image)
      // An unknown name is an empty text, which no function has.
      to.text(frame.function ?? "")
      to.text(frame.file ?? "")
      to.optional(frame.line)
    }
    to.number(graph.stacks.count)
    for stack in graph.stacks {
      to.number(stack.count)
      stack.forEach { to.number(UInt64($0)) }
    }
    to.number(graph.allocatedAt.count)
    graph.allocatedAt.forEach { to.number(UInt64($0)) }
    encode(graph.suspendedAt, &to)
  }
}
