import Glibc

extension Hub {
  /// Bytes that are free on the disk of the data folder.
  public var freeBytes: Int {
    var status = statvfs()
    guard statvfs(dataFolder, &status) == 0 else { return .max }
    return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
  }
}
