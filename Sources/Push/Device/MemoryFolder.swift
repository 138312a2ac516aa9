import Glibc

/// A folder in the machine's memory, for one whose disk cannot be written: what that has is copied, and comes back
/// once the disk can be written again. It lasts until the machine is switched off.
extension StateFolder {
  private static let folders = [".", PendingRequests.requests, PendingRequests.pending, "voice"]
  /// The names of what people and other programs write.
  private static let theirs: Set = [PendingRequests.requests, DevicePosition.file, "settings.json"]

  /// The folder in memory that stands for one on the disk.
  static func memory(for path: String) -> String {
    let whole = realpath(path, nil)
    defer { free(whole) }
    let name = (whole.map { String(cString: $0) } ?? path).replacing("/", with: "%")
    return "/dev/shm/eightbells-agent-\(geteuid())\(name.suffix(150))"
  }

  /// True for a folder of one's own: anybody may put a link where it would be.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }

  /// The folder that an agent uses, or has used last: the one that is named, or that in memory which stands for it.
  public static func inUse(_ path: String) -> String {
    let memory = memory(for: path)
    return isOwn(memory) ? memory : path
  }

  /// Makes it, or opens the one that a process before has left.
  /// - Parameter path: that of the folder on the disk.
  public convenience init(inMemoryFor path: String) throws(DeviceError) {
    let memory = Self.memory(for: path)
    let isNew = !Self.isOwn(memory)
    try self.init(memory)
    guard Self.isOwn(memory) else { throw failure("used", ".", EEXIST) }
    isInMemory = true
    guard isNew, let disk = try? StateFolder(reading: path) else { return }
    do throws(DeviceError) {
      try copy(from: disk)
    } catch {
      discard()
      throw error
    }
  }

  /// Takes back what was kept in memory while the disk could not be written; to be called once the folder is taken.
  public func takeBack() throws(DeviceError) {
    let path = Self.memory(for: path)
    guard !isInMemory, Self.isOwn(path) else { return }
    let memory = try StateFolder(reading: path)
    guard try memory.take() else { throw .inUse(self.path) }
    try copy(from: memory, besides: Self.theirs)
    memory.discard()
  }

  private func copy(from other: StateFolder, besides left: Set<String> = []) throws(DeviceError) {
    for folder in Self.folders where !left.contains(folder) {
      var names: [String] = []
      try? other.eachName(in: folder) { if !left.contains($0) { names.append($0) } }
      if !names.isEmpty, folder != "." { try makeFolder(folder) }
      for name in names where name != "lock" {
        let file = folder == "." ? name : "\(folder)/\(name)"
        // Only files are copied, and none that is too large for a small machine's memory.
        if let bytes = other.read(file, atMost: DeviceLimits.copiedBytes) { try write(file, bytes) }
      }
    }
  }

  private func discard() {
    removeAll(in: ".")
    rmdir(path)
  }

  private func removeAll(in folder: String) {
    var names: [String] = []
    try? eachName(in: folder, withHidden: true) { names.append("\(folder)/\($0)") }
    for name in names where unlinkat(descriptor, name, 0) != 0 {
      removeAll(in: name)
      unlinkat(descriptor, name, AT_REMOVEDIR)
    }
  }
}

extension DeviceError {
  public static func inUse(_ path: String) -> DeviceError {
    DeviceError("\(path) is in use by another agent; each needs a folder of its own (--state DIR).")
  }
}
