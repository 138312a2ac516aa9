import Crypto
import Glibc
public import Lifecycle

/// The result of a backup or a restore.
public struct BackupSummary: Equatable, Sendable {
  /// Files written: the database, large blobs, the configuration.
  public var files = 0
  /// All blobs, those within the database included.
  public var blobs = 0
  /// Bytes of all files.
  public var bytes = 0
  /// Damage that existed before, as sentences; the damaged data is kept as it was.
  public var damage: [String] = []
}

extension Store {
  /// Writes the records of one moment, with all their blobs and the folder's configuration, into one file; a hub may
  /// run meanwhile. The file is complete and on the disk before it gets its name. Blocks the thread.
  ///
  /// Blobs of a bucket are fetched, and are in it as those of a folder: a restore needs no bucket.
  ///
  /// Records of a server are copied into a file like that of a folder, so that a restore needs no server.
  /// - Parameter connected: called once a server has let this process in.
  /// - Throws: `.inUse` while another backup is written to the same file.
  public static func backup(
    _ place: StorePlace, bucket: (any BlobBucket)? = nil, migrations: [Migration], to target: String,
    time: any TimeSource, connected: () -> Void = {},
    progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> BackupSummary {
    let file = StoreFile(path: place.file)
    guard case .file(let path) = place else {
      let server = try place.open(isReadOnly: true)
      connected()
      if bucket == nil { try server.demandNoBucket() }
      return try file.backUp(bucket, to: target, now: time.now, progress) { snapshot throws(StoreError) in
        try server.copyRecords(to: snapshot, migrations, now: time.now, progress)
      }
    }
    guard Files.exists(path) else { throw StoreError(.open, "There is no database", context: path) }
    let lock = try file.lock(.shared)
    guard !file.hasLeftovers else {
      throw StoreError(.outdated, "A migration was cut short; start the hub once, or run store migrate", context: path)
    }
    defer { withExtendedLifetime(lock) {} }
    if bucket == nil { try place.open(isReadOnly: true).demandNoBucket() }
    return try file.backUp(bucket, to: target, now: time.now, progress)
  }

  /// Removes what a backup to a file has written so far, for a program that is ended before it is complete.
  public static func removeUnfinishedBackup(to target: String) {
    try? Files.removeDatabase("\(target).part.sqlite")
    _ = try? Files.remove("\(target).part")
  }
}

extension Database {
  /// Copies the records of a server, as of one moment, into a new file.
  fileprivate func copyRecords(
    to path: String, _ migrations: [Migration], now: Double, _ tell: @escaping StoreProgress.Listener
  ) throws(StoreError) {
    try Files.removeDatabase(path)
    // Created here, so that only the owner may read it.
    _ = try OpenFile(making: path)
    let file = try Database(path: path, .copy)
    let copy = try RecordCopy(from: self, to: file, name: "backup", migrations, now: now, tell: tell)
    _ = try copy.run()
    try copy.end()
    try file.endMove()
    try Files.syncFile(path)
  }
}

extension StoreFile {
  /// Writes a backup; the caller holds the file's lock.
  /// - Parameter bucket: nil to leave out what is in a bucket.
  func backUp(
    _ bucket: (any BlobBucket)? = nil, to target: String, now: Double, _ progress: @escaping StoreProgress.Listener
  ) throws(StoreError) -> BackupSummary {
    try backUp(bucket, to: target, now: now, progress) { snapshot throws(StoreError) in
      try Database(path: path, .readOnly).copy(to: snapshot) { done, total in
        progress(StoreProgress(step: "copying the database", done: done, total: total))
      }
    }
  }

  /// - Parameter copy: makes a file with the records of one moment.
  fileprivate func backUp(
    _ bucket: (any BlobBucket)?, to target: String, now: Double, _ progress: @escaping StoreProgress.Listener,
    copy: (_ snapshot: String) throws(StoreError) -> Void
  ) throws(StoreError) -> BackupSummary {
    let folder = BlobFolder(path: blobs, threads: 0)
    // While the lock is held, no blob is removed. Where there is no large one yet, there is no folder; one that another
    // user than the hub's made for the lock would keep the hub from it.
    let blobLock = access(blobs, F_OK) == 0 ? try FileLock(folder.lock) : nil
    if let blobLock { try take(.shared, blobLock) }
    defer { withExtendedLifetime(blobLock) {} }
    return try BackupWriter(self, BlobSource(folder: folder, bucket: bucket), target, now: now, progress).run(copy)
  }
}

private final class BackupWriter {
  private let file: StoreFile
  private let source: BlobSource
  private let target: String
  private let now: Double
  private let tell: StoreProgress.Listener
  private var part: String { "\(target).part" }
  private var snapshot: String { "\(target).part.sqlite" }
  private var manifest = BackupManifest()
  private var summary = BackupSummary()
  private var total = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)

  init(_ file: StoreFile, _ source: BlobSource, _ target: String, now: Double, _ tell: @escaping StoreProgress.Listener)
  {
    self.file = file
    self.source = source
    self.target = target
    self.now = now
    self.tell = tell
  }

  deinit { buffer.deallocate() }

  func run(_ copy: (_ snapshot: String) throws(StoreError) -> Void) throws(StoreError) -> BackupSummary {
    let output = try OpenFile(continuing: part)
    guard try output.claim(isNeeded: false) else {
      throw StoreError(.inUse, "Another backup is being written to this file; wait for its end", context: target)
    }
    // It is nobody else's until it has its name.
    defer { withExtendedLifetime(output) {} }
    do throws(StoreError) {
      // There may be the remains of one that was killed.
      try output.cut(to: 0)
      try copy(snapshot)
      try write(to: output)
      try Files.removeDatabase(snapshot)
      try Files.move(part, to: target)
    } catch {
      Store.removeUnfinishedBackup(to: target)
      throw error
    }
    try Files.syncFolder(Files.folder(of: target))
    return summary
  }

  private func write(to output: OpenFile) throws(StoreError) {
    let large = try largeBlobs()
    if source.bucket != nil { try forgetBucket() }
    let configuration = "\(file.folder)/\(BackupManifest.configuration)"
    var plain = [(BackupManifest.database, snapshot)]
    if Files.exists(configuration) { plain.append((BackupManifest.configuration, configuration)) }
    // A backup before a migration leaves to the bucket what the migration does not touch.
    let kept = large.filter { $0.object == nil || source.bucket != nil }
    total = kept.reduce(0) { $0 + $1.size } + plain.reduce(0) { $0 + (Files.identity($1.1)?.size ?? 0) }
    try Files.demandRoom(total, in: Files.folder(of: target), for: "the backup")
    let archive = try ArchiveWriter(output)
    try add(BackupManifest.beginning, "format \(BackupManifest.format)\nbytes \(total)\n", to: archive)
    for (name, path) in plain { try add(name, try OpenFile(reading: path), to: archive) }
    for row in kept {
      let name = BackupManifest.blob(row.digest)
      guard let blob = try source.open(row) else {
        note("The blob \(row.digest): its file is missing", name)
        continue
      }
      let found = try add(name, blob, to: archive)
      if let damage = StoreManifest.damage(row.digest, size: row.size, found: (found.digest, found.size)) {
        note("The blob \(row.digest): \(damage)", name)
      }
    }
    try add(BackupManifest.name, manifest.readableText(atMost: StoreLimits.manifestBytes), to: archive)
    try archive.finish()
    try output.sync()
  }

  /// The blobs in files, by the rows of the copy: their files stay while the lock is held.
  private func largeBlobs() throws(StoreError) -> [BlobRow] {
    let database = try Database(path: snapshot, .still)
    guard try database.hasTable("blobs") else { return [] }
    summary.blobs = try database.first("SELECT count(*) FROM blobs") { $0.int(0) } ?? 0
    let found = try database.rows("SELECT digest, size FROM blobs WHERE bytes IS NULL ORDER BY digest") { row in
      BlobDigest(row.blob(0)).map { BlobRow(digest: $0, size: row.int(1), bytes: nil) }
    }.compactMap { $0 }
    return try database.withObjects(found)
  }

  /// Has the copy of the records know no bucket, since it has all blobs itself. Where it is restored, another hub may
  /// still have that bucket.
  private func forgetBucket() throws(StoreError) {
    let database = try Database(path: snapshot, .copy)
    guard try database.hasTable("blob_bucket"), try database.bucketNote() != nil else { return }
    try database.inTransaction { () throws(StoreError) in
      for table in ["blob_objects", "blob_bucket"] { try database.run("DELETE FROM \(table)") }
    }
  }

  private func note(_ sentence: String, _ name: String) {
    summary.damage.append(sentence)
    manifest.damaged.insert(name)
  }

  private func add(_ name: String, _ text: String, to archive: ArchiveWriter) throws(StoreError) {
    try archive.begin(name, size: text.utf8.count, modified: now)
    try Array(text.utf8).lend { bytes throws(StoreError) in try archive.write(bytes) }
  }

  @discardableResult
  private func add(
    _ name: String, _ source: OpenFile, to archive: ArchiveWriter
  ) throws(StoreError) -> BackupManifest.File {
    let size = source.size
    let hash = RunningDigest()
    try archive.begin(name, size: size, modified: now)
    var done = 0
    while case let count = try source.read(into: buffer), count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      guard done + count <= size else { break }
      hash.update(piece)
      try archive.write(piece)
      done += count
      summary.bytes += count
      tell(StoreProgress(step: "writing the backup", done: summary.bytes, total: total))
    }
    guard done == size else {
      throw StoreError(.damaged, "A file changed while it was being read", context: source.path)
    }
    let entry = BackupManifest.File(size: size, digest: BlobDigest(hash))
    manifest.files[name] = entry
    summary.files += 1
    return entry
  }
}
