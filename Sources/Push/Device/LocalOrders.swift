package import Glibc
public import Wire

/// Orders to an agent on the same machine: a line of JSON each, answered with a line of JSON, over a Unix socket in the
/// agent's folder, which only its owner can open.
public enum LocalOrders {
  public static let socket = "orders.socket"

  /// Gives an order to the agent whose folder it is.
  /// - Throws: if no agent runs there, or if it refuses: the message is its own.
  public static func give(_ order: JSON, toAgentIn path: String) throws(DeviceError) -> JSON {
    let path = StateFolder.inUse(path)
    guard access(path, F_OK) == 0 else {
      throw DeviceError("\(path) is not there; the folder of an agent's state is accepted.")
    }
    let folder = try StateFolder(reading: path)
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw folder.failure("asked", Self.socket) }
    defer { close(socket) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    for name in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, name, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard withAddress(folder, { connect(socket, $0, $1) }) == 0 else {
      throw DeviceError("No agent that watches an anchor runs in \(path); `eightbells agent --gpsd HOST` starts one.")
    }
    let line = order.bytes + [10]
    guard line.withUnsafeBytes({ send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == line.count
    else { throw folder.failure("asked", Self.socket) }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while answer.last != 10, answer.count <= 1 << 20 {
      let count = recv(socket, &piece, piece.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      answer += piece.prefix(count)
    }
    guard answer.last == 10, let json = try? JSON(parsing: Array(answer.dropLast())) else {
      throw DeviceError("The agent in \(path) did not answer.")
    }
    if let error = json["error"]?.string { throw DeviceError(error) }
    return json
  }

  /// Calls `body` with the socket's address: by the open folder, since paths of sockets are short.
  package static func withAddress(
    _ folder: StateFolder, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(folder.descriptor)/\(socket)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
