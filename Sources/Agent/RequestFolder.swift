import Device
import EventLoop
import Glibc

/// Notices new files in the folder of the device's own requests, and beside it, where its place is written
/// (inotify(7)). Confined to its loop.
final class RequestFolder: Watcher {
  private let descriptor: Int32
  private let loop: EventLoop
  private let changed: () -> Void

  /// Nil when the system has no watches left; then new files are noticed at the next start.
  init?(_ folder: StateFolder, loop: EventLoop, changed: @escaping () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    self.loop = loop
    self.changed = changed
    let state = "/proc/self/fd/\(folder.descriptor)/"
    for path in [state + PendingRequests.requests, state] {
      guard inotify_add_watch(descriptor, path, UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)) >= 0 else {
        close(descriptor)
        return nil
      }
    }
    loop.watch(descriptor, for: .readable, self)
  }

  func ready(_ readiness: Readiness) {
    var piece = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &piece, piece.count) > 0 {}
    changed()
  }
}
