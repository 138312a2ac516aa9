import CLinux
import Glibc

/// Delivers the process' signals on the loop's thread, between other events. Confined to its loop.
public final class SignalWatcher: Watcher {
  private let descriptor: Int32
  private let received: (Int32) -> Void
  private unowned let loop: EventLoop

  /// Keeps these signals from ending the process. Call this before other threads start: they inherit it.
  public static func block(_ signals: [Int32]) {
    var set = mask(signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// - Parameter signals: already blocked by `block`.
  public init(_ signals: [Int32], on loop: EventLoop, _ received: @escaping (Int32) -> Void) {
    var set = Self.mask(signals)
    descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    precondition(descriptor >= 0, "Cannot watch signals: error \(errno)")
    self.loop = loop
    self.received = received
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  public func ready(_ readiness: Readiness) {
    var info = signalfd_siginfo()
    while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
      received(Int32(info.ssi_signo))
    }
  }

  private static func mask(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
