import CLinux
import Glibc

/// A local socket on which the shim requests looks; only the program itself is accepted.
final class LookRequests {
  let name: String
  let listener: Int32
  private static let backlog: Int32 = 64
  private static let longest = 256
  /// Milliseconds in which a connected program has to send its request.
  private static let patience: Int32 = 1000

  init() throws(CaptureError) {
    name = "memorygraph-\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    listener = socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract address: its name begins with a zero byte.
    withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + 1 + name.utf8.count)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard code == 0, listen(listener, Self.backlog) == 0 else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw CaptureError(.refused, "No local socket for the program to ask on: \(reason).")
    }
  }

  deinit { close(listener) }

  /// True if somebody asks within some milliseconds.
  func isAsked(within milliseconds: Int32) -> Bool { Self.isReadable(listener, within: milliseconds) }

  private static func isReadable(_ file: Int32, within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) == 1
  }

  /// The program's request, and the waiting program; nil when another process has connected.
  func next(of process: Int32) -> (words: String, waiting: WaitingProgram)? {
    let socket = clinux_accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    let waiting = WaitingProgram(process, socket)
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    guard clinux_peer(socket) == process, Self.isReadable(socket, within: Self.patience) else { return nil }
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return (String(decoding: bytes[..<count], as: UTF8.self), waiting)
  }
}
