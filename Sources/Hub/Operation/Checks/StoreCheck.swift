package import Store

/// The check of the database.
package enum StoreCheck {
  /// A note about a folder that was copied while a hub wrote into it; nil for any other.
  package static func noteOfCopy(_ path: String) -> Finding? {
    guard Store.isCopyOfOpen(path) else { return nil }
    return .warning(
      "copy", "the folder was copied while a hub had it open, so its last changes may be missing",
      remedy: "Stop the hub before copying, or take what `eightbells backup` writes. If the copy is all there is: "
        + "`eightbells store verify --data DIR` reads every row and blob.")
  }

  package static func finding(_ examination: StoreExamination, at place: StorePlace) -> Finding {
    switch place {
    case .file(let path): finding(examination, path: path)
    case .server(let address, _):
      if case .unreadable(let words) = examination {
        .problem(
          "database", words,
          remedy: "Is the server up, and may the hub in? Try `psql` with the address \(address.shown).")
      } else {
        finding(examination, path: address.shown)
      }
    }
  }

  private static func finding(_ examination: StoreExamination, path: String) -> Finding {
    switch examination {
    case .missing:
      .warning("database", "there is none yet", remedy: "The hub's first start makes it: `eightbells serve --data DIR`")
    case .halfRestored:
      .problem(
        "database", "there is none: a restore into the folder was cut short",
        remedy: "Run it again, with the same backup or another one: `eightbells restore FILE --data DIR`")
    case .current: .ok("database", "whole and up to date")
    case .outdated(let steps):
      .ok("database", "whole; the next start brings it up to date, in \(steps) step\(steps == 1 ? "" : "s")")
    case .foreign(let step):
      .problem(
        "database", "it was written by a newer Eightbells (\(step))",
        remedy: "This program would not understand it and refuses. Install the newer one again, or restore the backup "
          + "from before it, in the folder backups beside it: Docs/install.md, \"Back to the version before\".")
    case .damaged(let words):
      .problem(
        "database", "it is damaged: \(words)",
        remedy: "Stop the hub and look at the disk (`dmesg`, `smartctl -a`). Then take the last backup; without one, "
          + "save what can be read: `sqlite3 \(path) .recover | sqlite3 saved.sqlite`")
    case .unreadable(let words):
      .problem(
        "database", "it cannot be opened: \(words)",
        remedy: "Mend first what is said above of the folder, the disk or the file system. If all is well there, look "
          + "whose it is and whether it is a database at all: `ls -l \(path)`, `file \(path)`")
    }
  }
}
