import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells store move`: the records of a folder to a PostgreSQL server, or back.
struct MoveCommand {
  let rooms: RoomList

  static let verb = Verb(
    "store move", usage: "--from DIR --to postgres://… [--cancel] [--json]",
    options: [
      Option("from", "PLACE", help: "the hub's data folder, or the address of the server that has its records"),
      Option("to", "PLACE", help: "the address of an empty database, or the hub's data folder"),
      Option("cancel", help: "take back a move that was cut short"), Verb.json,
    ],
    summary: """
      Moves the records of a hub from its data folder to a PostgreSQL server, or from the server back into the folder.
      Every row is compared, and every blob with its digest, before the folder notes where the records are now; what
      was there before is kept. No hub may run on them, on any machine. A move that was cut short goes on where it was.
      """)

  func run(_ arguments: Arguments) throws(CommandError) {
    guard let from = arguments["from"], let to = arguments["to"], Self.isAddress(from) != Self.isAddress(to) else {
      throw Self.verb.misused("--from and --to are a data folder and the address of a server.")
    }
    let isToServer = Self.isAddress(to)
    let address = isToServer ? to : from
    var folder = try DataFolder(ofHub: isToServer ? from : to, moves: true)
    let wanted = try FolderMove(folder, isToServer: isToServer, address: address)
    guard !wanted.address.hasPassword else {
      throw CommandError(
        usage: "A password on the command line can be seen by others; use ?passfile=FILE in the address.")
    }
    do throws(CommandError) { try folder.lock() } catch { throw CommandError("\(error.message) Stop it first.") }
    defer { printProgress.finish() }
    let begun = try begun(in: folder, wanted)
    if arguments.has("cancel") { return try cancel(begun, folder, arguments) }
    let move = begun ?? wanted
    try checkSetting(folder, move)
    let (source, target) = places(folder, move)
    if begun == nil {
      guard (folder.server == nil) == isToServer, isToServer || folder.server == move.address else {
        throw CommandError(
          "The records of \(folder.path) are \(folder.server.map { "on \($0.shown)" } ?? "in the folder itself").")
      }
      // An address with a typing mistake must not keep the hub from its records.
      try Self.stored { () throws(StoreError) in
        try Store.checkMove(from: source, to: target, migrations: rooms.migrations)
      }
    }
    if !isToServer { try Self.checkNoHub(on: move.address) }
    if begun == nil { try move.begin() }
    let summary = try Self.stored { () throws(StoreError) in
      try Store.move(
        from: source, to: target, name: move.name, migrations: rooms.migrations, time: SystemTime(),
        progress: { printProgress.show($0) })
    }
    printProgress.finish()
    try folder.use(store: isToServer ? address : "file")
    move.end()
    let kept = isToServer ? try Self.stored { () throws(StoreError) in try Store.setAside(folder.database) } : nil
    report(summary, move, kept, arguments)
  }

  /// A setting counts before what the folder notes: the next start would go back by it, and nobody would notice.
  private func checkSetting(_ folder: DataFolder, _ move: FolderMove) throws(CommandError) {
    let file = try DataFolder.configurationText(in: folder.path)
    let values: Settings
    do throws(SettingsError) {
      values = try ServeSettings.values(rooms, Arguments([], accepted: []), file: file)
    } catch {
      throw CommandError(usage: error.message)
    }
    let store = values["store"]
    if store.isEmpty { return }
    let server = try Self.stored { () throws(StoreError) in store == "file" ? nil : try ServerAddress(store) }
    guard server?.shown != (move.isToServer ? move.address.shown : nil) else { return }
    throw CommandError(
      "The next start would use \(server?.shown ?? "the folder's own records"): so says the line store = … in "
        + "eightbells.conf, or EIGHTBELLS_STORE. Take it out first.")
  }

  /// Hubs of other machines do not hold this folder's lock. What they acknowledge meanwhile would be lost, and this
  /// folder's hub would clean up the pictures of it where large blobs are shared.
  private static func checkNoHub(on server: ServerAddress) throws(CommandError) {
    let hubs = try stored { () throws(StoreError) in try Store.look(at: server, DataFolder.runningHubs) }
    guard !hubs.isEmpty else { return }
    throw CommandError(
      "Hubs run on these records: \(hubs.joined(separator: ", ")). Stop them, on every machine, and move again; one "
        + "that was killed counts for some seconds.")
  }

  private static func isAddress(_ place: String) -> Bool { place.contains("://") }

  private func places(_ folder: DataFolder, _ move: FolderMove) -> (source: StorePlace, target: StorePlace) {
    let file = StorePlace.file(folder.database)
    let server = StorePlace.server(move.address, blobs: "\(folder.path)/blobs")
    return move.isToServer ? (file, server) : (server, file)
  }

  /// The move that was begun in the folder, which must be the one that is wanted.
  private func begun(in folder: DataFolder, _ wanted: FolderMove) throws(CommandError) -> FolderMove? {
    guard let begun = try FolderMove(in: folder) else { return nil }
    guard begun.isToServer == wanted.isToServer, begun.address == wanted.address else {
      throw CommandError("Another move was begun: \(begun.command) goes on with it, and with --cancel takes it back.")
    }
    return begun
  }

  private func cancel(
    _ begun: FolderMove?, _ folder: DataFolder, _ arguments: Arguments
  ) throws(CommandError) {
    guard let begun else { throw CommandError("No move was begun in \(folder.path).") }
    // Once the folder says so, the records are there.
    guard (folder.server == nil) == begun.isToServer else {
      throw CommandError("The records are moved already; without --cancel the last step is done.")
    }
    var left = ""
    do throws(StoreError) {
      try Store.takeBackMove(to: places(folder, begun).target, name: begun.name)
    } catch {
      // The source is whole, whatever became of the target.
      guard error.code == .unavailable else { throw CommandError(storeError: error) }
      left = " \(begun.address.shown) cannot be reached: remove that database before it is used again."
    }
    begun.end()
    if arguments.has("json") {
      return print((["taken_back": true, "database_left": .bool(!left.isEmpty)] as JSON).text)
    }
    print("Taken back: the records are where they were.\(left)")
  }

  private func report(_ summary: MoveSummary, _ move: FolderMove, _ kept: String?, _ arguments: Arguments) {
    if arguments.has("json") {
      let told: JSON = [
        "tables": .int(summary.tables), "rows": .int(summary.rows), "blobs": .int(summary.blobs),
        "blobs_away": .int(summary.blobsAway),
        "damage": .array(summary.damage.map(JSON.string)), "kept": JSON(kept),
      ]
      return print(told.text)
    }
    for damage in summary.damage { print("Damaged before, and still: \(damage)") }
    print("Moved and compared: \(summary.rows) rows in \(summary.tables) tables, \(summary.blobs) blobs")
    if summary.blobsAway > 0 { print("\(summary.blobsAway) more blobs stay in the object store, and were not read") }
    print(
      move.isToServer
        ? "The records are on \(move.address.shown) now. The file is kept\(kept.map { " as \($0)" } ?? "")."
        : "The records are in the folder now. Those on \(move.address.shown) are kept, too; no hub may start on them."
    )
  }

  private static func stored<T>(_ body: () throws(StoreError) -> T) throws(CommandError) -> T {
    do throws(StoreError) { return try body() } catch { throw CommandError(storeError: error) }
  }
}
