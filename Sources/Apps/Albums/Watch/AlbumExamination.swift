import EventLoop
import Glibc
import Hub
import Imaging
import Lifecycle
import Receiving
import Store

/// The doctor's look at albums: the program that decodes, the room on the disk, the folder for copies, and hosts.
struct AlbumExamination {
  let hub: Hub
  let services: AlbumServices

  /// Seconds for which the program may take to start.
  private static let patience = 5.0

  func findings() async -> [Finding] {
    let ofCopies = services.copies.folder.map { copies(in: $0) }
    let all: [Finding?] = [await program(), disk(), ofCopies, await hosts(), await givenUp()]
    return all.compactMap { $0 }
  }

  /// Pictures at which the program ended, each time they were tried.
  private func givenUp() async -> Finding? {
    let count = try? await hub.store.read { database throws(StoreError) in try database.givenUp().count }
    guard let count, count > 0 else { return nil }
    return .warning(
      "album pictures", "given up because eightbells-pictures ended at them: \(count)",
      remedy: "The next start of the hub tries them anew; give it more memory if that was short. The log names them: "
        + "`journalctl -u eightbells -g 'could not be made'`")
  }

  /// Albums whose last host has gone from the hub, which nobody moderates or deletes.
  private func hosts() async -> Finding? {
    let albums = try? await hub.store.read { database throws(StoreError) in try database.albumsWithoutHost() }
    guard let albums, !albums.isEmpty else { return nil }
    let named = albums.prefix(5).map { "\($0.name) (\($0.address))" } + (albums.count > 5 ? ["…"] : [])
    return .warning(
      "album hosts", "no host is left in \(named.joined(separator: ", "))",
      remedy: "`eightbells album host ID` makes one, `eightbells album delete ID` ends the album.")
  }

  private func program() async -> Finding {
    let workshop = services.derivatives.workshop
    // Ended, and waited for, on the way out.
    async let _ = workshop.run()
    let end = hub.time.uptime + Self.patience
    while workshop.state == .starting, hub.time.uptime < end { try? await hub.loop.pause(for: 0.05) }
    return switch workshop.state {
    case .ready(let sandbox, let remarks):
      .ok("pictures", "eightbells-pictures runs, locked in by \(sandbox)\(remarks.map { "; \($0)" } ?? "")")
    case .missing(let words):
      .warning(
        "pictures", "albums show no pictures: \(words)",
        remedy: "Install the package, run the image `eightbells-with-pictures`, or `bin/build eightbells-pictures`.")
    case .failing(let words):
      .problem("pictures", "eightbells-pictures does not run: \(words)", remedy: "Run it by hand to see why.")
    case .starting:
      .warning(
        "pictures", "eightbells-pictures did not start within \(Int(Self.patience)) s",
        remedy: "Look if the machine is busy, and try again.")
    }
  }

  private func disk() -> Finding {
    let free = services.quota.free
    guard free > 0 else {
      return .problem(
        "album disk", "no room for pictures: less than \(DiskShare.words(ReceivingLimits.diskReserve)) are free",
        remedy: "Make room on the disk of the data folder, and on that of `blobs` in it, or have hosts delete removed "
          + "pictures for good.")
    }
    return .ok("album disk", "\(DiskShare.words(free)) left for pictures")
  }

  private func copies(in folder: String) -> Finding {
    if access("\(folder)/.", W_OK | X_OK) == 0 {
      return .ok("album copies", "\(folder) can be written to; a service needs ReadWritePaths= for it, too")
    }
    if errno == ENOENT {
      return .warning(
        "album copies", "\(folder) is not there", remedy: "Make it, for the hub's user. Without a unit, the hub does.")
    }
    return .problem(
      "album copies", "\(folder) cannot be written to: \(String(cString: strerror(errno)))",
      remedy: "Give it to the hub's user, or name another folder as albums_folder: Docs/albums.md")
  }
}
