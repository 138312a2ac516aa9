public import EventLoop
import Glibc

extension DataFolder {
  /// Tells the hub that runs on this folder, if one does, that a command has changed something in the store.
  public func knock() {
    // The time stamps of its lock change, which it watches; the file's content and the lock itself stay as they are.
    _ = utimensat(AT_FDCWD, "\(path)/lock", nil, 0)
  }
}

/// Hears the knocks of commands on a data folder. Confined to its loop.
public final class KnockWatcher: Watcher {
  private let descriptor: Int32
  private let heard: () -> Void
  private unowned let loop: EventLoop

  /// - Returns: nil where the system permits no more watches; then changes are found within a minute.
  public init?(_ folder: DataFolder, on loop: EventLoop, _ heard: @escaping () -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    self.heard = heard
    self.loop = loop
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, "\(folder.path)/lock", UInt32(IN_ATTRIB)) >= 0 else {
      close(descriptor)
      return nil
    }
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  public func ready(_ readiness: Readiness) {
    // Many knocks count as one; of the events themselves nothing is needed.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    heard()
  }
}
