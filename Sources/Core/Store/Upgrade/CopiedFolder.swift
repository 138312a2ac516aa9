/// A data folder that was copied while a hub wrote into it: the database and its log are from different moments, so
/// that changes may be missing, or pages of one belong to no page of the other. From opening to closing its owner notes
/// in the lock which file it is; a copy has the same note, and is another file.
extension StoreFile {
  /// True for such a copy, until its owner opens it. A folder that was moved after a kill looks the same.
  var isCopyOfOpen: Bool {
    guard let file = Files.identity(path), let noted = notedFile else { return false }
    return noted != file.inode
  }

  /// Notes that all is in the one file, which may be copied.
  func forgetOpen() { try? FileLock(lockPath).write("") }

  private var notedFile: UInt? { Files.line(lockPath).flatMap { UInt($0) } }

  /// Examines such a copy before it is opened.
  /// - Throws: `.open` if it is torn.
  func examineCopy(_ migrations: [Migration]) throws(StoreError) {
    guard case .damaged(let words) = StoreExamination.look(at: .file(path), migrations: migrations) else { return }
    throw StoreError(
      .open,
      "The folder was copied while a hub was writing into it, and the copy is torn: \(words); stop the hub "
        + "before copying, or take what eightbells backup writes", context: path)
  }
}

extension FileLock {
  /// Notes which file is open.
  func note(_ path: String) throws(StoreError) {
    guard let file = Files.identity(path) else { return }
    try write("\(file.inode)\n")
  }
}

extension Store {
  /// True if the folder of a database was copied while a hub had it open, and not opened since.
  public static func isCopyOfOpen(_ path: String) -> Bool { StoreFile(path: path).isCopyOfOpen }
}
