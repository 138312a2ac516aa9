import Device
import Glibc
import Testing
import World

struct JournalTests {
  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  static func put(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// A line as the journal writes it, with its check sum (FNV-1a).
  static func line(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(sum) \(body)\n"
  }

  @Test func `what was written is there again`() throws {
    let home = TemporaryFolder()
    let response = DeviceResponse(id: "3", action: "open", text: "bis \"gleich\" ⚓\n", at: 12.5)
    do {
      let journal = try DeviceJournal(StateFolder("\(home.path)/state"))
      try journal.write([.showing("1", version: 1), .shown("1", version: 1, collapse: "sign")], sync: true)
      try journal.write([.responded(response), .heartbeat(Heartbeat(interval: 67.5, broken: 200))], sync: false)
    }
    let journal = try DeviceJournal(StateFolder("\(home.path)/state"))
    #expect(journal.record.responses == [response])
    #expect(journal.record.heartbeat == Heartbeat(interval: 67.5, broken: 200))
    var bench = Bench(journal.record)
    bench.connect()
    bench.show("1")
    #expect(bench.presented.isEmpty)
  }

  @Test func `what was next when the machine went off is shown marked, and unmarked if only the process ended`() {
    for (boot, isRepeat) in [("one", false), ("two", true)] {
      var record = DeviceRecord()
      for entry in [DeviceRecord.Entry.boot("one"), .next("12", version: 1), .boot(boot)] { record.apply(entry) }
      var bench = Bench(record)
      bench.connect()
      bench.show("12")
      #expect(bench.presented.map(\.isRepeat) == [isRepeat])
    }
  }

  @Test func `the folder is its owner's alone, and one process has it`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/one/two/state"
    let folder = try StateFolder(path)
    _ = try DeviceJournal(folder)
    var status = stat()
    for (name, mode) in [("", 0o700), ("/record.a", 0o600), ("/record.b", 0o600)] {
      #expect(stat(path + name, &status) == 0 && Int(status.st_mode) & 0o777 == mode)
    }
    chmod(path, 0o755)
    _ = try StateFolder(path)
    #expect(stat(path, &status) == 0 && Int(status.st_mode) & 0o777 == 0o700)
    #expect(try folder.take())
    #expect(try !StateFolder(path).take())
  }

  @Test func `a folder of other things keeps its rights, and so does one that is only read`() throws {
    let path = TemporaryFolder().path
    chmod(path, 0o755)
    _ = try StateFolder(reading: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && Int(status.st_mode) & 0o777 == 0o755)
    Self.put([], "\(path)/.profile")
    #expect(throws: DeviceError.self) { _ = try StateFolder(path) }
    #expect(stat(path, &status) == 0 && Int(status.st_mode) & 0o777 == 0o755)
    // A person may say what is allowed before the first start, and a program where the machine is.
    for name in ["settings.json", "position.json", "private-keys.json"] {
      chmod(path, 0o755)
      Self.put([], "\(path)/\(name)")
      _ = try StateFolder(path)
      #expect(stat(path, &status) == 0 && Int(status.st_mode) & 0o777 == 0o700)
      unlink("\(path)/\(name)")
    }
    unlink("\(path)/.profile")
    mkdir("\(path)/lost+found", 0o700)
    chmod(path, 0o755)
    _ = try StateFolder(path)
  }

  @Test func `a folder that a newer agent has written is refused, and left as it is`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    #expect(try StateFolder(path).take())
    #expect(try StateFolder(path).take(), "its own format is no newer one")
    for found in ["2", "0x", ""] {
      Self.put(Array(found.utf8), "\(path)/format")
      do throws(DeviceError) {
        _ = try StateFolder(path).take()
        Issue.record("\(found) was taken")
      } catch {
        #expect(error.message.contains("by a newer agent: its format is \"\(found)\", and this one knows 1"))
      }
      #expect(Self.bytes("\(path)/format") == Array(found.utf8))
    }
  }

  @Test func `a line that was written in part does not count, wherever it was cut`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    do {
      let journal = try DeviceJournal(StateFolder(path))
      try journal.write([.shown("1", version: 1, collapse: nil)], sync: true)
    }
    let file = "\(path)/record.a"
    let before = Self.bytes(file)
    let start = before.lastIndex(of: 10)! + 1
    do {
      let journal = try DeviceJournal(StateFolder(path))
      try journal.write([.responded(DeviceResponse(id: "2", action: "open", at: 1))], sync: true)
    }
    let after = Self.bytes(file)
    let end = after.lastIndex(of: 10)! + 1
    #expect(end > start)
    for cut in start..<end {
      Self.put(Array(after[..<cut]) + [UInt8](repeating: 0, count: after.count - cut), file)
      let journal = try DeviceJournal(StateFolder(path))
      #expect(journal.record.responses.isEmpty, "cut at \(cut - start)")
      // And it can be written on.
      try journal.write([.responded(DeviceResponse(id: "3", action: "open", at: 1))], sync: true)
      #expect(try DeviceJournal(StateFolder(path)).record.responses.map(\.id) == ["3"])
    }
  }

  @Test func `a record that is written for years stays in its files, and forgets the oldest first`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    let journal = try DeviceJournal(StateFolder(path))
    let long = String(repeating: "x", count: 100)
    for number in 1...12_000 {
      try journal.write(
        [.showing("\(number)", version: 1), .shown("\(number)", version: 1, collapse: number % 2 == 0 ? long : nil)],
        sync: false)
    }
    var status = stat()
    for name in ["record.a", "record.b"] {
      #expect(stat("\(path)/\(name)", &status) == 0 && status.st_size == 1 << 20)
    }
    var bench = Bench(try DeviceJournal(StateFolder(path)).record)
    bench.connect()
    for number in [12_000, 11_999, 12_000 - DeviceLimits.remembered + 2] { bench.show("\(number)") }
    #expect(bench.presented.isEmpty)
    bench.show("1")
    #expect(bench.presented.count == 1)
  }

  @Test func `a record of the longest entries has room in its files, and forgets the oldest for it`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    let journal = try DeviceJournal(StateFolder(path))
    func quotes(_ count: Int) -> String { String(repeating: "\"", count: count) }
    for number in 1...DeviceLimits.responses {
      let response = DeviceResponse(id: "\(number)", action: "say", text: quotes(4_000), at: 1)
      try journal.write([.responded(response)], sync: false)
    }
    let first = 1_795_289_805_000_000
    for number in 1...2_560 {
      let (id, collapse) = ("\(first + number)", "\(quotes(58))\(100_000 + number)")
      try journal.write(
        [
          .shown(id, version: 1, collapse: collapse, expires: 1_795_300_000.5),
          .noted(id, version: 1, "extension_failed:crashed"),
        ], sync: false)
    }
    let record = try DeviceJournal(StateFolder(path)).record
    #expect(record.responses.count == DeviceLimits.responses)
    var bench = Bench(record)
    bench.connect()
    for number in [2_560, 2_400] { bench.show("\(first + number)") }
    #expect(bench.presented.isEmpty)
  }

  @Test func `a kill while the record is written anew leaves the old one`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    do {
      let journal = try DeviceJournal(StateFolder(path))
      try journal.write([.shown("1", version: 1, collapse: nil)], sync: true)
    }
    // The next generation, which knows another notification; without its last line it does not count.
    let other = Self.line("2 [\"shown\",\"2\",1,null]")
    for (draft, known) in [(other, "1"), (other + Self.line("2 [\"complete\"]"), "2")] {
      Self.put(Array(draft.utf8), "\(path)/record.b")
      var bench = Bench(try DeviceJournal(StateFolder(path)).record)
      bench.connect()
      bench.show("1")
      bench.show("2")
      #expect(bench.presented.map(\.id) == [known == "1" ? "2" : "1"])
    }
  }
}
