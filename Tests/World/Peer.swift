import Glibc

/// A connection's client: a plain non-blocking socket.
public final class Peer {
  private let descriptor: Int32
  private var isGone = false

  /// - Parameter window: the approximate size of its socket buffers; nil for the system's default.
  public init(port: Int, window: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window {
      for option in [SO_RCVBUF, SO_SNDBUF] {
        setsockopt(descriptor, SOL_SOCKET, option, &window, socklen_t(MemoryLayout<Int32>.size))
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(code == 0, "cannot connect: error \(errno)")
  }

  deinit { if !isGone { close(descriptor) } }

  /// Closes the sending side; still receives.
  public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes with a reset: the server's next write fails.
  public func vanish() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    isGone = true
  }

  public func send(_ text: String) { push(Array(text.utf8)) }

  /// Sends what the connection takes now.
  /// - Returns: the count of bytes; -1 if it takes none any more.
  @discardableResult
  public func push(_ bytes: [UInt8]) -> Int {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    return count < 0 && errno == EAGAIN ? 0 : count
  }

  /// The data received so far, and true if the server has closed.
  public func received() -> (text: String, isClosed: Bool) {
    let (bytes, isClosed) = receivedBytes()
    return (String(decoding: bytes, as: UTF8.self), isClosed)
  }

  public func receivedBytes() -> (bytes: [UInt8], isClosed: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return (bytes, count == 0 || errno != EAGAIN) }
      bytes += buffer[..<count]
    }
  }

  /// Takes some of the data received so far.
  /// - Returns: the count of bytes; 0 if there are none, or the server has closed.
  public func receive(atMost count: Int) -> Int {
    var taken = 0
    var buffer = [UInt8](repeating: 0, count: count)
    while taken < count {
      let more = recv(descriptor, &buffer, count - taken, Int32(MSG_DONTWAIT))
      if more <= 0 { break }
      taken += more
    }
    return taken
  }

  /// Waits until data has arrived, or the server has closed, for at most so many seconds of real time.
  public func wait(atMost seconds: Double) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, Int32(seconds * 1000))
  }
}
