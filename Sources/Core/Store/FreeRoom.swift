import Glibc

/// The room on a disk for whoever is not root.
package struct FreeRoom {
  package let bytes: Int
  /// Nil where the file system makes inodes as they are needed, and reports none.
  package let files: Int?

  /// Nil where it cannot be told, as of a path at which nothing is.
  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isMore) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    self.bytes = isMore ? .max : bytes
    files = status.f_files == 0 ? nil : Int(clamping: status.f_favail)
  }
}
