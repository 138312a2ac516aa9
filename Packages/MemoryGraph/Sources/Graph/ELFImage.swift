import Capture
import Glibc

/// A program or library that a process has mapped, read from its file.
final class ELFImage {
  struct Section {
    let address: UInt64
    let offset: Int
    let size: Int
    var isCompressed = false
  }

  let path: String
  /// The address of its first byte in the process.
  let start: UInt64
  let end: UInt64
  /// The difference between addresses in the process and in the file.
  let bias: UInt64
  let size: Int
  private let bytes: UnsafeRawBufferPointer
  private let segments: [ELFSegment]
  private let sections: [String: Section]
  /// The section headers and their names in the file: no process maps them.
  let unmapped: [Range<UInt64>]

  init?(_ path: String, start: UInt64, process: Int32) {
    let file = openMapped(path, of: process)
    guard file >= 0 else { return nil }
    defer { close(file) }
    size = Int(lseek(file, 0, SEEK_END))
    guard size > 64, let map = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), map != MAP_FAILED else { return nil }
    let bytes = UnsafeRawBufferPointer(start: map, count: size)
    let segments = ELFSegment.all(bytes) ?? []
    let lowest = segments.map(\.address).min() ?? 0
    let highest = segments.map { $0.address &+ $0.memorySize }.max() ?? 0
    guard lowest < highest else {
      munmap(map, size)
      return nil
    }
    self.segments = segments
    self.bytes = bytes
    self.path = path
    self.start = start
    bias = start &- (lowest & ~4095)
    end = bias &+ highest
    (sections, unmapped) = Self.sections(bytes)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), size) }

  func section(_ name: String) -> Section? { sections[name] }

  /// A section's bytes in the file; empty without such a section.
  func contents(_ name: String) -> UnsafeRawBufferPointer {
    guard let section = section(name), isInFile(section) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[section.offset..<(section.offset + section.size)])
  }

  var hasSwift: Bool { section("swift5_fieldmd") != nil || section("swift5_types") != nil }

  func copy(_ offset: Int, _ count: Int, into target: UnsafeMutableRawPointer) {
    memcpy(target, bytes.baseAddress! + offset, count)
  }

  /// The file's contents at an address, which the process may have changed since; nil where there are none.
  func half(at address: UInt64) -> UInt32? {
    let place = address &- bias
    guard let segment = segments.first(where: { place >= $0.address && place - $0.address < $0.fileSize }) else {
      return nil
    }
    let (offset, isOver) = segment.fileOffset.addingReportingOverflow(place - segment.address)
    guard !isOver, offset <= UInt64(bytes.count - 4) else { return nil }
    return bytes.half(Int(offset))
  }

  // MARK: Reading the file

  /// SHF_COMPRESSED, among a section's flags.
  private static let compressed: UInt64 = 0x800

  private static func sections(_ bytes: UnsafeRawBufferPointer) -> ([String: Section], [Range<UInt64>]) {
    let table = Int(truncatingIfNeeded: bytes.word(40))
    let (count, names) = (Int(bytes.quarter(60)), Int(bytes.quarter(62)))
    guard table > 0, names < count, table <= bytes.count - count * 64 else { return ([:], []) }
    func header(_ index: Int) -> (name: Int, section: Section) {
      let entry = table + index * 64
      let section = Section(
        address: bytes.word(entry + 16), offset: Int(truncatingIfNeeded: bytes.word(entry + 24)),
        size: Int(truncatingIfNeeded: bytes.word(entry + 32)),
        isCompressed: bytes.word(entry + 8) & compressed != 0)
      return (Int(bytes.half(entry)), section)
    }
    let texts = header(names).section
    guard texts.offset >= 0, texts.size >= 0, texts.offset <= bytes.count - texts.size else { return ([:], []) }
    var found: [String: Section] = [:]
    for index in 0..<count {
      let (name, section) = header(index)
      guard name < texts.size, section.offset >= 0, section.size >= 0 else { continue }
      let text = bytes[(texts.offset + name)..<(texts.offset + texts.size)].prefix { $0 != 0 }
      // A section without room in the file, such as .bss, may have an offset beyond its end.
      found[String(decoding: text, as: UTF8.self)] = section
    }
    let unmapped = [
      UInt64(table)..<UInt64(table + count * 64), UInt64(texts.offset)..<UInt64(texts.offset + texts.size),
    ]
    return (found, unmapped)
  }

  // MARK: Symbols

  /// An entry of a table of symbols (Elf64_Sym of elf(5)).
  private struct Symbol {
    /// The place of the name in the file.
    let name: Int
    let kind, binding: UInt8
    let isDefined: Bool
    let address, size: UInt64
  }

  /// The entries of a table with a value; nil without such a table.
  private func entries(
    _ table: String, _ names: String
  ) -> LazyMapSequence<LazyFilterSequence<StrideTo<Int>>, Symbol>? {
    guard let table = section(table), let names = section(names), isInFile(table), isInFile(names) else { return nil }
    return stride(from: table.offset, to: table.offset + table.size - 23, by: 24).lazy
      .filter { [bytes] in bytes.word($0 + 8) != 0 }
      .map { [bytes, bias] place in
        Symbol(
          name: names.offset + Int(bytes.half(place)), kind: bytes[place + 4] & 15, binding: bytes[place + 4] >> 4,
          isDefined: bytes.quarter(place + 6) != 0, address: bytes.word(place + 8) &+ bias,
          size: bytes.word(place + 16))
      }
  }

  /// Variables and functions ordered by address; from `.dynsym` if the file is stripped.
  private lazy var symbols: [(address: UInt64, size: UInt64, name: Int)] = {
    let entries = entries(".symtab", ".strtab") ?? entries(".dynsym", ".dynstr")
    return entries?.filter { $0.isDefined && $0.kind <= 2 }.map { ($0.address, $0.size, $0.name) }
      .sorted { $0.0 < $1.0 } ?? []
  }()

  /// The variable or function at an address, with its mangled name and its start.
  func symbol(at address: UInt64) -> (name: String, address: UInt64)? {
    let next = firstPlace(in: symbols) { $0.address > address }
    guard next > 0 else { return nil }
    let symbol = symbols[next - 1]
    guard address - symbol.address < max(symbol.size, 8) else { return nil }
    return (text(symbol.name), symbol.address)
  }

  /// The functions at addresses in the process, with their mangled names and beginnings. In one pass, since a program
  /// may have a million symbols, and few of them are wanted.
  func functions(at addresses: [UInt64]) -> [UInt64: (name: String, address: UInt64)] {
    guard let entries = entries(".symtab", ".strtab") else { return [:] }
    let wanted = Set(addresses).sorted()
    var best: [UInt64: Symbol] = [:]
    func rank(_ symbol: Symbol) -> (UInt64, Int, Int) {
      (symbol.address, symbol.kind == 2 ? 1 : 0, symbol.binding == 1 ? 1 : 0)
    }
    for new in entries where new.isDefined && (new.kind == 0 || new.kind == 2) {
      guard new.address <= .max - max(new.size, 1) else { continue }
      for address in wanted.elements(in: new.address..<(new.address + max(new.size, 1))) {
        if let old = best[address], rank(old) >= rank(new) { continue }
        best[address] = new
      }
    }
    return best.mapValues { (text($0.name), $0.address) }
  }

  /// True if the file has its symbols and its debug information itself, as they are.
  var isDescribed: Bool {
    [".symtab", ".strtab", ".debug_info", ".debug_abbrev", ".debug_line"].allSatisfy { name in
      section(name).map { $0.size > 0 && !$0.isCompressed && isInFile($0) } ?? false
    }
  }

  /// The number that the linker gave the file; nil without one.
  var buildID: [UInt8]? {
    let note = contents(".note.gnu.build-id")
    return note.count > Self.noteHead ? Array(note[Self.noteHead...]) : nil
  }

  /// The bytes before a build ID: three numbers, and "GNU".
  private static let noteHead = 16

  /// The address in the process of an exported symbol; 0 without one.
  func exported(_ name: String) -> UInt64 { exports[name] ?? 0 }

  private lazy var exports =
    entries(".dynsym", ".dynstr").map { entries in
      entries.reduce(into: [String: UInt64]()) { $0[text($1.name)] = $1.address }
    } ?? [:]

  private func isInFile(_ section: Section) -> Bool { section.offset <= bytes.count - section.size }

  private func text(_ offset: Int) -> String {
    guard offset < bytes.count else { return "" }
    return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
