import Flickr
import Glibc
import Synchronization

/// The calls of Flickr's API with this hub's key, those of commands beside it too: Flickr counts all of a key.
final class SharedCallRate: Sendable {
  private let path: String
  private let rate = Mutex(CallRate())

  /// Seconds that kept calls may be ahead: more is of a clock that began before this machine did.
  private static let farthest = 7_200.0

  init(in folder: String) { path = "\(folder)/flickr-calls" }

  /// Counts a call at an uptime. A file that cannot be used leaves each program with its own calls.
  /// - Returns: the seconds after which it may be made.
  func take(at uptime: Double) -> Double {
    rate.withLock { rate in
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { return rate.take(at: uptime) }
      defer { close(file) }
      SyncLock.waitFor(file)
      var kept = 0.0
      let count = withUnsafeMutableBytes(of: &kept) { pread(file, $0.baseAddress, $0.count, 0) }
      if count == MemoryLayout<Double>.size, kept.isFinite, kept < uptime + Self.farthest { rate.follow(kept) }
      let seconds = rate.take(at: uptime)
      var next = rate.next
      _ = withUnsafeBytes(of: &next) { pwrite(file, $0.baseAddress, $0.count, 0) }
      return seconds
    }
  }
}
