import Glibc
import Store

/// The check of the free space on the data folder's disk, and on that of large blobs, to which `blobs` in it may lead.
package enum DiskCheck {
  package static func findings(_ path: String) -> [Finding] {
    let ofBlobs = "\(path)/blobs"
    let found = room(FolderCheck.existing(path))
    guard let disk = device(path), let other = device(ofBlobs), other != disk else { return found }
    return found + room(ofBlobs, isOfBlobs: true)
  }

  /// The number of the disk that a file is on; nil for one that is not there.
  private static func device(_ path: String) -> UInt? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt(status.st_dev) : nil
  }

  private static func room(_ path: String, isOfBlobs: Bool = false) -> [Finding] {
    guard let free = FreeRoom(at: path) else { return [] }
    return findings(path, freeBytes: free.bytes, freeFiles: free.files, isOfBlobs: isOfBlobs)
  }

  package static func findings(
    _ path: String, freeBytes: Int, freeFiles: Int?, isOfBlobs: Bool = false
  ) -> [Finding] {
    var findings: [Finding] = []
    let free = "\(size(freeBytes)) free\(isOfBlobs ? " for large blobs" : "")"
    let remedy =
      "Make room: `df -h \(path)` shows the disk, `du -xh --max-depth=1 /` what is on it. A full disk refuses "
      + (isOfBlobs ? "pictures and files." : "every change.")
    if freeBytes < CheckLimits.freeBytesProblem {
      findings.append(.problem("disk", free, remedy: remedy))
    } else if freeBytes < CheckLimits.freeBytesWarning {
      findings.append(.warning("disk", free, remedy: remedy))
    } else {
      findings.append(.ok("disk", free))
    }
    if let freeFiles, freeFiles < CheckLimits.freeFilesWarning {
      let text = "only \(freeFiles) more files can be made"
      let remedy = "Remove files that nobody needs: `df -i \(path)` shows how many there may be."
      findings.append(
        freeFiles < CheckLimits.freeFilesProblem
          ? .problem("inodes", text, remedy: remedy) : .warning("inodes", text, remedy: remedy))
    }
    return findings
  }

  /// A size such as "3 KB", "12 MB", "4.5 GB", in powers of 1,000.
  package static func size(_ bytes: Int) -> String {
    if bytes < 1_000_000 { return "\((bytes + 999) / 1000) KB" }
    if bytes < 1_000_000_000 { return "\(bytes / 1_000_000) MB" }
    let tenths = bytes / 100_000_000
    return "\(tenths / 10).\(tenths % 10) GB"
  }
}
