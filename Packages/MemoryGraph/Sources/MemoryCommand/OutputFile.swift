import CLinux
import Glibc
import Settings

/// A file that is written whole or not at all: what stood there before stays when the disk is full. It is made without
/// a name, or under one of its own, in the folder where it is to stand, and takes its place when it is complete.
///
/// What is no file in a folder (a terminal, a pipe, what a descriptor of ours names) is written itself. So is a file
/// that cannot be replaced with all it has: it has other names, or another owner, or lies in a folder that takes none.
struct OutputFile {
  private let path: String
  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
  /// What stands there; nil when nothing does.
  private var old: stat?

  /// Links that are followed, as many as the kernel follows.
  private static let mostLinks = 40
  /// PROC_SUPER_MAGIC: links there lead to what has no name, or to a file that somebody has open.
  private static let processes = 0x9FA0
  /// O_TMPFILE without O_DIRECTORY, which Swift knows.
  private static let unnamed: Int32 = 0o20_000_000
  /// Names of its own that are tried: other programs, in other containers, may have the same number.
  private static let names = 100

  /// - Parameters:
  ///   - path: a file, or "-" for the standard output.
  ///   - waits: whether a FIFO that nobody reads yet is waited for; else it is a mistake.
  static func write(_ bytes: [UInt8], to path: String, waits: Bool = true) throws(SettingsError) {
    guard path != "-" else {
      guard all(bytes, to: STDOUT_FILENO) else { throw refused("to the standard output") }
      return
    }
    guard let file = try OutputFile(path) else { return try into(path, bytes, as: path, waits) }
    if try !file.replace(bytes, as: path) { try into(file.path, bytes, as: path, waits) }
  }

  /// Writes all, however long that takes; false with errno.
  static func all(_ bytes: [UInt8], to file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
        continue
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  private static func refused(_ path: String) -> SettingsError {
    SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).")
  }

  /// Where links lead to; nil when that is to be written itself.
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
      switch found.st_mode & S_IFMT {
      case S_IFREG where found.st_nlink == 1:
        // Else a file that may not be written could be replaced.
        guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw Self.refused(name) }
        (self.path, old) = (path, found)
        return
      case S_IFLNK where clinux_file_system(folder) != Self.processes:
        guard let target = Self.target(path) else { throw Self.refused(name) }
        path = target.hasPrefix("/") ? target : folder + target
      default: return nil
      }
    }
    errno = ELOOP
    throw Self.refused(name)
  }

  private static func target(_ link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes {
      readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Writes what stands there, from its beginning.
  private static func into(_ path: String, _ bytes: [UInt8], as name: String, _ waits: Bool) throws(SettingsError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (waits ? 0 : O_NONBLOCK), 0o600)
    guard file >= 0 else { throw refused(name) }
    defer { close(file) }
    guard all(bytes, to: file) else { throw refused(name) }
  }

  /// - Parameter name: how the file was asked for.
  /// - Returns: whether it was replaced; false when what stands there has to be written itself.
  private func replace(_ bytes: [UInt8], as name: String) throws(SettingsError) -> Bool {
    // Killed meanwhile, it leaves nothing behind. Not every file system knows such files, or lets them get a name.
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

  /// - Returns: whether it could be made what the old one is.
  private func fill(_ file: Int32, _ bytes: [UInt8], as name: String) throws(SettingsError) -> Bool {
    guard keepsOwner(file) else { return false }
    // Some file systems, those of networks above all, tell only at a close that there is no room.
    guard Self.all(bytes, to: file), close(dup(file)) == 0 else { throw Self.refused(name) }
    return true
  }

  /// Puts a file that is complete where it is to stand.
  private func move(_ made: String, as name: String) throws(SettingsError) -> Bool {
    guard rename(made, path) != 0 else { return true }
    let (error, mayStillBeWritten) = (Self.refused(name), Self.mayStillBeWritten)
    unlink(made)
    guard old != nil, mayStillBeWritten else { throw error }
    return false
  }

  /// What a folder answers that takes no new file, or a file that cannot be renamed over, such as one that is mounted.
  private static var mayStillBeWritten: Bool { [EACCES, EPERM, EROFS, EBUSY].contains(errno) }

  /// Gives it owner and permissions of what stands there.
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

  /// The first name of its own, beside the file, with which `make` succeeds; nil with errno when there is none.
  private func firstName(_ make: (String) -> Bool) -> String? {
    for number in 0..<Self.names {
      let name = "\(folder).memorygraph-\(getpid())-\(number)"
      if make(name) { return name }
      if errno != EEXIST { return nil }
    }
    return nil
  }
}
