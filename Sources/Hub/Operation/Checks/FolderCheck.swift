import CLinux
import Glibc
import Lifecycle
import Terminal

/// The check of the data folder: its existence, owner, permissions, and file system.
package enum FolderCheck {
  private static let subject = "data folder"

  /// - Parameters:
  ///   - path: absolute, or relative to the current folder.
  ///   - user: the user that the hub would run as.
  package static func findings(_ path: String, user: UInt32 = geteuid()) -> [Finding] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = errno
      if reason == ENOENT {
        let missing = Finding.warning(
          subject, "\(path) is not there yet",
          remedy: "`eightbells serve --data \(path.shellWord)` makes it. If there is one already, --data names it.")
        return [missing] + [fileSystem(existing(path))].compactMap { $0 }
      }
      return [
        .problem(
          subject, "\(path) cannot be looked at: \(String(cString: strerror(reason)))",
          remedy: "Run this as the user that the hub runs as: "
            + "`sudo -u eightbells eightbells doctor --data \(path.shellWord)`")
      ]
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [.problem(subject, "\(path) is no folder", remedy: "Name a folder with --data, or move the file away.")]
    }
    let rights = rights(path, status, user)
    if rights.verdict == .problem { return [rights] }
    return [rights] + foreignFiles(path, owner: status.st_uid) + openFiles(path)
      + [fileSystem(path) ?? linkless("\(path)/blobs")].compactMap { $0 }
  }

  private static func rights(_ path: String, _ status: stat, _ user: uid_t) -> Finding {
    let owner = name(of: status.st_uid)
    if user != 0, status.st_uid != user {
      // A hub that was once run with sudo has left it. From any other user it would be taken away.
      return .problem(
        subject, "\(path) belongs to \(owner), and you are \(name(of: user))",
        remedy: status.st_uid == 0
          ? "Run the hub and this as \(owner), or, while no hub runs, make it yours: "
            + "`sudo chown -R \(name(of: user)) \(path.shellWord)`"
          : "Run this as \(owner): `sudo -u \(owner) eightbells doctor --data \(path.shellWord)`")
    }
    if let reason = refusal(path) {
      return .problem(
        subject, "\(path) cannot be written: \(String(cString: strerror(reason)))",
        remedy: reason == EROFS
          ? "Its file system is for reading only: look why (`dmesg`), then `mount -o remount,rw`. If the disk fails, "
            + "save the data first: `cp -a \(path.shellWord) ELSEWHERE`, and `eightbells backup` of that copy."
          : "Let its owner read and write it: `chmod 700 \(path.shellWord)`")
    }
    let mode = status.st_mode & 0o7777
    let text = "\(path), owner \(owner), mode \(octal(mode))"
    guard mode & 0o077 == 0 else {
      return .warning(
        subject, "\(text): others on this machine can look into it",
        remedy: "It holds tokens' digests and secret calendar addresses. Close it: `chmod 700 \(path.shellWord)`. "
          + "Where that changes nothing, as on NTFS, mount the disk with umask=077 and the uid of the hub's user.")
    }
    return .ok(subject, text)
  }

  /// The error that says why nothing can be written into a folder; nil if something can.
  private static func refusal(_ path: String) -> Int32? {
    guard access(path, R_OK | W_OK | X_OK) == 0 else { return errno }
    // A disk that failed while it was mounted (emergency_ro, with newer kernels) still counts as writable, and refuses
    // only whoever opens a file.
    let descriptor = open("\(path)/lock", O_WRONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return nil
    }
    return errno == EROFS ? EROFS : nil
  }

  /// Files left by a command run as root, which the hub cannot write. The configuration and backups may be root's.
  private static func foreignFiles(_ path: String, owner: uid_t) -> [Finding] {
    let hubs = (namesInFolder(path) ?? []).filter {
      DataFolder.isHubs($0) && !$0.hasPrefix("eightbells.conf") && !$0.hasSuffix(".tar")
    }
    // The top of a disk that is mounted there has a folder of root's.
    let blobs = (namesInFolder("\(path)/blobs") ?? []).filter { $0 != "lost+found" }.map { "blobs/\($0)" }
    let foreign = (hubs + blobs).filter { name in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 && status.st_uid != owner
    }
    if foreign.isEmpty { return [] }
    let most = 5
    let more = foreign.count > most ? " and \(foreign.count - most) more" : ""
    let names = foreign.sorted().prefix(most).joined(separator: ", ") + more
    return [
      .problem(
        "files", "\(names) in \(path): not the property of the folder's owner, \(name(of: owner))",
        remedy: "A command was run as another user, as with sudo. Give them back: "
          + "`sudo chown -R \(name(of: owner)) \(path.shellWord)`")
    ]
  }

  /// Files with permissions for others, left by a copy or an earlier version: the folder's own may change one day.
  private static func openFiles(_ path: String) -> [Finding] {
    let names = ["eightbells.sqlite", "eightbells.sqlite-wal", "eightbells.sqlite-shm"].filter { name in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 && status.st_mode & 0o077 != 0
    }
    if names.isEmpty { return [] }
    return [
      .warning(
        "files", "\(names.joined(separator: ", ")) in \(path): others on this machine may read them",
        remedy: "Close them: `chmod 600 \(path.shellWord)/eightbells.sqlite*`; the hub does it too when it starts, "
          + "if the file system keeps permissions.")
    ]
  }

  /// A path, or the nearest folder above it that is there: on its disk the others would be made.
  static func existing(_ path: String) -> String {
    if access(path, F_OK) == 0 || errno != ENOENT { return path }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : existing(String(path[..<slash]))
  }

  /// The name of the network file system that a file is on; nil for a local one.
  package static func networkFileSystem(at path: String) -> String? { networkFileSystem(clinux_file_system(path)) }

  /// A complete file gets its name as a second one: a large blob, and the records before an upgrade.
  private static func linkless(_ path: String) -> Finding? {
    linklessFileSystem(clinux_file_system(path)).map { kind in
      .problem(
        "file system", "\(path) lies on \(kind), where a file cannot have two names",
        remedy: "Large pictures and files are refused, and upgrades fail. Use a disk with a file system of Linux, such "
          + "as ext4, for it; backups may lie on this one.")
    }
  }

  private static func fileSystem(_ path: String) -> Finding? {
    if let found = linkless(path) { return found }
    if let kind = passingFileSystem(clinux_file_system(path)) {
      return .warning(
        "file system", "\(path) lies on \(kind): it may be gone after the machine's next start",
        remedy: "Mount a disk there. Where the system's own is kept read-only, as by raspi-config, all that is written "
          + "to it is in memory; in a container, name a volume.")
    }
    return networkFileSystem(at: path).map { kind in
      .warning(
        "file system", "\(path) lies on \(kind)",
        remedy: "SQLite's locks and shared memory do not work over a network, and data can be lost. "
          + "Keep the data folder on a disk of this machine, and only copies elsewhere.")
    }
  }

  /// The name of a file system without hard links, by its number.
  package static func linklessFileSystem(_ type: Int) -> String? {
    switch UInt32(truncatingIfNeeded: type) {
    case 0x2011_bab0: "exFAT"
    case 0x4d44: "FAT"
    default: nil
    }
  }

  /// The name of a file system in memory, or of one that mostly lies over a read-only one, by its number.
  package static func passingFileSystem(_ type: Int) -> String? {
    switch UInt32(truncatingIfNeeded: type) {
    case 0x0102_1994: "tmpfs"
    case 0x8584_58f6: "ramfs"
    case 0x794c_7630: "an overlay"
    default: nil
    }
  }

  /// The name of a network file system, by its number (statfs(2)); nil for a local one.
  package static func networkFileSystem(_ type: Int) -> String? {
    switch UInt32(truncatingIfNeeded: type) {
    case 0x6969: "NFS"
    case 0x517b, 0xff53_4d42, 0xfe53_4d42: "a Windows share (SMB)"
    case 0x0102_1997: "9p, a folder of a virtual machine's host"
    case 0x00c3_6400: "Ceph"
    case 0x5346_414f, 0x6b41_4653: "AFS"
    case 0x7375_7245: "Coda"
    // SSH's file system is one; some local ones are too, and cause an unnecessary warning.
    case 0x6573_5546: "FUSE, as network folders often do (sshfs, rclone)"
    default: nil
    }
  }

  package static func name(of user: UInt32) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
  }

  private static func octal(_ mode: mode_t) -> String {
    let text = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}
