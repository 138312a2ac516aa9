import CLinux
import Glibc
import Lifecycle

/// The store's calls for files and folders; an error names the call, the file and the reason.
enum Files {
  static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> StoreError {
    StoreError(
      StoreError.isFull(number) ? .diskFull : .file(number), "\(what): \(String(cString: strerror(number)))",
      context: path)
  }

  /// - Returns: true if the folder was made now; false if it existed.
  @discardableResult
  static func makeFolder(_ path: String) throws(StoreError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw failure("Cannot make a folder", path) }
    return false
  }

  /// Syncs a folder, so that files made, renamed or removed in it stay so after a power failure.
  static func syncFolder(_ path: String) throws(StoreError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure("Cannot open a folder", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure("Cannot sync a folder", path) }
  }

  /// Syncs a file that other code of this process wrote.
  static func syncFile(_ path: String) throws(StoreError) { try OpenFile(reading: path).sync() }

  static func move(_ old: String, to new: String) throws(StoreError) {
    guard rename(old, new) == 0 else { throw failure("Cannot rename to \(new)", old) }
  }

  /// Gives a file a second name (a hard link).
  /// - Returns: false if that name exists.
  static func addName(_ new: String, to old: String) throws(StoreError) -> Bool {
    if link(old, new) == 0 { return true }
    guard errno == EEXIST else { throw failure("Cannot link to \(new)", old) }
    return false
  }

  /// - Returns: false if there was no such file.
  @discardableResult
  static func remove(_ path: String) throws(StoreError) -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw failure("Cannot remove a file", path) }
    return false
  }

  /// Removes a database with its logs.
  static func removeDatabase(_ path: String) throws(StoreError) {
    for name in [path, "\(path)-journal", "\(path)-wal", "\(path)-shm"] { try remove(name) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The names in a folder, sorted; none if the folder is missing.
  static func names(in folder: String) throws(StoreError) -> [String] {
    if let names = namesInFolder(folder) { return names.sorted() }
    if errno == ENOENT { return [] }
    throw failure("Cannot list a folder", folder)
  }

  /// Removes a folder with its contents; does nothing if it is missing.
  static func removeTree(_ path: String) throws(StoreError) {
    for name in try names(in: path) {
      let inside = "\(path)/\(name)"
      var status = stat()
      guard lstat(inside, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { try removeTree(inside) } else { try remove(inside) }
    }
    guard rmdir(path) == 0 || errno == ENOENT else { throw failure("Cannot remove a folder", path) }
  }

  /// The identity and state of the file at a path; nil if there is none.
  static func identity(_ path: String) -> FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// The first line of a small file; nil if it cannot be read.
  static func line(_ path: String) -> String? {
    guard let file = try? OpenFile(reading: path), let bytes = try? file.all(file.size) else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Refuses what would only fill the disk, for hours perhaps, in which a hub could keep nothing either.
  static func demandRoom(_ bytes: Int, in folder: String, for what: String) throws(StoreError) {
    // A file system that does not tell its size has nothing free, and may take it; a full one takes not even a byte.
    guard let free = FreeRoom(at: folder)?.bytes, free > 0, bytes > free else { return }
    throw StoreError(
      .diskFull,
      "There is no room for \(what): it takes \(bytes / 1_000_000) MB, and \(free / 1_000_000) MB are free",
      context: folder)
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Values that change with every change of a file.
struct FileIdentity: Equatable {
  var device: UInt
  var inode: UInt
  var size: Int
  var modified: [Int]

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    modified = [
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec),
    ]
  }

  /// True for the same file, changed or not.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
  let descriptor: Int32
  let path: String

  init(reading path: String) throws(StoreError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else { throw Files.failure("Cannot open a file", path) }
  }

  /// Creates a file that only its owner may read.
  init(making path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw Files.failure("Cannot make a file", path) }
  }

  /// Opens a file for reading from its beginning and writing at its end, and makes it if it is missing.
  init(continuing path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw Files.failure("Cannot open a file", path) }
  }

  /// Keeps others from writing the same file, until it is closed (flock(2)).
  /// - Parameter isNeeded: false where a file system without locks may keep nobody.
  /// - Returns: false if somebody else writes it, or has done so and given it another name meanwhile.
  func claim(isNeeded: Bool = true) throws(StoreError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno != EWOULDBLOCK else { return false }
      if isNeeded { throw Files.failure("Cannot lock", path) }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let there = Files.identity(path) else { return false }
    return there.isSameFile(as: FileIdentity(status))
  }

  func cut(to size: Int) throws(StoreError) {
    guard ftruncate(descriptor, size) == 0 else { throw Files.failure("Cannot shorten a file", path) }
  }

  /// Has the system begin to write this part to the disk; returns at once, and says nothing of the result.
  func beginWriting(_ range: Range<Int>) {
    clinux_begin_writing(descriptor, range.lowerBound, range.count)
  }

  /// So many bytes from its beginning.
  func all(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + done, count - done, done) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw Files.failure("Cannot read", path) }
      done += got
    }
    return bytes
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(StoreError) {
    try bytes.lend { bytes throws(StoreError) in try write(bytes) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Files.failure("Cannot write", path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Reads the next bytes, up to the buffer's size.
  /// - Returns: 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw Files.failure("Cannot read", path) }
    }
  }

  /// Notes that the file is used now, also where the system does not (noatime).
  func noteUse() {
    // UTIME_NOW and UTIME_OMIT are casts, which are not imported.
    let (now, asItIs) = (1 << 30 - 1, 1 << 30 - 2)
    futimens(descriptor, [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: asItIs)])
  }

  func sync() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw Files.failure("Cannot sync", path) }
  }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// True if the file has further names.
  var isShared: Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink > 1
  }
}

/// A lock between processes (flock(2)) on a file made for it; released with its last reference, or when the process
/// ends in any way.
final class FileLock: Sendable {
  enum Kind {
    case shared, exclusive
    fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
  }
  private let descriptor: Int32
  private let path: String

  /// Opens the file without taking the lock.
  init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Files.failure("Cannot open a lock", path) }
    // Root's would keep the user of the folder out.
    var owner = stat()
    if geteuid() == 0, stat(Files.folder(of: path), &owner) == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
  }

  deinit { close(descriptor) }

  /// Takes the lock, or changes its kind.
  /// - Returns: false if other processes hold it.
  func take(_ kind: Kind) throws(StoreError) -> Bool {
    if flock(descriptor, kind.operation | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw Files.failure("Cannot lock", path) }
    return false
  }

  /// Takes the lock, waiting a while for other processes.
  /// - Returns: false if they still hold it.
  func takeSoon(_ kind: Kind) throws(StoreError) -> Bool {
    let pause = ThreadSignal()
    for _ in 0..<Int(StoreLimits.lockSeconds / StoreLimits.lockPause) {
      if try take(kind) { return true }
      pause.wait(atMost: StoreLimits.lockPause)
    }
    return false
  }

  /// The file's text, of which there is little.
  func text() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Replaces the file's text.
  func write(_ text: String) throws(StoreError) {
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count else {
      throw Files.failure("Cannot write", path)
    }
  }
}

extension [UInt8] {
  /// `withUnsafeBytes` for a body with a typed error; the library's version would make it any error.
  func lend(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError) {
    let result = withUnsafeBytes { bytes -> Result<Void, StoreError> in
      do throws(StoreError) {
        return .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
