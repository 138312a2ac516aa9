public import EventLoop
import Glibc

/// Tells systemd how a service fares (sd_notify(3)): that it is ready, what it does, and, for the watchdog, that its
/// loop still turns. Does nothing without systemd. Confined to its loop, but for `extend`.
public final class ServiceNotice {
  private let path: String?
  private let descriptor: Int32
  private let loop: EventLoop
  /// Seconds between two signs of life; nil without a watchdog.
  private let interval: Double?

  public init(_ environment: [String: String], loop: EventLoop) {
    self.loop = loop
    path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    descriptor =
      path == nil ? -1 : socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Double($0) }
    // Half of the limit, as sd_watchdog_enabled(3) recommends.
    interval = isMeant ? limit.map { max(0.1, $0 / 2_000_000) } : nil
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  public func ready() {
    tell("READY=1")
    if path != nil, let interval { beat(interval) }
  }

  public func status(_ text: String) { tell("STATUS=\(text.prefix(200))") }
  public func stopping() { tell("STOPPING=1") }
  /// Asks for so many seconds until the service has started or stopped, as far as its unit gives fewer. May be called
  /// from any thread.
  public func extend(by seconds: Double) { tell("EXTEND_TIMEOUT_USEC=\(Int(seconds * 1_000_000))") }

  private func beat(_ interval: Double) {
    tell("WATCHDOG=1")
    loop.schedule(after: interval) { [weak self] in self?.beat(interval) }
  }

  private func tell(_ text: String) {
    guard let path, descriptor >= 0 else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    // An abstract name begins with a zero byte.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, size)
      }
    }
  }
}
