import Glibc

/// Lets one program at a time sync a portfolio: the hub, or a command beside it. It ends with its program, however that
/// ends.
final class SyncLock: Sendable {
  private let file: Int32

  /// The command of fcntl(2) for locks that belong to an open file and not to a process.
  private static let setOpenFileLock: Int32 = 37
  private static let waitForOpenFileLock: Int32 = 38

  struct Failure: Error {
    let code: Int32
  }

  /// Nil while somebody else has it.
  init?(_ portfolio: Int, in folder: String) throws(Failure) {
    file = open("\(folder)/portfolio.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(code: errno) }
    // One byte of the file for each portfolio.
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: portfolio, l_len: 1, l_pid: 0)
    if fcntl(file, Self.setOpenFileLock, &lock) != 0 {
      let code = errno
      if code == EAGAIN || code == EACCES { return nil }
      throw Failure(code: code)
    }
  }

  /// Waits until no other program has a lock of this file's first byte, and has it until the file is closed.
  static func waitFor(_ file: Int32) {
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    while fcntl(file, waitForOpenFileLock, &lock) != 0, errno == EINTR {}
  }

  deinit { close(file) }
}
