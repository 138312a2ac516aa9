/// The line table of a unit (DWARF 5, section 6.2; versions 2 to 5): the lines of some addresses.
struct DebugLines {
  typealias Place = DebugInfo.Place

  /// The line of an address. None for code that the compiler has generated.
  private(set) var places: [UInt64: Place] = [:]
  /// The line where a function's code begins, by its address.
  private(set) var begins: [UInt64: Place] = [:]

  private var head = Head()
  private let wanted: [UInt64]
  private let functions: Set<UInt64>
  private var context: DebugForm.Context

  /// - Parameters:
  ///   - place: of the table in `.debug_line`.
  ///   - folder: in which the unit was compiled; in DWARF 5 it is in the table itself.
  ///   - wanted: addresses, as in the file, sorted.
  ///   - functions: addresses of functions.
  init(
    _ sections: DebugSections, at place: Int, folder: DebugText?, addressSize: Int, wanted: [UInt64],
    functions: Set<UInt64>
  ) {
    self.wanted = wanted
    self.functions = functions
    var from = DebugBytes(sections.lines, from: place)
    let (count, offsetSize) = from.length()
    let start = from.at
    from.skip(count)
    context = DebugForm.Context(
      own: sections.lines, texts: sections.texts, lineTexts: sections.lineTexts, version: 0, offsetSize: offsetSize,
      addressSize: addressSize)
    read(DebugBytes(sections.lines, from: start, to: from.at), folder)
  }

  private struct Head {
    var version: UInt64 = 0
    var step: UInt64 = 1
    var lineBase: Int64 = 0
    var lineRange: UInt64 = 1
    /// The number of operands of the standard opcodes.
    var operands: [UInt8] = []
    var folder: DebugText?
    var folders: [DebugText] = []
    var files: [(name: DebugText, folder: Int)] = []
  }

  func path(_ number: Int) -> String? {
    // Versions before 5 count from 1; folder 0 is the unit's.
    let place = head.version < 5 ? number &- 1 : number
    guard head.files.indices.contains(place) else { return nil }
    let file = head.files[place]
    var path = file.name.string
    let index = head.version < 5 ? file.folder &- 1 : file.folder
    if !path.hasPrefix("/"), head.folders.indices.contains(index) { path = "\(head.folders[index].string)/\(path)" }
    return head.folder.map { path.absolute(in: $0.string) } ?? path
  }

  private mutating func read(_ unit: consuming DebugBytes, _ folder: DebugText?) {
    var from = unit
    head.version = from.fixed(2)
    context.version = head.version
    guard (2...5).contains(head.version) else { return }
    if head.version == 5 {
      context.addressSize = Int(from.byte())
      from.skip(1)
    }
    guard context.addressSize <= 8 else { return }
    let length = Int(truncatingIfNeeded: from.fixed(context.offsetSize))
    var rest = from
    from.skip(length)
    head.step = UInt64(rest.byte())
    if head.version >= 4 { rest.skip(1) }
    rest.skip(1)
    head.lineBase = Int64(Int8(bitPattern: rest.byte()))
    head.lineRange = UInt64(rest.byte())
    let first = rest.byte()
    guard head.lineRange > 0, first > 0 else { return }
    head.operands = (1..<max(1, first)).map { _ in rest.byte() }
    head.folder = folder
    guard head.version == 5 ? readEntries(&rest) : readOldEntries(&rest) else { return }
    run(&from)
  }

  private mutating func readOldEntries(_ from: inout DebugBytes) -> Bool {
    func name() -> DebugText? {
      let start = from.skipText()
      return from.at > start + 1 ? DebugText(section: context.own, place: start) : nil
    }
    while let name = name() { head.folders.append(name) }
    while let name = name() {
      head.files.append((name, Int(truncatingIfNeeded: from.number())))
      _ = (from.number(), from.number())
    }
    return true
  }

  private mutating func readEntries(_ from: inout DebugBytes) -> Bool {
    for isFile in [false, true] {
      let shape = (0..<from.byte()).map { _ in (what: from.number(), form: from.number()) }
      let count = from.number()
      guard count <= UInt64(from.end - from.at) else { return false }
      for _ in 0..<count {
        var entry = (name: DebugText(section: context.own, place: context.own.count), folder: 0)
        for (what, form) in shape {
          guard let value = DebugForm.read(form, &from, context) else { return false }
          switch (what, value) {
          case (1, .text(let name)): entry.name = name
          case (2, .number(let folder)): entry.folder = Int(truncatingIfNeeded: folder)
          default: break
          }
        }
        if isFile { head.files.append(entry) } else { head.folders.append(entry.name) }
      }
      // The first is the unit's own; all others may be relative to it.
      head.folder = head.folders.first
    }
    return true
  }

  private func place(_ file: Int, _ line: Int64) -> Place? {
    guard line > 0, let path = path(file), !path.hasSuffix("<compiler-generated>") else { return nil }
    return Place(file: path, line: Int(line))
  }

  /// Runs the table's program. Sequences of functions that the linker has removed begin at 0 or a similar address.
  private mutating func run(_ from: inout DebugBytes) {
    let special = UInt8(head.operands.count + 1)
    let (step, lineRange, lineBase, addressSize) = (head.step, head.lineRange, head.lineBase, context.addressSize)
    var (address, file, line): (UInt64, Int, Int64) = (0, 1, 1)
    /// The previous row of the sequence.
    var before: (address: UInt64, file: Int, line: Int64)?
    var isDead = false
    func advance(_ count: UInt64) { address &+= count &* step }
    func close() {
      guard let before, !isDead, before.address < address else { return }
      for found in wanted.elements(in: before.address..<address) {
        if places[found] == nil { places[found] = place(before.file, before.line) }
      }
    }
    func row() {
      if before == nil { isDead = address == 0 } else { close() }
      before = (address, file, line)
      guard functions.contains(address), begins[address] == nil else { return }
      begins[address] = place(file, line)
    }
    while !from.isAtEnd {
      let code = from.byte()
      if code >= special {
        let distance = UInt64(code - special)
        advance(distance / lineRange)
        line &+= lineBase &+ Int64(distance % lineRange)
        row()
        continue
      }
      switch code {
      case 0:
        let length = Int(truncatingIfNeeded: from.number())
        var more = from
        from.skip(length)
        switch more.byte() {
        case 1:
          close()
          (address, file, line, before) = (0, 1, 1, nil)
        case 2: address = more.fixed(addressSize)
        default: break
        }
      case 1: row()
      case 2: advance(from.number())
      case 3: line &+= from.signedNumber()
      case 4: file = Int(truncatingIfNeeded: from.number())
      case 8: advance(UInt64(255 - special) / lineRange)
      case 9: address &+= from.fixed(2)
      default: for _ in 0..<head.operands[Int(code) - 1] { _ = from.number() }
      }
    }
  }
}

extension String {
  /// The path of a file that was compiled in a folder.
  func absolute(in folder: String) -> String {
    if hasPrefix("/") { return self }
    return folder.hasSuffix("/") ? folder + self : "\(folder)/\(self)"
  }
}
