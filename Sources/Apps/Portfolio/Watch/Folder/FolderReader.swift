import Galleries
import Glibc
import Lifecycle
import Wire

/// Reads a folder on a thread of its own: a disk may sleep, or be at the other end of a network.
actor FolderReader {
  // Threads last as long as the process: all readers share this one.
  private static let thread = WorkerThread(name: "portfolio-folder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.thread.asUnownedSerialExecutor() }
  private let root: String

  init(_ root: String) { self.root = root }

  /// A picture's file, open for reading.
  final class Open: Sendable {
    let descriptor: Int32
    let version: String

    init(_ descriptor: Int32, _ version: String) { (self.descriptor, self.version) = (descriptor, version) }
    deinit { close(descriptor) }
  }

  /// What is in a folder, without hidden files and links.
  struct Content: Sendable {
    /// In the order of their names.
    var entries: [FolderEntry] = []
    /// Files and folders whose names are no UTF-8: nothing can ask for them.
    var unnamed = 0
  }

  /// - Parameter path: below the root; empty for the root.
  /// - Throws: `.unreachable` if the root is not there, `.broken` if another folder cannot be read.
  func content(of path: String) throws(SourceFault) -> Content {
    let folder: Int32
    do {
      folder = try descend(path, O_RDONLY | O_DIRECTORY)
    } catch {
      guard case .gone = error else { throw error }
      // It was renamed or moved after its name was read. The others can be had.
      throw .broken(
        Reason(.folderAway, ["path": .text("\(root)/\(path)"), "words": .text(String(cString: strerror(ENOENT)))]))
    }
    guard let stream = fdopendir(folder) else {
      close(folder)
      throw fault(path)
    }
    defer { closedir(stream) }
    var content = Content()
    errno = 0
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      defer { errno = 0 }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        if bytes.first != UInt8(ascii: ".") { content.unnamed += 1 }
        continue
      }
      var status = stat()
      guard !FolderEntry.isHidden(name) else { continue }
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // It went meanwhile. Whatever else fails must not look as if the file were gone.
        if errno == ENOENT { continue }
        throw fault(path)
      }
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG || kind == S_IFDIR else { continue }
      content.entries.append(
        FolderEntry(
          name: name, path: path.isEmpty ? name : "\(path)/\(name)", isFolder: kind == S_IFDIR,
          version: Self.version(status), bytes: Int(clamping: status.st_size)))
      try SourceFault.demand(content.entries.count, atMost: PortfolioLimits.entries)
    }
    guard errno == 0 else { throw fault(path) }
    content.entries = content.entries.listed
    return content
  }

  func open(_ path: String) throws(SourceFault) -> Open {
    // If this is the name of a pipe, nothing is waited for.
    let file = try descend(path, O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw .broken(Reason(.fileUnreadable))
    }
    return Open(file, Self.version(status))
  }

  func version(of file: Open) throws(SourceFault) -> String {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw .broken(Reason(.fileUnreadable)) }
    return Self.version(status)
  }

  /// The next bytes, at most 1 MB; empty at the end.
  func read(_ file: Open, from offset: Int) throws(SourceFault) -> [UInt8] {
    var isBroken = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
      let read = pread(file.descriptor, buffer.baseAddress, buffer.count, offset)
      isBroken = read < 0
      count = max(0, read)
    }
    guard !isBroken else { throw .broken(Reason(.fileUnreadable)) }
    return bytes
  }

  /// Opens what is below the root, folder by folder, so that no link on the way leads out of it.
  private func descend(_ path: String, _ flags: Int32) throws(SourceFault) -> Int32 {
    var place = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { throw fault("") }
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard part != "..", part != "." else {
        close(place)
        throw .broken(Reason(.fileUnreadable))
      }
      let next = openat(place, String(part), (isLast ? flags : O_RDONLY | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC)
      let code = errno
      close(place)
      errno = code
      guard next >= 0 else { throw fault(path) }
      place = next
    }
    return place
  }

  private func fault(_ path: String) -> SourceFault {
    let words = String(cString: strerror(errno))
    if path.isEmpty, isHiddenHome(root) { return .unreachable(Reason(.folderHidden, ["path": .text(root)])) }
    if path.isEmpty { return .unreachable(Reason(.folderAway, ["path": .text(root), "words": .text(words)])) }
    return errno == ENOENT ? .gone : .broken(Reason(.fileUnreadable))
  }

  /// Size and time of change.
  private static func version(_ status: stat) -> String {
    "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}

extension Reason.Kind {
  static let folderAway = Self(
    "portfolio-folder-away", "the folder {path} is not there ({words}); nothing is removed because of that")
  static let folderUnseen = Self(
    "portfolio-folder-unseen", "there is no folder {path} that the hub can see; its whole path is needed")
  static let folderHidden = Self(
    "portfolio-folder-hidden",
    "the hub's service does not see the folder {path}, nor anything below /home (ProtectHome); nothing is removed "
      + "because of that")
}
