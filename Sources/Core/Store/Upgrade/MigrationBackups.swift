/// The backups that are taken before migrations. Nothing of a migration depends on them: they are for people who want
/// the version from before back, which cannot read what a newer one has migrated.
public struct MigrationBackups: Sendable {
  public let folder: String
  let name: String
  /// Called with the file of one that is complete.
  public var taken: @Sendable (String) -> Void = { _ in }

  /// - Parameters:
  ///   - folder: is made if it is missing.
  ///   - name: of the next backup, such as "before-1.2.0"; one that has it already is replaced.
  public init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  /// Removes all but the newest, so that there is room, and takes one. The caller holds the file's lock.
  func take(_ file: StoreFile, now: Double, _ tell: @escaping StoreProgress.Listener) throws(StoreError) {
    let target = "\(folder)/\(name).tar"
    do throws(StoreError) {
      if try Files.makeFolder(folder) { try Files.syncFolder(Files.folder(of: folder)) }
      try removeOld(but: target)
      _ = try file.backUp(to: target, now: now, tell)
      taken(target)
    } catch {
      let advice =
        error.code == .diskFull
        ? "; make room, or take it to another disk, with eightbells backup, and then run eightbells store migrate "
          + "--without-backup" : ""
      throw StoreError(
        error.code, "The backup before the migration failed, so nothing was migrated: \(error.message)\(advice)",
        context: error.context)
    }
  }

  /// Removes the oldest, and the remains of backups that a crash has cut off.
  private func removeOld(but target: String) throws(StoreError) {
    let all = try Files.names(in: folder).filter { $0.hasPrefix("before-") }.map { "\(folder)/\($0)" }
    let finished = all.filter { $0.hasSuffix(".tar") && $0 != target }
      .sorted { (Files.identity($0)?.modified ?? []).lexicographicallyPrecedes(Files.identity($1)?.modified ?? []) }
    let kept = Set(finished.suffix(StoreLimits.migrationBackups - 1) + [target])
    for path in all where !kept.contains(path) { try Files.remove(path) }
  }
}
