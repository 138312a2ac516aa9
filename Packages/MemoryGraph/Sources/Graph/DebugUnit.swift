/// The sections of a file with debug information (DWARF 5, section 7; versions 2 to 5).
package struct DebugSections {
  let entries, abbreviations, texts, lineTexts, textOffsets, addresses, ranges, rangeLists,
    lines: UnsafeRawBufferPointer

  /// - Parameter contents: returns the bytes of a section, such as ".debug_line"; they have to outlive this.
  package init(_ contents: (_ name: String) -> UnsafeRawBufferPointer) {
    (entries, abbreviations, lines) = (contents(".debug_info"), contents(".debug_abbrev"), contents(".debug_line"))
    (texts, lineTexts) = (contents(".debug_str"), contents(".debug_line_str"))
    (textOffsets, addresses) = (contents(".debug_str_offsets"), contents(".debug_addr"))
    (ranges, rangeLists) = (contents(".debug_ranges"), contents(".debug_rnglists"))
  }
}

/// An attribute of entries (DWARF 5, section 7.5.4): those that are read.
enum DebugAttribute {
  static let (name, lines, low, high, folder): (UInt64, UInt64, UInt64, UInt64, UInt64) = (0x03, 0x10, 0x11, 0x12, 0x1B)
  static let (origin, declaredFile, declaredLine): (UInt64, UInt64, UInt64) = (0x31, 0x3A, 0x3B)
  static let (specification, ranges, callFile, callLine): (UInt64, UInt64, UInt64, UInt64) = (0x47, 0x55, 0x58, 0x59)
  static let (linkageName, oldLinkageName): (UInt64, UInt64) = (0x6E, 0x2007)
  static let (textBase, addressBase, rangesBase): (UInt64, UInt64, UInt64) = (0x72, 0x73, 0x74)
}

/// The shape of entries: their tag and attributes.
struct DebugAbbreviation {
  struct Attribute {
    var name, form: UInt64
    var constant: Int64
  }
  var code, tag: UInt64
  var hasChildren: Bool
  var attributes: [Attribute] = []
  /// The bytes of an entry's attributes; nil when they vary.
  var size: Int?

  /// Reads the next one of a table; nil at its end.
  init?(_ from: inout DebugBytes, _ context: DebugForm.Context) {
    code = from.number()
    guard code != 0, !from.isAtEnd else { return nil }
    tag = from.number()
    hasChildren = from.byte() != 0
    size = 0
    while !from.isAtEnd {
      let (name, form) = (from.number(), from.number())
      let constant = form == 0x21 ? from.signedNumber() : 0
      if name == 0, form == 0 { return }
      attributes.append(Attribute(name: name, form: form, constant: constant))
      size = size.flatMap { size in DebugForm.size(form, context).map { size + $0 } }
    }
  }
}

/// A unit of debug information: what one call of the compiler has made.
struct DebugUnit {
  let sections: DebugSections
  /// The place of its first entry in `.debug_info`, and the end of the last one.
  private(set) var first = 0
  let end: Int
  private(set) var context: DebugForm.Context
  private let abbreviations: Int
  private var (textBase, addressBase, rangesBase): (UInt64, UInt64, UInt64) = (0, 0, 0)
  /// The place of its line table, and the folder in which it was compiled.
  private(set) var lines: UInt64?
  private(set) var folder: DebugText?
  private(set) var places: [Range<UInt64>] = []
  private var low: UInt64 = 0

  /// Reads a unit's header and its first entry.
  ///
  /// - Parameter from: at the unit; afterwards at the next one.
  init?(_ from: inout DebugBytes, _ sections: DebugSections) {
    self.sections = sections
    let start = UInt64(from.at)
    let (count, offsetSize) = from.length()
    let body = from.at
    guard count > 0 else { return nil }
    from.skip(count)
    end = from.at
    var head = DebugBytes(sections.entries, from: body, to: end)
    context = DebugForm.Context(
      own: sections.entries, texts: sections.texts, lineTexts: sections.lineTexts, version: head.fixed(2),
      offsetSize: offsetSize, addressSize: 8, unit: start)
    var kind: UInt8 = 1
    if context.version == 5 {
      kind = head.byte()
      context.addressSize = Int(head.byte())
      abbreviations = Int(truncatingIfNeeded: head.fixed(offsetSize))
      // The unit of a program whose rest is in another file, or of a type, has more.
      if kind == 4 || kind == 5 { head.skip(8) }
      if kind == 2 || kind == 6 { head.skip(offsetSize == 8 ? 16 : 12) }
    } else {
      abbreviations = Int(truncatingIfNeeded: head.fixed(offsetSize))
      context.addressSize = Int(head.byte())
    }
    first = head.at
    guard (2...5).contains(context.version), context.addressSize <= 8 else { return }
    readFirst()
  }

  private mutating func readFirst() {
    var from = DebugBytes(sections.entries, from: first, to: end)
    let code = from.number()
    var table = DebugBytes(sections.abbreviations, from: abbreviations)
    while let shape = DebugAbbreviation(&table, context) {
      guard shape.code == code else { continue }
      var (values, ranges): ([UInt64: DebugValue], DebugValue?) = ([:], nil)
      for attribute in shape.attributes {
        guard let value = DebugForm.read(attribute.form, constant: attribute.constant, &from, context) else { break }
        switch (attribute.name, value) {
        case (DebugAttribute.textBase, .number(let base)): textBase = base
        case (DebugAttribute.addressBase, .number(let base)): addressBase = base
        case (DebugAttribute.rangesBase, .number(let base)): rangesBase = base
        case (DebugAttribute.lines, .number(let place)): lines = place
        case (DebugAttribute.ranges, _): ranges = value
        case (DebugAttribute.low, _), (DebugAttribute.high, _), (DebugAttribute.folder, _):
          values[attribute.name] = value
        default: break
        }
      }
      low = values[DebugAttribute.low].flatMap(address) ?? 0
      folder = values[DebugAttribute.folder].flatMap(text)
      places = self.ranges(
        low: values[DebugAttribute.low], high: values[DebugAttribute.high], ranges: ranges)
      return
    }
  }

  /// All shapes of the unit's entries, by their codes less 1.
  func shapes() -> [DebugAbbreviation?] {
    var found: [DebugAbbreviation?] = []
    var table = DebugBytes(sections.abbreviations, from: abbreviations)
    while let shape = DebugAbbreviation(&table, context), shape.code <= Self.mostShapes {
      while found.count < Int(shape.code) { found.append(nil) }
      found[Int(shape.code) - 1] = shape
    }
    return found
  }

  private static let mostShapes: UInt64 = 1 << 16
  private static let mostRanges = 1 << 20

  // MARK: Values

  func address(_ value: DebugValue) -> UInt64? {
    switch value {
    case .address(let address): return address
    case .addressIndex(let index):
      let place = addressBase &+ index &* UInt64(context.addressSize)
      guard place < UInt64(sections.addresses.count) else { return nil }
      var from = DebugBytes(sections.addresses, from: Int(place))
      return from.fixed(context.addressSize)
    default: return nil
    }
  }

  func text(_ value: DebugValue) -> DebugText? {
    switch value {
    case .text(let text): return text
    case .textIndex(let index):
      let place = textBase &+ index &* UInt64(context.offsetSize)
      guard place < UInt64(sections.textOffsets.count) else { return nil }
      var from = DebugBytes(sections.textOffsets, from: Int(place))
      let offset = Int(truncatingIfNeeded: from.fixed(context.offsetSize))
      return DebugText(section: sections.texts, place: offset)
    default: return nil
    }
  }

  func ranges(low: DebugValue?, high: DebugValue?, ranges: DebugValue?) -> [Range<UInt64>] {
    if let ranges { return listed(ranges) }
    guard let start = low.flatMap(address), let high else { return [] }
    var end: UInt64?
    if case .number(let size) = high { end = start &+ size } else { end = address(high) }
    guard let end, end > start, start > 0 else { return [] }
    return [start..<end]
  }

  /// The ranges of a list (DWARF 5, section 2.17.3).
  private func listed(_ list: DebugValue) -> [Range<UInt64>] {
    var found: [Range<UInt64>] = []
    func add(_ start: UInt64, _ end: UInt64) { if start > 0, end > start { found.append(start..<end) } }
    var base = low
    var place: UInt64
    switch list {
    case .number(let offset): place = offset
    case .rangesIndex(let index):
      let entry = rangesBase &+ index &* UInt64(context.offsetSize)
      guard entry < UInt64(sections.rangeLists.count) else { return [] }
      var from = DebugBytes(sections.rangeLists, from: Int(entry))
      place = rangesBase &+ from.fixed(context.offsetSize)
    default: return []
    }
    let section = context.version >= 5 ? sections.rangeLists : sections.ranges
    guard place < UInt64(section.count) else { return [] }
    var from = DebugBytes(section, from: Int(place))
    func indexed(_ index: UInt64) -> UInt64 { address(.addressIndex(index)) ?? 0 }
    while !from.isAtEnd, found.count < Self.mostRanges {
      if context.version < 5 {
        let (start, end) = (from.fixed(context.addressSize), from.fixed(context.addressSize))
        if start == 0, end == 0 { break }
        if start == .max >> UInt64(64 - 8 * max(1, context.addressSize)) {
          base = end
        } else {
          add(base &+ start, base &+ end)
        }
        continue
      }
      switch from.byte() {
      case 1: base = indexed(from.number())
      case 2:
        let start = indexed(from.number())
        add(start, indexed(from.number()))
      case 3:
        let start = indexed(from.number())
        add(start, start &+ from.number())
      case 4:
        let start = from.number()
        add(base &+ start, base &+ from.number())
      case 5: base = from.fixed(context.addressSize)
      case 6:
        let start = from.fixed(context.addressSize)
        add(start, from.fixed(context.addressSize))
      case 7:
        let start = from.fixed(context.addressSize)
        add(start, start &+ from.number())
      default: return found
      }
    }
    return found
  }
}
