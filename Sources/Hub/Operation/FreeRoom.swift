import Glibc

extension Hub {
  /// Bytes that are free on the disk of the data folder.
  public var freeBytes: Int { Self.freeBytes(at: dataFolder) ?? .max }

  /// Bytes that are free on the disk of large blobs, to which `blobs` in the data folder may lead.
  public var freeBytesForBlobs: Int { Self.freeBytes(at: "\(dataFolder)/blobs") ?? freeBytes }

  /// Nil where it cannot be told, as of a folder that is not there.
  static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
  }
}
