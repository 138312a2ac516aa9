/// Data of a file's line tables that the toolchain's `Runtime` does not return: the folder in which a unit was
/// compiled, and the line where a function begins. (DWARF 5, section 6.2; versions 2 to 5.)
package struct DebugLines {
  package struct Place: Equatable {
    package var file: String
    package var line: Int
  }

  /// By address, the folder that its unit's relative paths start from.
  package private(set) var folders: [UInt64: String] = [:]
  /// By a function's address, the line of its declaration. None for code that the compiler has generated.
  package private(set) var begins: [UInt64: Place] = [:]

  private let sections: (_ name: String) -> UnsafeRawBufferPointer
  private let texts: DebugForm.Texts
  private let wanted: [UInt64]
  private let functions: Set<UInt64>

  /// - Parameters:
  ///   - sections: returns the bytes of a section of the file, such as ".debug_line".
  ///   - wanted: addresses, as in the file, whose folder is wanted.
  ///   - functions: addresses of functions.
  package init(
    sections: @escaping (_ name: String) -> UnsafeRawBufferPointer, folderOf wanted: [UInt64],
    beginOf functions: Set<UInt64>
  ) {
    self.sections = sections
    self.wanted = wanted.sorted()
    self.functions = functions
    texts = DebugForm.Texts(plain: sections(".debug_str"), lines: sections(".debug_line_str"))
    let table = sections(".debug_line")
    guard !table.isEmpty else { return }
    let units = unitFolders()
    var from = DebugBytes(table)
    while !from.isAtEnd {
      let start = from.at
      let (count, offsetSize) = from.length()
      guard count > 0 else { break }
      read(from.part(count), offsetSize, folder: units[UInt64(start)])
    }
  }

  // MARK: Units

  /// The folder of each unit by the offset of its line table. In DWARF 5 it is in the table itself.
  private func unitFolders() -> [UInt64: String] {
    let abbreviations = sections(".debug_abbrev")
    var found: [UInt64: String] = [:]
    var from = DebugBytes(sections(".debug_info"))
    while !from.isAtEnd {
      let (count, offsetSize) = from.length()
      guard count > 0 else { break }
      var unit = from.part(count)
      guard (2...4).contains(unit.fixed(2)) else { continue }
      var shape = DebugBytes(abbreviations, from: Int(truncatingIfNeeded: unit.fixed(offsetSize)))
      let addressSize = Int(unit.byte())
      // A unit's own record has the first abbreviation; otherwise the unit is skipped.
      guard addressSize <= 8, unit.number() == shape.number() else { continue }
      _ = shape.number()
      shape.skip(1)
      var (folder, lines): (String?, UInt64?)
      while !shape.isAtEnd {
        let (attribute, form) = (shape.number(), shape.number())
        guard attribute != 0,
          let value = DebugForm.read(form, &unit, offsetSize: offsetSize, addressSize: addressSize, texts)
        else { break }
        switch (attribute, value) {
        case (Self.lineTable, .number(let place)): lines = place
        case (Self.folder, .text(let text)): folder = text
        default: break
        }
      }
      if let folder, let lines { found[lines] = folder }
    }
    return found
  }

  /// `DW_AT_stmt_list` and `DW_AT_comp_dir`.
  private static let (lineTable, folder): (UInt64, UInt64) = (0x10, 0x1B)

  // MARK: Line tables

  private struct Head {
    var version: UInt64 = 0
    var step: UInt64 = 1
    var lineBase: Int64 = 0
    var lineRange: UInt64 = 1
    /// The number of operands of the standard opcodes.
    var operands: [UInt8] = []
    var folder: String?
    var folders: [String] = []
    var files: [(name: String, folder: Int)] = []

    func path(_ number: Int) -> String? {
      // Versions before 5 count from 1; folder 0 is the unit's.
      let place = version < 5 ? number &- 1 : number
      guard files.indices.contains(place) else { return nil }
      let file = files[place]
      var path = file.name
      let index = version < 5 ? file.folder &- 1 : file.folder
      if !path.hasPrefix("/"), folders.indices.contains(index) { path = "\(folders[index])/\(path)" }
      return folder.map { path.absolute(in: $0) } ?? path
    }
  }

  private mutating func read(_ unit: consuming DebugBytes, _ offsetSize: Int, folder: String?) {
    var from = unit
    var head = Head()
    head.version = from.fixed(2)
    guard (2...5).contains(head.version) else { return }
    var addressSize = 8
    if head.version == 5 {
      addressSize = Int(from.byte())
      from.skip(1)
    }
    guard addressSize <= 8 else { return }
    var rest = from.part(Int(truncatingIfNeeded: from.fixed(offsetSize)))
    head.step = UInt64(rest.byte())
    if head.version >= 4 { rest.skip(1) }
    rest.skip(1)
    head.lineBase = Int64(Int8(bitPattern: rest.byte()))
    head.lineRange = UInt64(rest.byte())
    let first = rest.byte()
    guard head.lineRange > 0, first > 0 else { return }
    head.operands = (1..<max(1, first)).map { _ in rest.byte() }
    head.folder = folder
    guard head.version == 5 ? entries(&rest, offsetSize, addressSize, &head) : oldEntries(&rest, &head) else { return }
    run(&from, head, addressSize)
  }

  private func oldEntries(_ from: inout DebugBytes, _ head: inout Head) -> Bool {
    while case let name = from.text(), !name.isEmpty { head.folders.append(name) }
    while case let name = from.text(), !name.isEmpty {
      head.files.append((name, Int(truncatingIfNeeded: from.number())))
      _ = (from.number(), from.number())
    }
    return true
  }

  private func entries(
    _ from: inout DebugBytes, _ offsetSize: Int, _ addressSize: Int, _ head: inout Head
  ) -> Bool {
    for isFile in [false, true] {
      let shape = (0..<from.byte()).map { _ in (what: from.number(), form: from.number()) }
      let count = from.number()
      guard count <= UInt64(from.end - from.at) else { return false }
      for _ in 0..<count {
        var entry = (name: "", folder: 0)
        for (what, form) in shape {
          guard let value = DebugForm.read(form, &from, offsetSize: offsetSize, addressSize: addressSize, texts)
          else { return false }
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

  /// Runs a table's program, for the rows of functions, and the end of each sequence.
  private mutating func run(_ from: inout DebugBytes, _ head: Head, _ addressSize: Int) {
    let special = UInt8(head.operands.count + 1)
    var (address, file, line): (UInt64, Int, Int64) = (0, 1, 1)
    var start: UInt64?
    func advance(_ count: UInt64) { address &+= count &* head.step }
    func row() {
      if start == nil { start = address }
      guard functions.contains(address), begins[address] == nil, line > 0, let path = head.path(file),
        !path.hasSuffix("<compiler-generated>")
      else { return }
      begins[address] = Place(file: path, line: Int(line))
    }
    while !from.isAtEnd {
      let code = from.byte()
      if code >= special {
        let distance = UInt64(code - special)
        advance(distance / head.lineRange)
        line &+= head.lineBase &+ Int64(distance % head.lineRange)
        row()
        continue
      }
      switch code {
      case 0:
        var more = from.part(Int(truncatingIfNeeded: from.number()))
        switch more.byte() {
        case 1:
          if let start, let folder = head.folder { add(folder, start, address) }
          (address, file, line, start) = (0, 1, 1, nil)
        case 2: address = more.fixed(addressSize)
        default: break
        }
      case 1: row()
      case 2: advance(from.number())
      case 3: line &+= from.signedNumber()
      case 4: file = Int(truncatingIfNeeded: from.number())
      case 8: advance(UInt64(255 - special) / head.lineRange)
      case 9: address &+= from.fixed(2)
      default: for _ in 0..<head.operands[Int(code) - 1] { _ = from.number() }
      }
    }
  }

  /// Records the results of a sequence. Those of functions that the linker has removed begin at 0 or a similar address.
  private mutating func add(_ folder: String, _ start: UInt64, _ end: UInt64) {
    guard start > 0 else { return }
    var low = wanted.partition(from: start)
    while low < wanted.count, wanted[low] < end {
      folders[wanted[low]] = folder
      low += 1
    }
  }
}

extension [UInt64] {
  /// The index of the first element that is not below an address.
  fileprivate func partition(from address: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < address { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension String {
  /// The path of a file that was compiled in a folder.
  func absolute(in folder: String) -> String {
    if hasPrefix("/") { return self }
    return folder.hasSuffix("/") ? folder + self : "\(folder)/\(self)"
  }
}
