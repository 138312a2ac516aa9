import Glibc

/// Ends the program with a message for its caller.
func stop(_ message: String) -> Never {
  let line = Array("socketload: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(2)
}

func seconds(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A non-blocking connection to a port of this machine.
func connected(to port: UInt16) -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { stop("no socket: error \(errno)") }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let code = withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
  }
  guard code == 0 else { stop("cannot connect to port \(port): error \(errno)") }
  var one: Int32 = 1
  setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  return descriptor
}

/// Sends a few bytes, which a socket with a reading peer always takes as a whole.
func send(_ bytes: [UInt8], to descriptor: Int32) {
  guard write(descriptor, bytes, bytes.count) == bytes.count else { stop("cannot send: error \(errno)") }
}

/// A client's text frame of fewer than 126 bytes, masked with zeros, which change nothing.
func textFrame(_ text: String) -> [UInt8] {
  let payload = Array(text.utf8)
  guard payload.count < 126 else { stop("\"\(text)\" is too long for this frame") }
  return [0x81, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
}
