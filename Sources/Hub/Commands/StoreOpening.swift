import Glibc
public import Lifecycle
import Settings
public import Store
public import Terminal

extension DataFolder {
  /// Opens the store with the tables of all rooms, also those that are switched off.
  /// - Parameters:
  ///   - taken: called with the file of the backup that a migration begins with.
  ///   - getsOn: called on another thread whenever a migration has got on.
  public func openStore(
    _ rooms: RoomList, time: any TimeSource, access: Store.Access = .owner,
    taken: @escaping @Sendable (String) -> Void = { _ in }, getsOn: @escaping @Sendable () -> Void = {}
  ) async throws(StoreError) -> Store {
    defer { printProgress.finish() }
    var backups = self.backups
    backups.taken = taken
    return try await Store(
      place, bucket: openBucket(time: time), migrations: rooms.migrations, time: time, access: access,
      backups: backups, running: Self.runningHubs,
      elsewhere: { database, placeID throws(StoreError) in try database.member(withoutBlobsAt: placeID) },
      progress: { progress in
        printProgress.show(progress)
        getsOn()
      })
  }

  /// The hubs that run on a server, such as "alpha (0.12.0)".
  public static let runningHubs: Store.Running = { database throws(StoreError) in
    guard try database.hasMembers() else { return [] }
    return try database.members().map { "\($0.host) (\($0.version))" }
  }

  /// Opens the store for a command. If a hub runs, its tables must be current. If not, this may be the first program of
  /// a newer version, and migrates them.
  public func openStoreBesideHub(_ rooms: RoomList, time: any TimeSource) async throws(StoreError) -> Store {
    do throws(StoreError) {
      return try await openStore(rooms, time: time, access: .guest)
    } catch {
      guard error.code == .outdated, (try? lock()) != nil else { throw error }
      let store = try await openStore(rooms, time: time)
      // From here on the older program is refused.
      let backup = server == nil ? "; a backup from before is in \(backups.folder)" : ""
      printError("eightbells: the records were brought up to date for version \(productVersion)\(backup).")
      return store
    }
  }
}

extension ProgressPrinter {
  public func show(_ progress: StoreProgress) { show(progress.step, progress.done, of: progress.total) }
}

extension CommandError {
  public init(storeError error: StoreError) {
    printProgress.finish()
    self.init("\(error.description)." + (error.code == .file(EROFS) ? Self.readOnlyAdvice : ""))
  }

  /// A disk that fails is mounted for reading only, and what is on it can still be saved.
  static let readOnlyAdvice =
    " If that is the data folder's disk: copy the folder to another one, with `cp -a`, and run this on the copy."
}
