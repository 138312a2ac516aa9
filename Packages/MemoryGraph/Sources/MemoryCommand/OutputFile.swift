import CLinux
import Capture
import Glibc
import Settings

/// A file that is written completely or not at all: the old contents stay if the disk is full. It is created without a
/// name, or under a temporary one, in its folder, and moved into place when it is complete.
///
/// Anything but a plain file (a terminal, a pipe, one of our descriptors) is written directly. So is a file that cannot
/// be replaced with all its attributes: one with other names, another owner, or in a folder that is not writable.
struct OutputFile {
  private let path: String
  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
  /// The existing file; nil if there is none.
  private var old: stat?

  private static let mostLinks = 40
  /// PROC_SUPER_MAGIC: links there may lead to unnamed or opened files.
  private static let processes = 0x9FA0
  /// O_TMPFILE without O_DIRECTORY, which Swift knows.
  private static let unnamed: Int32 = 0o20_000_000
  /// S_ISVTX and S_IWOTH: everybody may lay files into the folder.
  private static let everybodys: mode_t = 0o1002
  /// The temporary names tried: programs in other containers may have the same process number.
  private static let names = 100

  /// - Parameters:
  ///   - path: a file, or "-" for the standard output.
  ///   - waits: true to wait for the reader of a FIFO; false to make its absence an error.
  static func write(_ bytes: [UInt8], to path: String, waits: Bool = true) throws(SettingsError) {
    guard path != "-" else {
      guard all(bytes, to: STDOUT_FILENO) else { throw refused("to the standard output") }
      return
    }
    guard let file = try OutputFile(path) else { return try into(path, bytes, as: path, waits) }
    if try !file.replace(bytes, as: path) { try into(file.path, bytes, as: path, waits) }
  }

  /// Writes all bytes, however long that takes; false with errno.
  static func all(_ bytes: [UInt8], to file: Int32) -> Bool { clinux_write_all(file, bytes, bytes.count) != 0 }

  private static func refused(_ path: String) -> SettingsError {
    SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).")
  }

  /// Follows links; nil if the target has to be written directly.
  private init?(_ name: String) throws(SettingsError) {
    var path = name
    for _ in 0..<Self.mostLinks {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
      var found = stat()
      guard lstat(path, &found) == 0 else {
        guard errno == ENOENT, !path.isEmpty else { throw Self.refused(name) }
        self.path = path
        return
      }
      if Self.isForeign(found, in: folder) {
        errno = EACCES
        throw Self.refused(name)
      }
      switch found.st_mode & S_IFMT {
      case S_IFREG where found.st_nlink == 1:
        // Otherwise a write-protected file could be replaced.
        guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw Self.refused(name) }
        (self.path, old) = (path, found)
        return
      case S_IFLNK where clinux_file_system(folder) != Self.processes:
        guard let target = target(ofLink: path) else { throw Self.refused(name) }
        path = target.hasPrefix("/") ? target : folder + target
      default: return nil
      }
    }
    errno = ELOOP
    throw Self.refused(name)
  }

  /// True for a link or a file that another user has laid into a folder of all, such as /tmp: it would lead root to any
  /// file, or give what is written to that user. The kernel refuses such by itself (fs.protected_symlinks and
  /// fs.protected_regular of proc(5)), but sees neither links that are followed here nor files that are replaced.
  private static func isForeign(_ found: stat, in folder: String) -> Bool {
    let kind = found.st_mode & S_IFMT
    var place = stat()
    guard kind == S_IFREG || kind == S_IFLNK, stat(folder, &place) == 0 else { return false }
    return place.st_mode & everybodys == everybodys && found.st_uid != geteuid() && found.st_uid != place.st_uid
  }

  /// Writes into the existing file, from its beginning.
  private static func into(_ path: String, _ bytes: [UInt8], as name: String, _ waits: Bool) throws(SettingsError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (waits ? 0 : O_NONBLOCK), 0o600)
    guard file >= 0 else { throw refused(name) }
    defer { close(file) }
    guard all(bytes, to: file) else { throw refused(name) }
  }

  /// - Parameter name: the file's name as given.
  /// - Returns: false if the existing file has to be written directly.
  private func replace(_ bytes: [UInt8], as name: String) throws(SettingsError) -> Bool {
    // An unnamed file leaves nothing behind if the tool is killed. Not every file system supports it, or naming it
    // later.
    let unnamed = open(folder, O_WRONLY | O_DIRECTORY | Self.unnamed | O_CLOEXEC, 0o600)
    if unnamed >= 0 {
      defer { close(unnamed) }
      guard try fill(unnamed, bytes, as: name) else { return false }
      if old == nil, Self.link(unnamed, path) { return true }
      if let linked = firstName({ Self.link(unnamed, $0) }) { return try move(linked, as: name) }
    }
    var file: Int32 = -1
    let made = firstName {
      file = open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      return file >= 0
    }
    guard let made else {
      guard old != nil, Self.mayStillBeWritten else { throw Self.refused(name) }
      return false
    }
    defer { close(file) }
    do {
      if try fill(file, bytes, as: name) { return try move(made, as: name) }
    } catch {
      unlink(made)
      throw error
    }
    unlink(made)
    return false
  }

  /// - Returns: false if the file could not get the old one's attributes.
  private func fill(_ file: Int32, _ bytes: [UInt8], as name: String) throws(SettingsError) -> Bool {
    guard keepsOwner(file) else { return false }
    // Some file systems, mainly network ones, report a full disk only when the file is closed.
    guard Self.all(bytes, to: file), close(dup(file)) == 0 else { throw Self.refused(name) }
    return true
  }

  /// Moves a complete file into its place.
  private func move(_ made: String, as name: String) throws(SettingsError) -> Bool {
    guard rename(made, path) != 0 else { return true }
    let (error, mayStillBeWritten) = (Self.refused(name), Self.mayStillBeWritten)
    unlink(made)
    guard old != nil, mayStillBeWritten else { throw error }
    return false
  }

  /// True for errors of folders that accept no new file, or of files that cannot be replaced, such as mount points.
  private static var mayStillBeWritten: Bool { [EACCES, EPERM, EROFS, EBUSY].contains(errno) }

  /// Sets the old file's owner and permissions.
  private func keepsOwner(_ file: Int32) -> Bool {
    guard let old else { return true }
    var new = stat()
    guard fstat(file, &new) == 0 else { return false }
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid, fchown(file, old.st_uid, old.st_gid) != 0 { return false }
    return fchmod(file, old.st_mode & 0o7777) == 0
  }

  private static func link(_ file: Int32, _ path: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  /// The first temporary name, beside the file, with which `make` succeeds; nil with errno otherwise.
  private func firstName(_ make: (String) -> Bool) -> String? {
    for number in 0..<Self.names {
      let name = "\(folder).memorygraph-\(getpid())-\(number)"
      if make(name) { return name }
      if errno != EEXIST { return nil }
    }
    return nil
  }
}
