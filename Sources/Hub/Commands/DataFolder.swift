import CLinux
import Glibc
public import Lifecycle
public import ObjectStore
import Settings
public import Store
public import Terminal

/// The folder with all of a hub's data.
public struct DataFolder: Sendable {
  /// An absolute path.
  public let path: String

  public static let databaseName = "eightbells.sqlite"
  public var database: String { "\(path)/\(Self.databaseName)" }
  /// The place of the records: the folder, or the server that a start was told (`use(store:)`).
  public var place: StorePlace { server.map { .server($0, blobs: "\(path)/blobs") } ?? .file(database) }
  /// The database server, if the records are on one.
  public private(set) var server: ServerAddress?
  /// The bucket of large blobs, if they are in one.
  public private(set) var bucket: BucketAddress?
  /// The file that says which bucket this is.
  private static func bucketNote(_ path: String) -> String { "\(path)/bucket" }
  /// The file that says which server this is.
  private static func note(_ path: String) -> String { "\(path)/store" }
  /// A program keeps here what there was before it has migrated the store.
  public var backups: MigrationBackups { MigrationBackups(folder: "\(path)/backups", name: "before-\(productVersion)") }

  /// Creates the folder if it is missing; only its owner may read it, since it contains the club's data.
  /// - Parameter moves: true for the command that goes on with a move of the records, which all others wait for.
  public init(_ path: String, moves: Bool = false) throws(CommandError) {
    // Files created by this process are for its user only, such as the database, whose mode SQLite does not set.
    umask(0o077)
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += made.isEmpty && part.isEmpty ? "/" : "\(part)/"
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        throw CommandError("Cannot make the folder \(made): \(String(cString: strerror(errno))).")
      }
    }
    guard let real = realpath(path, nil) else {
      throw CommandError("Cannot use the folder \(path): \(String(cString: strerror(errno))).")
    }
    defer { free(real) }
    self.path = String(cString: real)
    var status = stat()
    guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandError("\(path) is no folder.")
    }
    guard access(self.path, W_OK) == 0 else {
      let reason = errno
      throw CommandError(
        "User \(getuid()) cannot write in the folder \(path): \(String(cString: strerror(reason)))."
          + (reason == EROFS ? CommandError.readOnlyAdvice : ""))
    }
    server = try Self.server(notedIn: self.path)
    bucket = try Self.bucket(notedIn: self.path)
    if !moves, let move = try FolderMove(in: self) {
      throw CommandError("A move of the records of \(self.path) was begun: \(move.command) goes on with it.")
    }
  }

  /// The database server that the last start with `--store` has noted in a folder, which may be missing.
  public static func server(notedIn path: String) throws(CommandError) -> ServerAddress? {
    guard access(note(path), F_OK) == 0, let bytes = try PrivateFile.read(note(path)) else { return nil }
    return try address(String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline })
  }

  /// The bucket that the last start with `--blobs s3://…` has noted in a folder, which may be missing.
  public static func bucket(notedIn path: String) throws(CommandError) -> BucketAddress? {
    guard access(bucketNote(path), F_OK) == 0, let bytes = try PrivateFile.read(bucketNote(path)) else { return nil }
    return try bucket(String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline })
  }

  /// Notes where the records are, for later starts and for commands beside the hub.
  /// - Parameter store: the address of a PostgreSQL server; `file` for the folder itself; empty for what was noted.
  public mutating func use(store: String) throws(CommandError) {
    switch store {
    case "": return
    case "file":
      server = nil
      unlink(Self.note(path))
    default:
      server = try Self.address(store)
      try PrivateFile.write(Self.note(path), Array("\(store)\n".utf8))
    }
  }

  /// Has large blobs kept elsewhere, for this start and later ones: in a bucket, which is noted, or in another folder,
  /// to which `blobs` becomes a link.
  /// - Parameter place: the address of a bucket, or a folder; empty for what there is.
  public mutating func use(blobs place: String) throws(CommandError) {
    if place.isEmpty { return }
    if Self.isBucket(place) {
      bucket = try Self.bucket(place)
      return try PrivateFile.write(Self.bucketNote(path), Array("\(place)\n".utf8))
    }
    if let bucket {
      throw CommandError(
        "--blobs: large blobs are in \(bucket.text). A backup that is restored into a new folder brings them home; if "
          + "nothing is there yet, remove the file \(Self.bucketNote(path)).")
    }
    try link(blobs: place)
  }

  private func link(blobs folder: String) throws(CommandError) {
    let link = "\(path)/blobs"
    guard let real = realpath(folder, nil) else {
      throw CommandError("--blobs: no folder \(folder): \(String(cString: strerror(errno))).")
    }
    defer { free(real) }
    guard access(real, W_OK) == 0 else { throw CommandError("--blobs: \(folder) cannot be written to.") }
    if let now = realpath(link, nil) {
      defer { free(now) }
      if strcmp(now, real) == 0 { return }
      // An empty folder, or a link to another one.
      guard rmdir(link) == 0 || unlink(link) == 0 else {
        throw CommandError("--blobs: \(link) has blobs already; move them to \(folder) first, while no hub runs.")
      }
    }
    unlink(link)
    guard symlink(real, link) == 0 else {
      throw CommandError("--blobs: cannot link \(link) to \(folder): \(String(cString: strerror(errno))).")
    }
  }

  /// True for the address of a bucket, false for a folder.
  public static func isBucket(_ place: String) -> Bool { place.contains("://") }

  public static func bucket(_ text: String) throws(CommandError) -> BucketAddress {
    do throws(StoreError) { return try BucketAddress(text) } catch { throw CommandError(storeError: error) }
  }

  /// The bucket; nil if large blobs are in a folder.
  func openBucket(time: any TimeSource) -> Bucket? {
    bucket.map { Bucket($0, environment: environment(), time: time) }
  }

  /// The same for a command that needs what is in it.
  /// - Throws: if there are no keys to it.
  public func demandBucket(time: any TimeSource) throws(StoreError) -> Bucket? {
    let bucket = openBucket(time: time)
    try bucket?.demandKeys()
    return bucket
  }

  private static func address(_ text: String) throws(CommandError) -> ServerAddress {
    do throws(StoreError) { return try ServerAddress(text) } catch { throw CommandError(storeError: error) }
  }

  /// Removes other users' permissions that an earlier version, or a copy, has left: on the database, the files beside
  /// it, and the folder itself. A folder with other programs' files is left as it is, and the doctor reports it.
  /// - Returns: true if others may still read the folder.
  public func closeToOthers() -> Bool {
    var isHubsAlone = true
    for name in namesInFolder(path) ?? [] {
      guard Self.isHubs(name) else {
        isHubsAlone = false
        continue
      }
      var status = stat()
      // Not through a link, which may lead anywhere.
      guard lstat("\(path)/\(name)", &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0,
        [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
      else { continue }
      chmod("\(path)/\(name)", status.st_mode & 0o7700)
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return false }
    guard isHubsAlone, status.st_uid == geteuid(), chmod(path, status.st_mode & 0o7700) == 0 else { return true }
    return false
  }

  static func isHubs(_ name: String) -> Bool {
    name.hasPrefix("eightbells.")
      || ["lock", "store", "store.moving", "bucket", "blobs", "backups", "restoring"].contains(name)
  }

  /// True for a name in the folder that is the hub's, whether or not the file is there yet: nothing else may be written
  /// to it. A `.tar` is none of the hub's.
  public func keeps(_ file: String) -> Bool {
    guard let whole = Self.resolved(file), let folder = Self.resolved(path), whole.hasPrefix("\(folder)/") else {
      return false
    }
    let name = whole.dropFirst(folder.count + 1)
    let first = String(name.prefix { $0 != "/" })
    return Self.isHubs(first) && first != "backups" && !name.hasSuffix(".tar")
  }

  /// A path without links and dots, also of a file that is not there yet; nil without a folder for it.
  private static func resolved(_ path: String) -> String? {
    if let found = realpath(path, nil) {
      defer { free(found) }
      return String(cString: found)
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty else { return nil }
    let folder = parts.dropLast().joined(separator: "/")
    guard let found = realpath(parts.count == 1 ? "." : folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(found) }
    return "\(String(cString: found))/\(name)"
  }

  /// Opens an existing hub's folder: a typing mistake must not create one.
  /// - Parameter asItsUser: false for the command that makes nothing there that would stay root's.
  public init(ofHub path: String, moves: Bool = false, asItsUser: Bool = true) throws(CommandError) {
    guard access("\(path)/\(Self.databaseName)", F_OK) == 0 || access(Self.note(path), F_OK) == 0 else {
      let failure = errno
      if failure == EACCES {
        throw CommandError("Cannot look into \(path): Permission denied; only the user whose hub it is may.")
      }
      if access("\(path)/restoring", F_OK) == 0 {
        throw CommandError(
          "A restore into \(path) was cut short; run it again, with the same backup or another one: eightbells restore "
            + "FILE --data \(path.shellWord)")
      }
      let reason =
        failure != ENOENT
        ? String(cString: strerror(failure))
        : access(path, F_OK) == 0 ? "there is no \(Self.databaseName) in it" : "there is no such folder"
      throw CommandError("No hub in \(path): \(reason); start one with eightbells serve --data \(path.shellWord)")
    }
    try self.init(path, moves: moves)
    if asItsUser { try becomeItsUser() }
  }

  /// Has root become the user whose hub it is, before anything in the folder is opened: what root makes there keeps the
  /// hub out of its own records. A hub that runs as root has made its files as root, whoever owns the folder.
  public func becomeItsUser() throws(CommandError) {
    guard let user = Self.user(of: path), clinux_become(user.id, user.group) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw CommandError(
      "Cannot become \(FolderCheck.name(of: user.id)), whose hub \(path) is: \(reason). Run this as that user.")
  }

  /// Has root become the user whose hub a folder is, for good and with that user's rights alone, so that it finds what
  /// the hub finds. Where that is forbidden, or there is no folder, it stays root.
  public static func lookAsItsUser(_ path: String) {
    guard let user = user(of: path) else { return }
    if let entry = getpwuid(user.id)?.pointee {
      initgroups(entry.pw_name, entry.pw_gid)
      // PostgreSQL's client looks for certificates there, and gives up if it may not look.
      setenv("HOME", entry.pw_dir, 1)
    } else {
      setgroups(0, nil)
    }
    setgid(user.group)
    setuid(user.id)
  }

  /// The user whose hub a folder is, if this process is root and the hub is not.
  private static func user(of path: String) -> (id: uid_t, group: gid_t)? {
    var status = stat()
    let places: [String] = ["\(path)/lock", "\(path)/\(databaseName)", "\(path)/."]
    guard geteuid() == 0, places.contains(where: { lstat($0, &status) == 0 }), status.st_uid != 0 else { return nil }
    return (status.st_uid, status.st_gid)
  }

  /// Has root, who has become the hub's user, be root again.
  public static func becomeCaller() {
    seteuid(getuid())
    setegid(getgid())
  }

  /// Gives whoever typed a command what it has just made outside the hub's folder. As the hub's user (`becomeItsUser`)
  /// owns it until then, whoever breaks into the hub could change or remove it later.
  public static func giveToCaller(_ path: String) {
    if getuid() != geteuid() { lchown(path, getuid(), getgid()) }
  }

  /// Locks out a second hub for as long as this process lives.
  public func lock() throws(CommandError) {
    let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno
      throw CommandError(
        "Cannot open \(path)/lock: \(String(cString: strerror(reason)))."
          + (reason == EROFS ? CommandError.readOnlyAdvice : ""))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      throw CommandError(
        isTaken
          ? "Another hub is running on \(path)." : "Cannot lock \(path): \(String(cString: strerror(errno))).")
    }
  }

  /// True if a hub runs on a folder. The lock is released at once, so it does not prevent a start.
  public static func isLocked(_ path: String) -> Bool {
    let descriptor = open("\(path)/lock", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// The configuration file's text; nil if there is none. The folder itself may be missing.
  /// - Throws: as for a wrong setting: a start that is tried again would fail in the same way.
  public static func configurationText(in folder: String) throws(CommandError) -> String? {
    let path = "\(folder)/eightbells.conf"
    guard let file = fopen(path, "r") else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw CommandError(
        usage: "Cannot read \(path): \(String(cString: strerror(errno))); the hub's user has to be able to.")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    guard ferror(file) == 0 else {
      throw CommandError(usage: "Cannot read \(path): \(String(cString: strerror(errno))).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(usage: "\(path) is not UTF-8.")
    }
    return text
  }
}
