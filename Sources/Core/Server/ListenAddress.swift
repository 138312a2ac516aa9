import Glibc

/// The reason why the server cannot listen at an address.
public struct ListenError: Error, Equatable, Sendable {
  public var message: String
  public init(message: String) { self.message = message }
}

/// An address to listen at: HOST:PORT, with an IPv6 address in brackets.
public struct ListenAddress: Equatable, Sendable {
  public var host: String
  /// 0…65535; for 0 the system chooses one.
  public var port: Int

  public init(_ text: String) throws(ListenError) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port)
    else {
      throw ListenError(
        message: "\"\(text)\" is no address to listen on; HOST:PORT such as 127.0.0.1:8080 is accepted.")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    // The C library takes a star for everywhere, too.
    self.host = host == "*" ? "" : String(host)
    self.port = port
  }

  /// True if the server is to listen at all addresses of the machine.
  public var isEverywhere: Bool { ["", "0.0.0.0", "::"].contains(host) }

  /// The machine's own IPv4 address in the network that leads elsewhere; nil without one. Nothing is sent.
  public static func outgoing() -> String? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // An address for documentation (RFC 5737): the kernel chooses the way there, and with it an address of its own.
    var elsewhere = sockaddr_in()
    elsewhere.sin_family = sa_family_t(AF_INET)
    elsewhere.sin_port = UInt16(9).bigEndian
    elsewhere.sin_addr.s_addr = UInt32(0xC633_6401).bigEndian
    var own = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isFound = withUnsafePointer(to: &elsewhere) { elsewhere in
      elsewhere.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isFound else { return nil }
    _ = withUnsafeMutablePointer(to: &own) { own in
      own.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    let name = name(of: own)
    return name.isEmpty || name.hasPrefix("127.") ? nil : name
  }

  /// The address to be typed after a scheme, with the port that is listened on.
  public func authority(port: Int) -> String { isEverywhere ? "localhost:\(port)" : text(port: port) }

  /// The address as it is given to listen at, with another port.
  public func text(port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Opens several listening sockets on one port; the kernel spreads the connections among them.
  func bind(count: Int, backlog: Int32) throws(ListenError) -> (descriptors: [Int32], port: Int) {
    let (only, port) = try bind(backlog: backlog, isShared: false)
    if count == 1 { return ([only], port) }
    // A shared port (SO_REUSEPORT) could be shared with another hub unnoticed. The first, unshared socket has shown
    // that nobody else listens; now the port is opened again for several.
    close(only)
    var address = self
    address.port = port
    var descriptors: [Int32] = []
    do throws(ListenError) {
      for _ in 0..<count { descriptors.append(try address.bind(backlog: backlog, isShared: true).descriptor) }
    } catch {
      for descriptor in descriptors { close(descriptor) }
      throw error
    }
    return (descriptors, port)
  }

  private func bind(backlog: Int32, isShared: Bool) throws(ListenError) -> (descriptor: Int32, port: Int) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &found)
    guard code == 0 else {
      throw ListenError(message: "Cannot listen on \(host): \(String(cString: gai_strerror(code))).")
    }
    defer { freeaddrinfo(found) }
    // A name may have several addresses, the first of which may not work: ::1 where IPv6 is disabled.
    var next = found
    var error = ListenError(message: "Cannot listen on \(host): it has no address.")
    while let info = next?.pointee {
      if let descriptor = open(info, backlog, isShared: isShared) { return (descriptor, boundPort(descriptor)) }
      error = failure()
      next = info.ai_next
    }
    throw error
  }

  /// A listening socket; nil with errno set.
  private func open(_ info: addrinfo, _ backlog: Int32, isShared: Bool) -> Int32? {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.ai_family, flags, 0)
    guard descriptor >= 0 else { return nil }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    if isShared { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<Int32>.size)) }
    guard Glibc.bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, Glibc.listen(descriptor, backlog) == 0 else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    return descriptor
  }

  private func failure() -> ListenError {
    let name = host.contains(":") ? "[\(host)]" : host
    let advice =
      errno == EADDRINUSE
      ? " Another program listens there; choose another port, such as --listen \(name):\(port + 1)." : ""
    return ListenError(message: "Cannot listen on \(name):\(port): \(String(cString: strerror(errno))).\(advice)")
  }

  private func boundPort(_ descriptor: Int32) -> Int {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return withUnsafeBytes(of: storage) { bytes in Int(bytes[2]) << 8 | Int(bytes[3]) }
  }

  /// The numeric address of a peer, without its port.
  static func name(of storage: sockaddr_storage) -> String {
    var storage = storage
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let size = socklen_t(
      storage.ss_family == sa_family_t(AF_INET6) ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getnameinfo($0, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
      }
    }
    return code == 0 ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
  }
}
