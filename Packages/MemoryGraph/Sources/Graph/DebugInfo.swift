import Capture

/// The functions, files and lines of some addresses, from a file's debug information. Only the units that contain the
/// addresses are read: a program may have a hundred megabytes of them.
package struct DebugInfo {
  package struct Place: Equatable {
    package var file: String
    package var line: Int
  }
  /// An inlined call.
  package struct Inlined: Equatable {
    /// The mangled name of the function that was inlined; nil when unknown.
    package var name: String?
    /// Where it was called.
    package var place: Place?
  }

  /// The line of an address; nil for code that the compiler has generated.
  package private(set) var places: [UInt64: Place] = [:]
  /// The inlined calls at an address, the innermost first.
  package private(set) var inlined: [UInt64: [Inlined]] = [:]
  /// The line where a function's code begins, by its address.
  package private(set) var begins: [UInt64: Place] = [:]
  /// Where a function is declared, by its address.
  package private(set) var declared: [UInt64: Place] = [:]

  private let sections: DebugSections
  private let wanted: [UInt64]
  private let functions: Set<UInt64>
  private var starts: [Int] = []

  /// - Parameters:
  ///   - wanted: addresses, as in the file, within functions.
  ///   - functions: addresses of functions.
  package init(_ sections: DebugSections, at wanted: [UInt64], functions: Set<UInt64> = []) {
    self.sections = sections
    self.wanted = Set(wanted + functions).sorted()
    self.functions = functions
    var chosen: [(unit: DebugUnit, wanted: [UInt64])] = []
    var from = DebugBytes(sections.entries)
    while !from.isAtEnd {
      starts.append(from.at)
      guard let unit = DebugUnit(&from, sections) else { break }
      let here = unit.places.flatMap { self.wanted.elements(in: $0) }
      if !here.isEmpty { chosen.append((unit, Set(here).sorted())) }
    }
    for (unit, wanted) in chosen { read(unit, wanted) }
  }

  private mutating func read(_ unit: DebugUnit, _ wanted: [UInt64]) {
    var lines: DebugLines?
    if let place = unit.lines, place < UInt64(sections.lines.count) {
      lines = DebugLines(
        sections, at: Int(place), folder: unit.folder, addressSize: unit.context.addressSize, wanted: wanted,
        functions: functions)
    }
    if let lines {
      places.merge(lines.places) { old, _ in old }
      begins.merge(lines.begins) { old, _ in old }
    }
    readEntries(unit, wanted, lines)
  }

  // MARK: Entries

  /// The attributes of an entry that are used.
  private struct Entry {
    var (low, high, ranges): (DebugValue?, DebugValue?, DebugValue?)
    var (origin, name, linkageName): (UInt64?, DebugValue?, DebugValue?)
    var (file, line): (UInt64, UInt64) = (0, 0)
    var (declaredFile, declaredLine): (UInt64, UInt64) = (0, 0)

    mutating func set(_ name: UInt64, _ value: DebugValue) {
      switch (name, value) {
      case (DebugAttribute.low, _): low = value
      case (DebugAttribute.high, _): high = value
      case (DebugAttribute.ranges, _): ranges = value
      case (DebugAttribute.origin, .entry(let place)), (DebugAttribute.specification, .entry(let place)):
        origin = place
      case (DebugAttribute.name, _): self.name = value
      case (DebugAttribute.linkageName, _), (DebugAttribute.oldLinkageName, _): linkageName = value
      case (DebugAttribute.callFile, .number(let number)): file = number
      case (DebugAttribute.callLine, .number(let number)): line = number
      case (DebugAttribute.declaredFile, .number(let number)): declaredFile = number
      case (DebugAttribute.declaredLine, .number(let number)): declaredLine = number
      default: break
      }
    }
  }

  private static let (inlinedCall, function): (UInt64, UInt64) = (0x1D, 0x2E)

  private mutating func readEntries(_ unit: DebugUnit, _ wanted: [UInt64], _ lines: DebugLines?) {
    let shapes = unit.shapes()
    var from = DebugBytes(sections.entries, from: unit.first, to: unit.end)
    var depth = 0
    /// Below this depth no entry contains an address that is wanted.
    var emptyBelow = Int.max
    var names: [UInt64: String?] = [:]
    while !from.isAtEnd {
      let code = from.number()
      if code == 0 {
        depth -= 1
        if depth <= emptyBelow { emptyBelow = .max }
        if depth <= 0 { break }
        continue
      }
      guard code <= UInt64(shapes.count), let shape = shapes[Int(code) - 1] else { return }
      let level = depth
      if shape.hasChildren { depth += 1 }
      defer { if depth == 0 { from.skip(.max) } }
      let isRead = emptyBelow == .max && (shape.tag == Self.inlinedCall || shape.tag == Self.function)
      if !isRead {
        guard Self.skip(shape, &from, unit) else { return }
      } else {
        guard let entry = Self.entry(shape, &from, unit) else { return }
        let ranges = unit.ranges(low: entry.low, high: entry.high, ranges: entry.ranges)
        let here = ranges.flatMap { wanted.elements(in: $0) }
        // What has an address of its own contains the addresses of all in it.
        if here.isEmpty, !ranges.isEmpty, shape.hasChildren { emptyBelow = level }
        if !here.isEmpty, shape.tag == Self.inlinedCall {
          let name = entry.origin.flatMap { origin in
            if let known = names[origin] { return known }
            names[origin] = self.name(ofEntry: origin)
            return names[origin]!
          }
          let file = lines?.path(Int(truncatingIfNeeded: entry.file))
          let call = Inlined(
            name: name, place: entry.line > 0 ? file.map { Place(file: $0, line: Int(clamping: entry.line)) } : nil)
          for address in here { inlined[address, default: []].insert(call, at: 0) }
        } else if let start = ranges.map(\.lowerBound).min(), functions.contains(start) {
          // Of a method the declaration is an entry of its own.
          var head = entry
          if entry.declaredLine == 0, let place = entry.origin { head = self.entry(at: place)?.entry ?? entry }
          guard head.declaredLine > 0, let file = lines?.path(Int(truncatingIfNeeded: head.declaredFile)),
            !file.hasSuffix("<compiler-generated>")
          else { continue }
          declared[start] = Place(file: file, line: Int(clamping: head.declaredLine))
        }
      }
    }
  }

  /// - Returns: false if the length of the attributes is unknown.
  private static func skip(_ shape: DebugAbbreviation, _ from: inout DebugBytes, _ unit: DebugUnit) -> Bool {
    if let size = shape.size {
      from.skip(size)
      return true
    }
    for attribute in shape.attributes where DebugForm.read(attribute.form, &from, unit.context) == nil { return false }
    return true
  }

  private static func entry(_ shape: DebugAbbreviation, _ from: inout DebugBytes, _ unit: DebugUnit) -> Entry? {
    var entry = Entry()
    for attribute in shape.attributes {
      guard let value = DebugForm.read(attribute.form, constant: attribute.constant, &from, unit.context)
      else { return nil }
      entry.set(attribute.name, value)
    }
    return entry
  }

  /// The most entries that refer to each other before one has a name.
  private static let mostOrigins = 4

  private func entry(at place: UInt64) -> (unit: DebugUnit, entry: Entry)? {
    let next = firstPlace(in: starts) { UInt64($0) > place }
    guard next > 0 else { return nil }
    var head = DebugBytes(sections.entries, from: starts[next - 1])
    guard let unit = DebugUnit(&head, sections), place >= unit.first, place < unit.end else { return nil }
    var from = DebugBytes(sections.entries, from: Int(place), to: unit.end)
    let (code, shapes) = (from.number(), unit.shapes())
    guard code > 0, code <= UInt64(shapes.count), let shape = shapes[Int(code) - 1],
      let entry = Self.entry(shape, &from, unit)
    else { return nil }
    return (unit, entry)
  }

  private func name(ofEntry place: UInt64) -> String? {
    var place = place
    for _ in 0..<Self.mostOrigins {
      guard let (unit, entry) = entry(at: place) else { return nil }
      if let name = entry.linkageName ?? (entry.origin == nil ? entry.name : nil) { return unit.text(name)?.string }
      guard let origin = entry.origin else { return nil }
      place = origin
    }
    return nil
  }
}

extension [UInt64] {
  func elements(in range: Range<UInt64>) -> ArraySlice<UInt64> {
    let start = firstPlace(in: self) { $0 >= range.lowerBound }
    return self[start...].prefix { $0 < range.upperBound }
  }
}
