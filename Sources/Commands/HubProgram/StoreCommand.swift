import Glibc
import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells store verify|migrate|move`.
struct StoreCommand {
  let rooms: RoomList

  private static let verification = Verb(
    "store verify", usage: "--data DIR [--json]", options: [Verb.data, Verb.json],
    summary: """
      Reads every row and every blob and compares them with their digests; the hub may be running. Ends with 0 when all
      is well, and with 1 when something is not, which it says.
      """)
  private static let migration = Verb(
    "store migrate", usage: "--data DIR [--check] [--without-backup] [--json]",
    options: [
      Verb.data, Option("check", help: "try it on a copy, and change nothing"),
      Option("without-backup", help: "take no backup before, when there is no room for it"),
      Verb.json,
    ],
    summary: """
      Brings the tables up to date as a start would: a backup is taken into DIR/backups, a copy is migrated, compared
      with what was there before, and takes its place only then. Those on a PostgreSQL server are migrated in one
      transaction, without a backup. The hub must not be running, but for --check.
      """)

  static let verbs = [verification, migration, MoveCommand.verb]

  func run(_ words: [String]) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(
      among: Self.verbs, words, summary: "Looks after what a hub keeps.")
    if verb.name == MoveCommand.verb.name { return try MoveCommand(rooms: rooms).run(arguments) }
    let folder = try DataFolder(ofHub: verb.dataPath(arguments))
    defer { printProgress.finish() }
    do throws(StoreError) {
      if verb.name == Self.verification.name {
        try verify(folder, inJSON: arguments.has("json"))
      } else {
        try migrate(
          folder, isTrial: arguments.has("check"), inJSON: arguments.has("json"),
          backups: arguments.has("without-backup") ? nil : folder.backups)
      }
    } catch {
      throw CommandError(storeError: error)
    }
  }

  private func verify(_ folder: DataFolder, inJSON: Bool) throws(StoreError) {
    let found = try Store.verify(folder.place, bucket: folder.demandBucket(time: SystemTime())) {
      printProgress.show($0)
    }
    printProgress.finish()
    if inJSON {
      let told: JSON = [
        "verified": .int(found.verified), "total": .int(found.total),
        "findings": .array(found.findings.map(JSON.string)),
      ]
      print(told.text)
    } else {
      for finding in found.findings { print(finding) }
      print("\(found.verified) of \(found.total) verified")
    }
    if !found.findings.isEmpty { exit(1) }
  }

  private func migrate(
    _ folder: DataFolder, isTrial: Bool, inJSON: Bool, backups: MigrationBackups?
  ) throws(StoreError) {
    if !isTrial {
      do throws(CommandError) { try folder.lock() } catch {
        printError("eightbells: \(error.message) Stop it first.")
        exit(error.exitCode)
      }
    }
    let summary: MigrationSummary?
    let (migrations, time) = (rooms.migrations, SystemTime())
    if let server = folder.server {
      summary = try Store.migrate(
        server: server, migrations: migrations, time: time, isTrial: isTrial, running: DataFolder.runningHubs)
    } else if isTrial {
      summary = try Store.tryMigration(
        path: folder.database, migrations: migrations, time: time, progress: { printProgress.show($0) })
    } else {
      summary = try Store.migrate(
        path: folder.database, migrations: migrations, time: time, backups: backups,
        progress: { printProgress.show($0) })
    }
    printProgress.finish()
    if inJSON {
      let told: JSON = [
        "steps": .array((summary?.steps ?? []).map(JSON.string)), "rows": .int(summary?.rows ?? 0),
        "blobs": .int(summary?.blobs ?? 0), "damage": .array((summary?.damage ?? []).map(JSON.string)),
      ]
      return print(told.text)
    }
    guard let summary else {
      print("The store is up to date.")
      return
    }
    for damage in summary.damage { print("Damaged before, and still: \(damage)") }
    print(
      (isTrial ? "Would run and lose nothing: " : "Ran and lost nothing: ") + summary.steps.joined(separator: ", "))
    print("\(summary.rows) rows and \(summary.blobs) blobs compared")
  }
}
