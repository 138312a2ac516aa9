import EventLoop
import Glibc
import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells backup FILE` and `eightbells restore FILE`.
enum BackupCommand {
  static func backup(_ rooms: RoomList) -> Verb {
    let whole = """
      Writes the records, all blobs and the configuration into one file: a tar with a manifest. The hub may be
      running. Records on a PostgreSQL server are in it as in a folder, and so are blobs in an object store: all of them
      are fetched and compared with their digests. The file holds whose tokens there are: only you
      can read it, and so it should stay. One that is already there is replaced when the new one is complete.
      """
    return Verb(
      "backup", operands: ["FILE"], usage: "--data DIR [--json]", options: [Verb.data, Verb.json],
      summary: ([whole] + rooms.plans.compactMap(\.backupNote)).joined(separator: " "))
  }
  static let restoration = Verb(
    "restore", operands: ["FILE"], usage: "--data DIR [--json]",
    options: [Option("data", "DIR", help: "a folder that is new or empty; or EIGHTBELLS_DATA"), Verb.json],
    summary: """
      Puts a backup into a new or empty folder. Everything is checked before anything takes its place; a backup that is
      torn or was changed is refused. Lines of its configuration that lead to the records or the blobs of the hub it is
      from become comments. While that hub runs, serve it on trial without Bells (setting rooms): it would ring the same
      phones, mail the same people, and post to the same webhooks.
      """)

  static func backUp(_ words: [String], _ rooms: RoomList) throws(CommandError) {
    let backup = backup(rooms)
    let arguments = try backup.parse(words)
    let file = arguments.words[0]
    guard file != "-" else {
      throw CommandError(
        usage: "A backup takes its name when it is complete, so it does not go to standard output. Name a file, and "
          + "send that on; ./- is one of that name.")
    }
    try checkPlace(file)
    // Root's backup is root's: what a hub could write, whoever breaks into it could destroy.
    let folder = try DataFolder(ofHub: backup.dataPath(arguments), asItsUser: false)
    guard !folder.keeps(file) else {
      throw CommandError(
        "\(file) is the hub's own name for a file in its folder; another is accepted, such as nightly.tar.")
    }
    // A server knows the hub's user, and may not let root in.
    if folder.server != nil { try folder.becomeItsUser() }
    let time = SystemTime()
    leaveNothing(of: file, time)
    do throws(StoreError) {
      let summary = try Store.backup(
        folder.place, bucket: folder.demandBucket(time: time), migrations: rooms.migrations, to: file, time: time,
        connected: DataFolder.becomeCaller, progress: { printProgress.show($0) })
      printProgress.finish()
      report(summary, "Backed up", arguments)
      if !summary.damage.isEmpty { exit(1) }
    } catch {
      throw CommandError(storeError: error)
    }
  }

  /// Has the command, when it is ended, take away what it has written: it may be as large as all that the hub keeps.
  private static func leaveNothing(of file: String, _ time: SystemTime) {
    let signals = [SIGINT, SIGTERM]
    SignalWatcher.block(signals)
    let loop = EventLoop(time: time)
    loop.execute {
      _ = SignalWatcher(signals, on: loop) { signal in
        Store.removeUnfinishedBackup(to: file)
        printProgress.finish()
        _exit(128 + signal)
      }
    }
    loop.runInBackground(name: "signals")
  }

  /// Refuses a name that the backup cannot take, before it is written: that may be an hour's work.
  private static func checkPlace(_ file: String) throws(CommandError) {
    var status = stat()
    if file.hasSuffix("/") || stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR {
      let folder = file.hasSuffix("/") ? file : "\(file)/"
      throw CommandError(usage: "\(file) names a folder; a file is accepted, such as \(folder)eightbells.tar.")
    }
    // What is renamed to the name of a link or a device, such as /dev/stdout, takes its place.
    guard lstat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError(
        usage: "\(file) is a link, a pipe or a device, and the backup would take its place. Name a file.")
    }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    guard access(folder, W_OK) == 0 else {
      throw CommandError("Cannot write in the folder \(folder): \(String(cString: strerror(errno))).")
    }
  }

  static func restore(_ words: [String], _ rooms: RoomList) throws(CommandError) {
    let arguments = try restoration.parse(words)
    let file = arguments.words[0]
    let path = try restoration.dataPath(arguments)
    // Checked before anything is created.
    guard access(file, R_OK) == 0 else {
      throw CommandError("Cannot read \(file): \(String(cString: strerror(errno))).")
    }
    let folder = try DataFolder(path)
    try folder.becomeItsUser()
    try folder.lock()
    do throws(StoreError) {
      var off: [String] = []
      let summary = try Store.restore(
        from: file, path: folder.database,
        configuration: { text in
          let home = withoutWaysBack(text)
          off = home.off
          return home.text
        }, progress: { printProgress.show($0) })
      printProgress.finish()
      report(summary, "Restored", arguments, off: off)
      if arguments.has("json") { return }
      print("It rings the phones of the hub it is from. On trial, while that one runs, start it without Bells, such as")
      print("  eightbells serve --data \(path.shellWord) --rooms \(rooms.plans[0].id)")
    } catch {
      throw CommandError(storeError: error)
    }
  }

  /// A configuration in which the lines that lead to the data of the hub it is from are comments: a hub that was
  /// restored on trial would go on with that one's records, or leave a second copy of all blobs in its bucket, which
  /// nobody removes.
  /// - Returns: the text, and the names of these settings.
  private static func withoutWaysBack(_ text: String) -> (text: String, off: [String]) {
    var off: [String] = []
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { scalars in
      let line = String(scalars)
      let parts = line.split(separator: "=", maxSplits: 1).map { part in
        String(part).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
      }
      guard parts.count == 2, isWayBack(parts[0], parts[1]) else { return line }
      off.append(parts[0])
      return "# \(line)"
    }
    return (lines.joined(separator: "\n"), off)
  }

  private static func isWayBack(_ name: String, _ value: String) -> Bool {
    switch name {
    case "store": value != "file"
    case "blobs", "bus": true
    default: false
    }
  }

  private static func report(
    _ summary: BackupSummary, _ done: String, _ arguments: Arguments, off: [String] = []
  ) {
    if arguments.has("json") {
      let told: JSON = [
        "files": .int(summary.files), "blobs": .int(summary.blobs), "bytes": .int(summary.bytes),
        "damage": .array(summary.damage.map(JSON.string)), "turned_off": .array(off.map(JSON.string)),
      ]
      return print(told.text)
    }
    for damage in summary.damage { print("Damaged before, and still: \(damage)") }
    let files = "\(summary.files) \(summary.files == 1 ? "file" : "files")"
    let blobs = "\(summary.blobs) \(summary.blobs == 1 ? "blob" : "blobs")"
    print("\(done): \(files), \(blobs), \(summary.bytes) bytes")
    if off.isEmpty { return }
    print("Comments in eightbells.conf now, since they led to the old hub's data: \(off.joined(separator: ", "))")
  }
}
