import Glibc
import Lifecycle
import Settings
import Store

/// `eightbells store verify|migrate`.
enum StoreCommand {
  private static let options = [
    Option("data", "DIR", help: "the hub's data folder; or EIGHTBELLS_DATA"),
    Option("check", help: "with migrate: try it on a copy, and change nothing"),
  ]
  private static let usage = "eightbells store verify|migrate [--check] --data DIR"
  private static var help: String {
    helpText("Looks after what a hub keeps.", usage: usage, options: options) + """


        verify   reads every row and every blob and compares them with their digests; the hub may be running.
                 Ends with 0 when all is well, and with 1 when something is not, which it says.
        migrate  brings the tables up to date as a start would: a copy is migrated, compared with what was there
                 before, and takes its place only then. The hub must not be running, but for --check.
      """
  }

  static func run(_ words: [String]) throws(CommandError) {
    let arguments = try parse(words, options, help: help)
    let actions = ["verify", "migrate"]
    guard arguments.words.count == 1, let action = arguments.words.first, actions.contains(action) else {
      let near = arguments.words.first.flatMap { suggestion(for: $0, among: actions) }
      throw CommandError(usage: "Usage: \(usage)" + (near.map { "\nDid you mean \($0)?" } ?? ""))
    }
    guard action == "migrate" || !arguments.has("check") else {
      throw CommandError(usage: "--check belongs to migrate: verify never changes anything.")
    }
    let folder = try existingFolder(arguments)
    defer { printProgress.finish() }
    do throws(StoreError) {
      switch action {
      case "verify": try verify(folder)
      default: try migrate(folder, isTrial: arguments.has("check"))
      }
    } catch {
      throw CommandError(storeError: error)
    }
  }

  /// The data folder, which has to be there: a slip of the finger must not make one.
  static func existingFolder(_ arguments: Arguments) throws(CommandError) -> DataFolder {
    guard let path = arguments["data"] ?? environment()["EIGHTBELLS_DATA"] else {
      throw CommandError(usage: "--data is missing: the hub's data folder.")
    }
    guard access("\(path)/eightbells.sqlite", F_OK) == 0 else {
      throw CommandError("There is no hub's data in \(path): \(String(cString: strerror(errno))).")
    }
    return try DataFolder(path)
  }

  private static func verify(_ folder: DataFolder) throws(StoreError) {
    let found = try Store.verify(path: folder.database) { printProgress.show($0) }
    printProgress.finish()
    for finding in found.findings { print(finding) }
    print("\(found.verified) of \(found.total) verified")
    if !found.findings.isEmpty { exit(1) }
  }

  private static func migrate(_ folder: DataFolder, isTrial: Bool) throws(StoreError) {
    if !isTrial {
      do throws(CommandError) { try folder.lock() } catch {
        printError("eightbells: \(error.message) Stop it first.")
        exit(error.exitCode)
      }
    }
    let work = isTrial ? Store.tryMigration : Store.migrate
    let summary = try work(folder.database, ServeCommand.migrations, SystemTime()) { printProgress.show($0) }
    printProgress.finish()
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

extension CommandError {
  init(storeError error: StoreError) {
    printProgress.finish()
    self.init("\(error.description).")
  }
}
