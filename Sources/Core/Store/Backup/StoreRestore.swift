import Crypto
import Glibc

extension Store {
  /// Restores a backup into a new or empty folder. Everything is read, compared with the backup's manifest and synced
  /// before it is moved into place; the database comes last, so an interrupted restore never looks like a complete one.
  /// The caller keeps hubs away from the folder. Blocks the thread.
  /// - Parameters:
  ///   - path: the database's file, to be created.
  ///   - configuration: returns the text of the configuration as it is to be here.
  /// - Throws: `.archive` for a truncated, changed or foreign file, `.notEmpty`.
  public static func restore(
    from source: String, path: String, configuration: @escaping (String) -> String = { $0 },
    progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> BackupSummary {
    let file = StoreFile(path: path)
    try checkEmpty(file)
    let lock = try file.lock(.exclusive)
    defer { withExtendedLifetime(lock) {} }
    // A store may have been created here while this waited for the lock.
    try checkEmpty(file)
    // A hub that was killed has left the note of a file that was here before.
    file.forgetOpen()
    return try BackupReader(source, file, configuration, progress).run()
  }

  /// Accepts lock files, what each disk has at its top, and the remains of an interrupted restore.
  private static func checkEmpty(_ file: StoreFile) throws(StoreError) {
    let names = try Files.names(in: file.folder).filter {
      !["lock", "lost+found"].contains($0) && !file.lockPath.hasSuffix("/\($0)")
    }
    if names.contains("restoring"), !Files.exists(file.path) { return }
    guard names.isEmpty else {
      throw StoreError(
        .notEmpty, "The folder holds \(names[0]); a restore takes a new or empty one", context: file.folder)
    }
  }
}

private final class BackupReader {
  private let source: String
  private let file: StoreFile
  private let configured: (String) -> String
  private let tell: StoreProgress.Listener
  private let staging: BlobFolder
  private var summary = BackupSummary()
  private var found = BackupManifest()
  private var total = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)

  init(
    _ source: String, _ file: StoreFile, _ configured: @escaping (String) -> String,
    _ tell: @escaping StoreProgress.Listener
  ) {
    self.source = source
    self.file = file
    self.configured = configured
    self.tell = tell
    staging = BlobFolder(path: "\(file.restoring)/blobs", threads: 0)
  }

  deinit { buffer.deallocate() }

  func run() throws(StoreError) -> BackupSummary {
    let archive = try ArchiveReader(OpenFile(reading: source))
    guard let first = try archive.next(), first.name == BackupManifest.beginning else {
      throw refusal("It is no backup of Eightbells")
    }
    try begin(try text(archive, first))
    try clear()
    try Files.demandRoom(total, in: file.folder, for: "what is in the backup")
    do throws(StoreError) {
      try extract(archive)
      try verify()
    } catch {
      try? clear()
      throw error
    }
    try settle()
    return summary
  }

  /// Removes the remains of an earlier restore.
  private func clear() throws(StoreError) {
    if Files.exists(file.restoring) {
      try Files.removeTree(file.blobs)
      try Files.remove("\(file.folder)/\(BackupManifest.configuration)")
    }
    try Files.removeTree(file.restoring)
  }

  private func begin(_ text: String) throws(StoreError) {
    let words = text.split(separator: "\n").map { $0.split(separator: " ") }
    guard words.count >= 2, words[0].count == 2, words[0][0] == "format", let format = Int(words[0][1]) else {
      throw refusal("It is no backup of Eightbells")
    }
    guard format == BackupManifest.format else {
      throw refusal("It has the format \(format), and this program knows \(BackupManifest.format): use a newer one")
    }
    total = words[1].count == 2 ? Int(words[1][1]) ?? 0 : 0
  }

  private func extract(_ archive: ArchiveReader) throws(StoreError) {
    try Files.makeFolder(file.restoring)
    try Files.makeFolder(staging.path)
    try Files.makeFolder(staging.incoming)
    var manifest: BackupManifest?
    while let entry = try archive.next() {
      guard manifest == nil else { throw refusal("Something follows behind its manifest: \(entry.name)") }
      if entry.name == BackupManifest.name {
        manifest = BackupManifest(try text(archive, entry))
        guard manifest != nil else { throw refusal("Its manifest is damaged") }
      } else {
        try extract(entry, archive)
      }
    }
    guard let manifest else { throw refusal("It is cut off: its manifest is missing") }
    for (name, wanted) in manifest.files.sorted(by: { $0.key < $1.key }) {
      guard let got = found.files[name] else { throw refusal("\(name) is missing in it") }
      guard got == wanted else { throw refusal("\(name) was changed in it: its SHA-256 is \(got.digest)") }
    }
    for name in found.files.keys where manifest.files[name] == nil { throw refusal("\(name) does not belong to it") }
    found.damaged = manifest.damaged
  }

  private func extract(_ entry: ArchiveReader.Entry, _ archive: ArchiveReader) throws(StoreError) {
    guard found.files[entry.name] == nil else { throw refusal("\(entry.name) is in it twice") }
    let output = try OpenFile(making: try place(of: entry.name))
    let hash = RunningDigest()
    var size = 0
    while case let count = try archive.read(into: buffer), count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(piece)
      try output.write(piece)
      size += count
      summary.bytes += count
      tell(StoreProgress(step: "reading the backup", done: summary.bytes, total: max(total, summary.bytes)))
    }
    try output.sync()
    found.files[entry.name] = BackupManifest.File(size: size, digest: BlobDigest(hash))
    summary.files += 1
  }

  /// The path of a file. Names in an archive are not trusted: only the expected ones are accepted.
  private func place(of name: String) throws(StoreError) -> String {
    switch name {
    case BackupManifest.database, BackupManifest.configuration: return "\(file.restoring)/\(name)"
    default:
      guard let digest = BackupManifest.digest(ofBlob: name) else { throw refusal("\(name) does not belong to it") }
      try Files.makeFolder(staging.folder(of: digest))
      return staging.place(of: digest)
    }
  }

  /// Checks that database and blobs fit: nothing is damaged that was not damaged when the backup was made.
  private func verify() throws(StoreError) {
    let path = "\(file.restoring)/\(BackupManifest.database)"
    guard found.files[BackupManifest.database] != nil else { throw refusal("It holds no database") }
    let database = try Database(path: path, .still)
    guard try database.hasTable("migrations") else { throw refusal("It holds no records of Eightbells") }
    // A trigger would go on working for whoever has changed the backup, after all passwords are others.
    guard try database.rows(Dialect.triggersAndViews, read: { $0.text(0) }).isEmpty else {
      throw refusal("Its database has triggers or views, and a hub makes none")
    }
    let manifest = try StoreManifest(database, staging, CheckedFiles()) { done, total in
      self.tell(StoreProgress(step: "checking blobs", done: done, total: total))
    }
    summary.blobs = manifest.blobs.count
    for (digest, content) in manifest.blobs.sorted(by: { $0.key < $1.key }) {
      guard let damage = content.damage else { continue }
      guard !content.isFile || found.damaged.contains(BackupManifest.blob(digest)) else {
        throw refusal("The blob \(digest) in it is damaged: \(damage)")
      }
      summary.damage.append("The blob \(digest): \(damage)")
    }
    for name in found.files.keys {
      guard let digest = BackupManifest.digest(ofBlob: name) else { continue }
      guard manifest.blobs[digest]?.isFile == true else { throw refusal("Its database knows nothing of \(name)") }
    }
    for name in try Files.names(in: staging.path) { try Files.syncFolder("\(staging.path)/\(name)") }
    try Files.syncFolder(staging.path)
    try Files.syncFolder(file.restoring)
  }

  private func settle() throws(StoreError) {
    try Files.move(staging.path, to: file.blobs)
    let configuration = "\(file.restoring)/\(BackupManifest.configuration)"
    if Files.exists(configuration) {
      try configure(configuration)
      try Files.move(configuration, to: "\(file.folder)/\(BackupManifest.configuration)")
    }
    try Files.syncFolder(file.folder)
    try Files.move("\(file.restoring)/\(BackupManifest.database)", to: file.path)
    try Files.syncFolder(file.folder)
    try Files.removeTree(file.restoring)
    try Files.syncFolder(file.folder)
    try Files.syncFolder(Files.folder(of: file.folder))
  }

  private func configure(_ path: String) throws(StoreError) {
    let file = try OpenFile(reading: path)
    guard let text = String(validating: try file.all(file.size), as: UTF8.self) else { return }
    let wanted = configured(text)
    guard wanted != text else { return }
    try Files.remove(path)
    let output = try OpenFile(making: path)
    try output.write(Array(wanted.utf8))
    try output.sync()
  }

  private func text(_ archive: ArchiveReader, _ entry: ArchiveReader.Entry) throws(StoreError) -> String {
    guard entry.size <= StoreLimits.manifestBytes else { throw refusal("\(entry.name) in it is too large") }
    var bytes: [UInt8] = []
    while case let count = try archive.read(into: buffer), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(_ reason: String) -> StoreError {
    StoreError(.archive, "The backup is refused: \(reason)", context: source)
  }
}
