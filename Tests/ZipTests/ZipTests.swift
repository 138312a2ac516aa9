import CivilTime
import Foundation
import Testing
import World
import Zip

struct ZipTests {
  static let time = WallTime(date: CivilDate(year: 2026, month: 11, day: 21), secondOfDay: 18 * 3600 + 4 * 60 + 6)

  static func bytes(_ zip: StoredZip, _ range: Range<Int>, _ contents: [[UInt8]]) -> [UInt8] {
    var all: [UInt8] = []
    for piece in zip.pieces(of: range) {
      switch piece {
      case .bytes(let bytes): all += bytes
      case .content(let entry, let range): all += contents[entry][range]
      }
    }
    return all
  }

  /// CRC-32 bit by bit (ISO 3309), slow and plain.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  static let contents: [[UInt8]] = [Array("abc".utf8), [], (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }]
  static func sample() -> StoredZip {
    let names = ["Zoe\u{308}.jpg", "leer", "ZOË.JPG"]
    return StoredZip(
      zip(names, contents).map { ZipEntry(name: $0, size: $1.count, crc32: crc($1), modified: time) })
  }

  @Test func `its length is known, and each range is that part of the whole`() {
    let zip = Self.sample()
    let whole = Self.bytes(zip, 0..<zip.length, Self.contents)
    #expect(whole.count == zip.length)
    #expect(Self.bytes(zip, 0..<0, Self.contents) == [])
    for start in stride(from: 0, to: zip.length, by: 3) {
      for end in [start, start + 1, start + 40, start + 3_000, zip.length] where end <= zip.length {
        #expect(Self.bytes(zip, start..<end, Self.contents) == Array(whole[start..<end]), "\(start)..<\(end)")
      }
    }
    #expect(StoredZip([]).length == 22)
  }

  /// Another program reads it: its output, or its complaint.
  static func run(_ words: [String]) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let told = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: told, as: UTF8.self), process.terminationStatus)
  }

  @Test(arguments: [
    [
      "python3", "-c",
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert not z.testzip(); print(z.infolist())",
    ],
    ["bsdtar", "-tvf"],
    ["unzip", "-t"],
  ]) func `other programs read it, with its names`(reader: [String]) throws {
    guard try Self.run(["sh", "-c", "command -v \(reader[0])"]).status == 0 else { return }
    let zip = Self.sample()
    let folder = TemporaryFolder()
    let path = "\(folder.path)/a.zip"
    try Data(Self.bytes(zip, 0..<zip.length, Self.contents)).write(to: URL(filePath: path))
    let (output, status) = try Self.run(["LC_ALL=C.UTF-8"] + reader + [path])
    #expect(status == 0, "\(output)")
    #expect(output.contains("Zoë.jpg") && output.contains("ZOË-2.JPG"), "\(output)")
  }

  @Test func `sizes and offsets of 4 GB need wide fields, and only those`() throws {
    func entry(_ name: String, _ size: Int) -> ZipEntry {
      ZipEntry(name: name, size: size, crc32: 0, modified: Self.time)
    }
    let narrow = 0xFFFF_FFFF
    // Local header, directory, end; one byte of name each.
    let small = StoredZip([entry("a", narrow - 1 - 31 - 1), entry("b", 1)])
    #expect(small.length == narrow - 2 + 31 + 1 + 2 * 47 + 22 + 76)
    let large = StoredZip([entry("a", narrow), entry("b", 1)])
    #expect(large.length == (31 + 20 + narrow) + (31 + 1) + (47 + 20) + (47 + 12) + 22 + 76)
    // The offset of the second in the directory, read from its zip64 field.
    let end = Array(large.pieces(of: (large.length - 76 - 22 - 8)..<(large.length - 76 - 22)))
    var start = UInt64(31 + 20 + narrow).littleEndian
    #expect(end == [.bytes(withUnsafeBytes(of: &start) { Array($0) })])
    let content = Array(large.pieces(of: 1_000_000_000..<1_000_000_010))
    #expect(content == [.content(entry: 0, (1_000_000_000 - 51)..<(1_000_000_010 - 51))])
  }

  @Test func `very many files are counted in the wide record`() {
    func length(_ count: Int) -> Int {
      StoredZip((0..<count).map { ZipEntry(name: "\($0 + 100_000)", size: 0, crc32: 0, modified: Self.time) }).length
    }
    #expect(length(65_534) == 65_534 * (30 + 46 + 12) + 22)
    #expect(length(65_535) == 65_535 * (30 + 46 + 12) + 22 + 76)
  }

  @Test func `Python reads a sparse zip of more than 4 GB`() throws {
    let sizes = [5 << 30, 10]
    let zip = StoredZip(
      sizes.enumerated().map { ZipEntry(name: "\($0).mov", size: $1, crc32: 0, modified: Self.time) })
    let folder = TemporaryFolder()
    let path = "\(folder.path)/large.zip"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    var position: UInt64 = 0
    for piece in zip.pieces(of: 0..<zip.length) {
      switch piece {
      case .bytes(let bytes):
        try file.seek(toOffset: position)
        try file.write(contentsOf: Data(bytes))
        position += UInt64(bytes.count)
      case .content(_, let range): position += UInt64(range.count)
      }
    }
    #expect(position == UInt64(zip.length))
    let script = """
      import sys, zipfile
      a, b = zipfile.ZipFile(sys.argv[1]).infolist()
      print(a.file_size, b.file_size, b.header_offset, a.date_time)
      """
    let (output, status) = try Self.run(["python3", "-c", script, path])
    #expect(status == 0, "\(output)")
    #expect(output == "\(5 << 30) 10 \((5 << 30) + 30 + 5 + 20) (2026, 11, 21, 18, 4, 6)\n")
  }

  @Test(arguments: [
    ("../../x", ".._.._x".replacing("..", with: "_.", maxReplacements: 1)),
    ("a\\b:c*d?e\"f<g>h|i", "a_b_c_d_e_f_g_h_i"),
    ("con", "_con"), ("CON.jpg", "_CON.jpg"), ("lpt1", "_lpt1"), ("COM0", "COM0"), ("name. . ", "name"), ("", "_"),
    (".", "_"), ("..", "_"), (".hidden", "_hidden"), (" a", "a"), ("a\u{0}\nb", "a__b"), ("u\u{308}", "\u{fc}"),
    ("gpj.\u{202E}exe", "gpj._exe"), ("📷.jpg", "📷.jpg"),
  ]) func `names are made safe`(name: String, expected: String) {
    #expect(ZipNames.safe(name).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(ZipNames.safe(name))")
  }

  @Test func `long names keep their ending, and many alike are all different`() {
    let long = String(repeating: "ä", count: 300) + ".jpeg"
    let names = ZipNames.safe(Array(repeating: long, count: 2_000) + ["a", "A", "a-2", "A"])
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    #expect(names.allSatisfy { $0.utf8.count <= ZipLimits.nameBytes })
    #expect(names.prefix(2_000).allSatisfy { $0.hasSuffix(".jpeg") })
    #expect(Array(names.suffix(4)) == ["a", "A-2", "a-2-2", "A-3"])
  }
}
