import Glibc

/// Removes files that no row names. Files are moved in and out of their places within write transactions, so never two
/// at once, in whatever process.
extension Database {
  /// Removes the blobs that are noted for removal.
  /// - Returns: true if there are more. While a backup holds its lock nothing is removed; the next removal or start
  ///   does it.
  func sweep(_ folder: BlobFolder) throws(StoreError) -> Bool {
    let noted = try rows("SELECT digest FROM blob_removals LIMIT ?", .int(StoreLimits.removalsPerCommit)) {
      BlobDigest($0.blob(0))
    }.compactMap { $0 }
    guard !noted.isEmpty else { return false }
    try folder.make()
    let lock = try FileLock(folder.lock)
    guard try lock.take(.exclusive) else { return false }
    var gone: [(digest: BlobDigest, path: String)] = []
    do throws(StoreError) {
      for digest in noted {
        if try !hasBlob(digest), let path = try folder.takeOut(digest) { gone.append((digest, path)) }
        try run("DELETE FROM blob_removals WHERE digest = ?", .blob(digest.bytes))
      }
      try demandTransaction()
    } catch {
      for one in gone { folder.putBack(one.path, one.digest) }
      throw error
    }
    let paths = gone.map { $0.path }
    // The hook releases the lock, whether it runs or is dropped.
    afterCommit { withExtendedLifetime(lock) { folder.removeSoon(paths) } }
    return noted.count == StoreLimits.removalsPerCommit
  }

  /// Removes an upload that never got a name.
  func discard(_ digest: BlobDigest, mark: String, _ folder: BlobFolder) throws(StoreError) {
    // Another upload of the same bytes may be about to be named: it will put the file back.
    if try !hasBlob(digest), try !isNoted(digest), let gone = try folder.takeOut(digest) {
      do throws(StoreError) {
        try demandTransaction()
      } catch {
        folder.putBack(gone, digest)
        throw error
      }
      try Files.remove(gone)
    }
    afterCommit { folder.removeSoon([mark]) }
  }

  /// Makes sure that the transaction is still there. A server takes it away from whoever stands still in it, and then
  /// others may have named a blob that had no name a moment ago.
  private func demandTransaction() throws(StoreError) { _ = try first("SELECT 1") { _ in true } }

  /// - Throws: `.damaged` where there are large blobs, and the folder has none at all, as while its disk is not
  ///   mounted: what came meanwhile would be hidden beneath that disk later, and unfinished uploads would seem lost.
  func demandLargeBlobs(in folder: BlobFolder) throws(StoreError) {
    guard try first("SELECT 1 FROM blobs WHERE bytes IS NULL LIMIT 1", read: { _ in true }) != nil,
      try !Files.names(in: folder.path).contains(where: BlobFolder.isPart)
    else { return }
    throw StoreError(
      .damaged,
      "All large pictures and files are missing in their folder: is its disk mounted? If they are lost for good, make "
        + "an empty folder 00 in it", context: folder.path)
  }

  /// Cleans up after a crash; only while no other process uses the folder.
  /// - Parameter isShared: true if other hubs have the same records, and folders of their own.
  func recover(_ folder: BlobFolder, isShared: Bool) throws(StoreError) {
    var leftovers: [String] = []
    let names = try Files.names(in: folder.incoming)
    let kept = try keptFiles(found: Set(names), isShared: isShared)
    for name in names where !kept.contains(name) {
      let path = "\(folder.incoming)/\(name)"
      let parts = name.split(separator: ".")
      if let digest = BlobDigest(hex: parts[0]) {
        if try hasBlob(digest) {
          // Also files moved out by a write that was rolled back.
          try folder.place(path, as: digest, isRepeated: true)
        } else if parts.count == 2, try !isNoted(digest) {
          try Files.remove(folder.place(of: digest))
        }
      }
      leftovers.append(path)
    }
    for path in leftovers { try Files.remove(path) }
  }

  func isNoted(_ digest: BlobDigest) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM blob_removals WHERE digest = ?", .blob(digest.bytes)) { _ in true } ?? false
  }
}
