import Glibc
import Lifecycle
import Settings
import Store

/// `eightbells backup FILE` and `eightbells restore FILE`.
enum BackupCommand {
  private static let backupUsage = "eightbells backup FILE --data DIR"
  private static let restoreUsage = "eightbells restore FILE --data DIR"

  static func backUp(_ words: [String]) throws(CommandError) {
    let options = [Option("data", "DIR", help: "the hub's data folder; or EIGHTBELLS_DATA")]
    let help = helpText(
      """
      Writes the records, all blobs and the configuration into one file: a tar with a manifest. The hub may be
      running. The file holds whose tokens there are: only you can read it, and so it should stay. One that is
      already there is replaced when the new one is complete. Calendars that are files are not in it.
      """, usage: backupUsage, options: options)
    let arguments = try parse(words, options, help: help)
    let file = try onlyWord(arguments, usage: backupUsage)
    let folder = try StoreCommand.existingFolder(arguments)
    do throws(StoreError) {
      let summary = try Store.backup(path: folder.database, to: file, time: SystemTime()) { printProgress.show($0) }
      printProgress.finish()
      report(summary, "Backed up")
      if !summary.damage.isEmpty { exit(1) }
    } catch {
      throw CommandError(storeError: error)
    }
  }

  static func restore(_ words: [String]) throws(CommandError) {
    let options = [Option("data", "DIR", help: "a folder that is new or empty; or EIGHTBELLS_DATA")]
    let help = helpText(
      """
      Puts a backup into a new or empty folder. Everything is checked before anything takes its place; a backup that is
      torn or was changed is refused.
      """, usage: restoreUsage, options: options)
    let arguments = try parse(words, options, help: help)
    let file = try onlyWord(arguments, usage: restoreUsage)
    guard let path = arguments["data"] ?? environment()["EIGHTBELLS_DATA"] else {
      throw CommandError(usage: "--data is missing: a folder that is new or empty.")
    }
    // Before anything is made.
    guard access(file, R_OK) == 0 else {
      throw CommandError("Cannot read \(file): \(String(cString: strerror(errno))).")
    }
    let folder = try DataFolder(path)
    try folder.lock()
    do throws(StoreError) {
      let summary = try Store.restore(from: file, path: folder.database) { printProgress.show($0) }
      printProgress.finish()
      report(summary, "Restored")
    } catch {
      throw CommandError(storeError: error)
    }
  }

  private static func onlyWord(_ arguments: Arguments, usage: String) throws(CommandError) -> String {
    guard arguments.words.count == 1, let word = arguments.words.first, !word.isEmpty else {
      throw CommandError(usage: "Usage: \(usage)")
    }
    return word
  }

  private static func report(_ summary: BackupSummary, _ done: String) {
    for damage in summary.damage { print("Damaged before, and still: \(damage)") }
    print("\(done): \(summary.files) files, \(summary.blobs) blobs, \(summary.bytes) bytes")
  }
}
