import AnchorWatch
import EventLoop
import Glibc
import Lifecycle
import Positions

/// NMEA 0183 in datagrams (UDP), as multiplexers on boats broadcast it. Confined to its loop.
final class DatagramSource: FixSource, Watcher {
  let name: String
  private let loop: EventLoop
  private let host: String?
  private let port: UInt16
  private let warn: (String) -> Void
  private var reader = NMEAReader()
  private var descriptor: Int32 = -1
  private var take: ((Fix) -> Void)?
  private var timer: LoopTimer?

  /// - Parameter host: a numeric address of this machine, of which alone datagrams are taken; nil for all.
  init(host: String?, port: UInt16, loop: EventLoop, warn: @escaping (String) -> Void) {
    (self.host, self.port, self.loop, self.warn) = (host, port, loop, warn)
    name = "nmea udp \(port)"
  }

  func open(_ take: @escaping (Fix) -> Void) {
    self.take = take
    bindSocket()
  }

  private func bindSocket() {
    reader = NMEAReader()
    descriptor = socket(
      AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    let isAddress = host.map { inet_pton(AF_INET, $0, &address.sin_addr) == 1 } ?? true
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard descriptor >= 0, isAddress, code == 0 else {
      let reason = isAddress ? String(cString: strerror(errno)) : "it is no address of this machine"
      warn("\(name) cannot be listened to: \(reason).")
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
      timer = loop.schedule(after: AgentWatchLimits.reconnectSeconds.upperBound) { [weak self] in
        if self?.take != nil { self?.bindSocket() }
      }
      return
    }
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  func ready(_ readiness: Readiness) {
    var piece = [UInt8](repeating: 0, count: AgentWatchLimits.datagramBytes)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return }
    var fixes: [Fix] = []
    // A datagram has whole lines, but not always the end of the last one.
    if piece[count - 1] != 10, count < piece.count { piece[count] = 10 }
    let end = piece[count - 1] == 10 ? count : min(count + 1, piece.count)
    reader.feed(piece[..<end], received: loop.time.now) { if case .fix(let fix) = $0 { fixes.append(fix) } }
    for fix in fixes { take?(fix) }
  }

  func close() {
    take = nil
    timer?.cancel()
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }
}
