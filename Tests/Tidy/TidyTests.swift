import Foundation
import Testing

/// The rules of the house, checked on the source itself.
struct TidyTests {
  // MARK: Imports

  /// The groups of modules that each group may import, directly or through others. The toolchain's modules are in
  /// `toolchain`, without Foundation, which would triple the program's size.
  static let reachable: [String: Set<String>] = [
    "Portable": ["Portable"],
    "System": [],
    "Core": ["Portable", "System", "Core"],
    "Sound": ["Portable", "System", "Core", "Sound"],
    "Playback": ["Portable", "System", "Core", "Sound", "Playback"],
    "Objects": ["Portable", "System", "Core", "Objects"],
    "Imaging": ["Portable", "System", "Core", "Imaging"],
    "Realtime": ["Portable", "System", "Core", "Realtime"],
    "Push": ["Portable", "System", "Core", "Push"],
    "Markup": ["Portable", "System", "Core", "Markup"],
    "Calendar": ["Portable", "System", "Core", "Markup", "Calendar"],
    "Positions": ["Portable", "System", "Core", "Positions"],
    "Uploads": ["Portable", "System", "Core", "Uploads"],
    "Receiving": ["Portable", "System", "Core", "Realtime", "Push", "Uploads", "Hub", "Receiving"],
    "Zip": ["Portable", "Zip"],
    "Galleries": ["Portable", "System", "Core", "Galleries"],
    "Flickr": ["Portable", "System", "Core", "Markup", "Galleries", "Flickr"],
    "Agent": ["Portable", "System", "Core", "Sound", "Playback", "Push", "Positions", "Agent"],
    "Hub": ["Portable", "System", "Core", "Realtime", "Push", "Hub"],
    "Apps": [
      "Portable", "System", "Core", "Sound", "Playback", "Objects", "Realtime", "Push", "Markup", "Calendar",
      "Positions", "Imaging", "Uploads", "Zip", "Galleries", "Flickr", "Receiving", "Hub", "Apps",
    ],
    "MemoryGraph": ["Portable", "System", "Core", "MemoryGraph"],
    "Commands": [
      "Portable", "System", "Core", "Sound", "Playback", "Objects", "Realtime", "Push", "Markup", "Calendar",
      "Positions", "Imaging", "Uploads", "Zip", "Galleries", "Flickr", "Receiving", "Agent", "Hub",
      "Apps", "Commands",
    ],
  ]
  /// The packages that a package may reach; nothing depends on the memory graph.
  static let packages: [String: Set<String>] = [
    "": ["", "Packages/Base/"],
    "Packages/Base/": ["Packages/Base/"],
    "Packages/MemoryGraph/": ["Packages/Base/", "Packages/MemoryGraph/"],
  ]
  static let toolchain: Set<String> = ["Glibc", "Runtime", "Swift", "Synchronization"]

  @Test func `every import is in the table, and so is what it brings along`() throws {
    let graph = try House.importGraph()
    #expect(graph.count > 10, "the import graph was not read")
    for (module, imported) in graph {
      let (group, package) = try #require(House.modules[module].map { ($0.group, $0.package) })
      let allowed = try #require(Self.reachable[group], "the group \(group) is not in the table")
      for name in imported where House.modules[name] == nil {
        let isKnown = Self.toolchain.contains(name) || (module == "LeakTesting" && name == "Testing")
        #expect(isKnown, "\(module) imports \(name)")
      }
      var reached: Set<String> = []
      var rest = Array(imported)
      while let next = rest.popLast() {
        if reached.insert(next).inserted { rest += graph[next] ?? [] }
      }
      for name in reached {
        guard let target = House.modules[name] else { continue }
        #expect(allowed.contains(target.group), "\(module) in \(group) reaches \(name) in \(target.group)")
        let isNear = try #require(Self.packages[package]).contains(target.package)
        #expect(isNear, "\(module) in \(package) reaches \(name) in \(target.package)")
        let isOtherApp = target.group == "Apps" && name != module
        if group == "Apps" { #expect(!isOtherApp, "the app \(module) reaches the app \(name)") }
      }
    }
  }

  /// The memory graph runs beside any program, without the hub's libraries.
  @Test func `the memory graph needs little, and its parts stand on each other`() throws {
    let graph = try House.importGraph()
    let order = ["Capture", "Graph", "Analysis", "Report"]
    for (place, module) in order.enumerated() {
      let imported = try #require(graph[module])
      for name in imported where House.modules[name]?.group == "Core" { #expect(name == "Lifecycle") }
      #expect(imported.isDisjoint(with: order[place...]), "\(module) imports what stands on it: \(imported)")
    }
    #expect(try #require(graph["MemoryTool"]).subtracting(Self.toolchain) == ["MemoryCommand"])
    // It runs in the process under examination, where addresses kept by other modules would look like references.
    #expect(try #require(graph["LeakTesting"]).subtracting(Self.toolchain) == ["CPtrace", "Testing"])
  }

  @Test func `a door to C has no logic in Swift`() {
    let doors = House.everywhere("Sources/System")
    #expect(doors.count > 20 && doors.filter { $0.hasSuffix(".swift") } == [])
  }

  @Test func `only Crypto, TLS and the look at a certificate use OpenSSL`() throws {
    for path in House.files("Sources") where path.hasSuffix(".swift") {
      guard House.imports(in: try House.text(path)).contains("COpenSSL") else { continue }
      let mayUseIt =
        ["Sources/Core/Crypto/", "Sources/Core/Server/TLS/", "Sources/Core/TCPClient/TLS"].contains {
          path.hasPrefix($0)
        }
        || path.hasSuffix("/CertificateCheck.swift")
      #expect(mayUseIt, "\(path) imports COpenSSL; digests, keys and random bytes are in Core/Crypto")
    }
  }

  /// Each access to it would wrap the closure once more: a call that takes longer each time, and at last more than the
  /// stack. In a list or in a struct it stays as it is.
  @Test func `no closure stands alone in a mutex`() throws {
    for path in House.everywhere("Sources") where path.hasSuffix(".swift") {
      let isFound = try House.text(path).contains(/Mutex<\(*(@\w+ )*\([^\[\]\n]*\)[^\[\]\n]* ->/)
      #expect(!isFound, "\(path) has a closure alone in a mutex")
    }
  }

  @Test func `rooms look alike`() throws {
    let folders: Set = [
      "Model", "Storage", "Watch", "Routes", "Alerts", "Commands", "Demo", "Export", "Objects", "Sharing", "Web",
    ]
    for path in House.files("Sources/Apps") {
      let parts = path.split(separator: "/").map(String.init)
      if parts.count == 4 {
        let isOwn = parts[3].hasPrefix(parts[2]) && parts[3].hasSuffix(".swift")
        #expect(isOwn || ["README.md", "openapi.yaml"].contains(parts[3]), "\(path) stands in no folder of its room")
      } else {
        #expect(folders.contains(parts[3]), "\(path): a room has the folders \(folders.sorted())")
      }
    }
  }

  @Test func `the rooms are named in one place`() throws {
    let rooms = Set(House.files("Sources/Apps").map { String($0.split(separator: "/")[2]) })
    let list = "Sources/Commands/Eightbells/Rooms.swift"
    #expect(rooms.contains("Space"))
    for path in ["Sources/Core", "Sources/Hub", "Sources/Realtime", "Sources/Commands"].flatMap(House.files) {
      guard path.hasSuffix(".swift"), path != list else { continue }
      let imported = rooms.intersection(House.imports(in: try House.text(path)))
      #expect(imported.isEmpty, "\(path) imports the room \(imported)")
      let text = try House.text(path)
      for room in rooms { #expect(!text.contains("\(room)Room"), "\(path) names \(room)Room") }
    }
    // Neither by an address, nor by the name of a channel, a right or an element: "space", /space/state, 'space.turn'.
    let ids = Set(rooms.map { $0.lowercased() } + rooms.map(Self.id))
    #expect(ids.isSuperset(of: ["anchor", "apps", "clock"]))
    for path in ["Sources", "bin"].flatMap(House.files) where !path.hasPrefix("Sources/Apps/") && path != list {
      let ids = ids.filter { id in !Self.otherwiseMeant.contains { path.hasPrefix($0.path) && $0.ids.contains(id) } }
      let named = try NSRegularExpression(pattern: "[\"'`/$<](\(ids.joined(separator: "|")))[\"'`/._-]")
      let text = try House.text(path)
      let found = named.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
      #expect(found == nil, "\(path) names a room: \(found.map { (text as NSString).substring(with: $0.range) } ?? "")")
    }
  }

  /// Where the words that are also ids of rooms mean something else, or the address to which an agent reports.
  static let otherwiseMeant: [(path: String, ids: Set<String>)] = [
    ("Sources/Agent/", ["anchor", "clock"]), ("Sources/Positions/", ["anchor"]),
    // The path of Pusher's API.
    ("Sources/Realtime/", ["apps"]),
    // The clock of a device, an emoji, and "o'clock".
    ("Sources/Portable/Notifications/", ["clock"]), ("Sources/Hub/Operation/Checks/ClockCheck.swift", ["clock"]),
    ("Sources/Push/Ntfy/NtfyContent.swift", ["clock"]), ("bin/make-voices", ["clock"]),
    // A step that was published is never changed: the names under which pages kept answers then.
    ("Sources/Hub/Web/migrations.js", ["bells"]),
  ]

  @Test func `rooms ask for rights, and not for roles`() throws {
    let rights = try NSRegularExpression(pattern: "\\bRight\\(\\s*\"([\\w.-]+)\"")
    var known: Set<String> = []
    for path in House.files("Sources") where path.hasSuffix(".swift") {
      let text = try House.text(path)
      for found in rights.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        known.insert((text as NSString).substring(with: found.range(at: 1)))
      }
      // A demonstration makes people of each role.
      guard path.hasPrefix("Sources/Apps/"), !path.contains("/Demo/") else { continue }
      let roles = ["principal.role", "personIDs(of: ."].filter(text.contains)
      #expect(roles.isEmpty, "\(path) asks for \(roles)")
    }
    #expect(known.isSuperset(of: ["hub.manage", "anchor.watch", "programme.want-opener"]))
    for path in House.files("Sources") where path.hasSuffix(".js") {
      for asked in try House.text(path).matches(of: /\bmay\('([^']+)'\)/) {
        #expect(known.contains(String(asked.1)), "\(path) asks for '\(asked.1)', which is no right")
      }
    }
  }

  @Test func `SQL stands in Storage folders, in Core and where tokens are kept`() throws {
    let statements = #/"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE) /#
    for path in House.everywhere("Sources") where path.hasSuffix(".swift") {
      if path.contains("/Storage/") || path.hasPrefix("Sources/Core/Store/") || path.hasSuffix("/Tokens.swift") {
        continue
      }
      #expect(try House.text(path).firstMatch(of: statements) == nil, "\(path) holds SQL")
    }
  }

  /// SQL that only SQLite runs and that has a portable equivalent. SQL without one is in `Core/Store/Dialect.swift`,
  /// with its reason.
  static let ofSQLiteAlone = [
    "INSERT OR ", "UPDATE OR ", "REPLACE INTO", "AUTOINCREMENT", "WITHOUT ROWID", "rowid", "last_insert_rowid",
    "strftime(", "datetime(", "julianday(", "ifnull(", "printf(", "group_concat(", " GLOB ", "total(", "typeof(",
    "PRAGMA ", "sqlite_schema", "sqlite_master", "ATTACH ", "VACUUM", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "IS NOT ?",
    "json_extract(", "randomblob(", "hex(",
  ]

  @Test func `what only SQLite runs has its name in one place`() throws {
    let statement = #/"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|BEGIN|REPLACE|VACUUM|ATTACH) /#
    let numbered = #/\?[0-9]|[:@$][a-z]+ *[,)]/#
    var files = 0
    for path in House.files("Sources") where path.hasSuffix(".swift") && !path.hasSuffix("/Store/Dialect.swift") {
      for literal in Self.literals(in: try House.text(path)) {
        guard "\"\(literal)".firstMatch(of: statement) != nil else { continue }
        files += 1
        for words in Self.ofSQLiteAlone {
          #expect(!literal.lowercased().contains(words.lowercased()), "\(path): \"\(words)\" in \(literal)")
        }
        #expect(literal.firstMatch(of: numbered) == nil, "\(path): values are plain ? marks: \(literal)")
      }
    }
    #expect(files > 20, "the statements were not found")
  }

  /// The texts of a file's string literals, single-line and multi-line.
  static func literals(in text: String) -> [String] {
    let long = text.components(separatedBy: "\"\"\"")
    var found = long.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    for part in long.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
      for line in part.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        found += line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
    }
    return found
  }

  // MARK: Time

  /// The shim runs in other people's programs, where no clock is passed in.
  @Test func `only Core slash Lifecycle reads a real clock, and the memory graph's shim`() throws {
    let clocks = [
      "clock_gettime", "gettimeofday", "ContinuousClock", "SuspendingClock", "Task.sleep", "usleep(", "nanosleep(",
      " sleep(", "time(nil)", "time(NULL)", "sem_timedwait",
    ]
    let languages: Set = ["swift", "c", "h"]
    for path in House.everywhere("Sources") where !path.contains("Sources/Core/Lifecycle/") {
      if path.hasPrefix("Packages/MemoryGraph/Sources/Shim/") { continue }
      // A list of the calls that a process may make.
      if path.hasPrefix("Sources/System/CSandbox/") { continue }
      guard languages.contains((path as NSString).pathExtension) else { continue }
      let text = try House.text(path)
      for clock in clocks { #expect(!text.contains(clock), "\(path) uses \(clock)") }
    }
  }

  // MARK: Files

  static let folders = ["Sources", "Tests", "Benchmarks", "Fuzz", "bin"]
  static let code: Set = ["swift", "c", "h", "js", "mjs", "css", "html", "py", ""]

  @Test func `no file of code is over 500 lines or 120 columns`() throws {
    for path in Self.folders.flatMap(House.everywhere) {
      guard Self.code.contains((path as NSString).pathExtension), !path.contains("Tests/Fixtures/"),
        !path.contains("Fuzz/Corpus/")
      else { continue }
      let lines = try House.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 500, "\(path): \(lines.count) lines")
      for (index, line) in lines.enumerated() where line.count > 120 {
        Issue.record("\(path):\(index + 1): \(line.count) columns")
      }
    }
  }

  @Test func `every file of a page and every fixture is named somewhere`() throws {
    let texts = try (Self.folders.flatMap(House.files) + ["Package.swift"])
      .filter { Self.code.union(["webmanifest", "md"]).contains(($0 as NSString).pathExtension) }
      .map { ($0, try House.text($0).utf8CString) }
    let wanted =
      // The toy room is a module of Package.swift, and looks like one.
      House.files("Tests/Fixtures").filter { !$0.contains("/ToyRoom/") }
      + House.files("Sources").filter { $0.contains("/Web/") }
    #expect(wanted.count > 10, "the pages were not found")
    // bin/pack-web finds these files of a room by their names.
    let found = ["/README.md", "/Web/room.js", "/Web/index.html"]
    // Folders of earlier versions, histories that failed once, and a library's packages are found by listing them, and
    // pictures of rooms for the manifest by their form and language.
    let listed = ["/upgrade/", "/histories/", "/parse-js/", "/screenshots/"]
    for path in wanted where !found.contains(where: path.hasSuffix) && !listed.contains(where: path.contains) {
      let name = Self.address(path).utf8CString
      #expect(texts.contains { $0.0 != path && Self.names(name, in: $0.1) }, "nothing names \(path)")
    }
  }

  /// Whether a text has this name, not as the end of a longer one: "/words.js" is not named by "/space/words.js".
  static func names(_ name: ContiguousArray<CChar>, in text: ContiguousArray<CChar>) -> Bool {
    text.withUnsafeBufferPointer { text in
      name.withUnsafeBufferPointer { name in
        var start = text.baseAddress!
        while let found = strstr(start, name.baseAddress!) {
          // The character before it; all bytes of one that is not ASCII are below zero.
          let before = found == UnsafeMutablePointer(mutating: text.baseAddress!) ? 0 : found[-1]
          let isPart = before < 0 || "\(UnicodeScalar(UInt8(before)))".contains(/[\w-]/)
          if !isPart { return true }
          start = UnsafePointer(found + 1)
        }
        return false
      }
    }
  }

  /// The id of the room in a folder of Sources/Apps, with which the addresses of its pages begin.
  static func id(_ app: String) -> String {
    let text = (try? House.text("Sources/Apps/\(app)/Web/room.js")) ?? ""
    return text.firstMatch(of: /\n +id: '([\w-]+)',\n/).map { String($0.1) } ?? app.lowercased()
  }

  /// The name by which others refer to a file: a page's by its address, a fixture by its file name.
  static func address(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let web = parts.firstIndex(of: "Web") else { return String(parts.last!) }
    let room = parts[1] == "Apps" ? "/" + id(String(parts[2])) : ""
    let within = parts[(web + 1)...]
    // A page is named by its folder.
    let named = within.count > 1 && within.last == "index.html" ? within.dropLast() : within
    return room + "/" + named.joined(separator: "/")
  }
}
