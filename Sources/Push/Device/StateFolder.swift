import Glibc
package import Wire

/// A failure in a device's folder; `message` is a sentence for people.
public struct DeviceError: Error, Equatable, Sendable {
  public var message: String
  /// The system's number of the failure; nil for one that it does not know.
  public var number: Int32?
  public init(_ message: String, number: Int32? = nil) { (self.message, self.number) = (message, number) }

  /// True if the disk cannot be written, as a card that is full, worn out, or can only be read any more.
  public var isOfDisk: Bool { number.map { [EROFS, ENOSPC, EDQUOT, EIO].contains($0) } ?? false }
}

/// A device's folder (0700), whose files only its owner may read (0600). Files are named relative to the open folder,
/// so it may be renamed. One process uses it at a time.
public final class StateFolder {
  /// The path by which it was opened, or its new one after `rename`.
  public private(set) var path: String
  public let descriptor: Int32
  /// True for one in the machine's memory (`init(inMemoryFor:)`).
  public internal(set) var isInMemory = false
  /// The kernel's name for this start of the machine; empty where it has none.
  let boot = StateFolder.bootName()
  private var lock: Int32 = -1
  /// The format of all files here, which stands in a file of its own. It grows when an older agent would misread what
  /// this one writes; a folder without that file has the first.
  static let format = 1
  private static let formatFile = "format"
  /// The files by which a folder is known as a device's: its own, and those that are put there before the start.
  private static let marks = [
    DeviceJournal.names[0], PendingRequests.requests, DevicePosition.file, "settings.json", "private-keys.json",
  ]

  /// Makes the folder if it is not there, with the folders that it is in, and takes away others' rights to it.
  public convenience init(_ path: String) throws(DeviceError) {
    try StateFolder.make(path)
    try self.init(reading: path)
    try protect()
  }

  /// Opens a folder that is there, and changes nothing about it.
  public init(reading path: String) throws(DeviceError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let number = errno
    var status = stat()
    let isKnown = descriptor >= 0 ? fstat(descriptor, &status) == 0 : stat(path, &status) == 0
    guard !isKnown || status.st_uid == geteuid() else {
      let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "user \(status.st_uid)"
      throw DeviceError(
        "\(path) belongs to \(owner); a folder of one's own is accepted. For that user's agent run this by "
          + "sudo -u \(owner).")
    }
    guard descriptor >= 0, isKnown else { throw Self.failure("opened", path, number) }
  }

  /// A folder of other things, named by mistake, is left as it is.
  private func protect() throws(DeviceError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    var isEmpty = true
    // A new partition has a folder of its file system's.
    try eachName(in: ".", withHidden: true) { if $0 != "lost+found" { isEmpty = false } }
    guard isEmpty || Self.marks.contains(where: { faccessat(descriptor, $0, F_OK, 0) == 0 }) else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw DeviceError(
        """
        \(path) has other files than an agent's, and others may use it (mode \(mode)); an empty folder is accepted, or \
        one of mode 700.
        """)
    }
    guard fchmod(descriptor, 0o700) == 0 else { throw failure("protected", ".") }
  }

  deinit {
    close(descriptor)
    if lock >= 0 { close(lock) }
  }

  private static func make(_ path: String) throws(DeviceError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    guard errno == ENOENT, !parent.isEmpty else { throw failure("made", path) }
    try make(path.hasPrefix("/") ? "/" + parent : parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("made", path) }
  }

  private static func bootName() -> String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var line = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(file, &line, line.count)
    return String(decoding: line.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
  }

  /// Takes the folder for this process, until it ends.
  /// - Returns: false if another process has it.
  /// - Throws: also if a newer agent has written it; then nothing in it was changed.
  public func take() throws(DeviceError) -> Bool {
    if lock < 0 { lock = openat(descriptor, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    // A card that went read-only keeps nobody from reading what the agent said last.
    if lock < 0, errno == EROFS { lock = openat(descriptor, "lock", O_RDONLY | O_CLOEXEC) }
    guard lock >= 0 else { throw failure("opened", "lock") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw failure("locked", "lock") }
      return false
    }
    try checkFormat()
    return true
  }

  private func checkFormat() throws(DeviceError) {
    let found = read(Self.formatFile, atMost: 64).map { String(decoding: $0.prefix { $0 > 32 }, as: UTF8.self) }
    guard let found else {
      // A full disk keeps no agent from its watch; it is written at a later start.
      try? write(Self.formatFile, Array("\(Self.format)\n".utf8))
      return
    }
    guard let number = Int(found), number <= Self.format else {
      throw DeviceError(
        """
        \(path) was written by a newer agent: its format is "\(found)", and this one knows \(Self.format). Install the \
        newer agent again, or name another folder (--state DIR), in which nothing is known of what was shown.
        """)
    }
  }

  /// Opens a file of a fixed size, whose space is taken on the disk.
  public func openFixed(_ name: String, _ size: Int) throws(DeviceError) -> Int32 {
    let file = openat(descriptor, name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("opened", name) }
    let code = posix_fallocate(file, 0, off_t(size))
    guard code == 0 || code == EOPNOTSUPP && ftruncate(file, off_t(size)) == 0 else {
      close(file)
      throw failure("made as large as \(size >> 10) KB", name, code)
    }
    return file
  }

  /// Writes a file as a whole: complete and synced under another name, then renamed.
  public func write(_ name: String, _ bytes: [UInt8]) throws(DeviceError) {
    let draft = "\(name).new"
    let file = openat(descriptor, draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("made", draft) }
    defer { close(file) }
    try writeAll(bytes, to: file, named: draft)
    guard fsync(file) == 0 else { throw failure("written", draft) }
    guard renameat(descriptor, draft, descriptor, name) == 0 else { throw failure("renamed", draft) }
    try syncFolder(of: name)
  }

  func writeAll(_ bytes: [UInt8], to file: Int32, named name: String, at start: Int = 0) throws(DeviceError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress! + written, $0.count - written, off_t(start + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("written", name) }
      written += count
    }
  }

  /// Syncs the folder in which a file was made, renamed or removed.
  func syncFolder(of name: String) throws(DeviceError) {
    let inner = name.contains("/") ? name.split(separator: "/").dropLast().joined(separator: "/") : "."
    let folder = openat(descriptor, inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure("opened", inner) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure("synced", inner) }
  }

  /// A file's bytes; nil if there is none, or if it is larger than the limit or no plain file.
  public func read(_ name: String, atMost limit: Int) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }

  /// A file as JSON; nil if there is none that can be read.
  package func json(_ name: String, atMost limit: Int) -> JSON? {
    read(name, atMost: limit).flatMap { try? JSON(parsing: $0) }
  }

  /// Writes JSON into a file; if that fails, notes it, such as "reports not kept: …".
  package func keep(_ what: String, _ json: JSON, in name: String, _ note: (String) -> Void) {
    do throws(DeviceError) {
      try write(name, json.bytes)
    } catch {
      note("\(what) not kept: \(error.message)")
    }
  }

  package func makeFolder(_ name: String) throws(DeviceError) {
    guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw failure("made", name) }
  }

  package func remove(_ name: String) throws(DeviceError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw failure("removed", name) }
  }

  func move(_ name: String, to new: String) throws(DeviceError) {
    guard renameat(descriptor, name, descriptor, new) == 0 else { throw failure("renamed", name) }
  }

  /// Calls `body` with each name in one of its folders, in no order.
  package func eachName(
    in folder: String, withHidden: Bool = false, _ body: (String) -> Void
  ) throws(DeviceError) {
    let inner = openat(descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard inner >= 0, let stream = fdopendir(inner) else { throw failure("listed", folder) }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if withHidden ? name != "." && name != ".." : !name.hasPrefix(".") { body(name) }
    }
  }

  /// Changes the folder's own name, and leaves the old one as a link to it. Nothing happens if the new name is taken.
  public func rename(to name: String) {
    guard !isInMemory, let slash = path.lastIndex(of: "/") else { return }
    let new = path[...slash] + name
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(String(new), F_OK) != 0,
      Glibc.rename(path, String(new)) == 0
    else { return }
    symlink(name, path)
    path = String(new)
  }

  // MARK: Errors

  package func failure(_ what: String, _ name: String, _ number: Int32 = errno) -> DeviceError {
    Self.failure(what, name == "." ? path : "\(path)/\(name)", number)
  }

  private static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> DeviceError {
    DeviceError("\(path) cannot be \(what): \(String(cString: strerror(number))).", number: number)
  }
}
