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
  public func text(port: Int) -> String {
    "\(host.isEmpty ? "*" : host.contains(":") ? "[\(host)]" : host):\(port)"
  }

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
    guard let descriptor = try bound(isShared: isShared) else { throw failure() }
    guard Glibc.listen(descriptor, backlog) == 0 else {
      let error = failure()
      close(descriptor)
      throw error
    }
    return (descriptor, boundPort(descriptor))
  }

  /// A socket at the first of the host's addresses that works: where IPv6 is disabled, ::1 does not. Everywhere, one of
  /// IPv6 takes IPv4 too.
  /// - Parameter isShared: true if others of this program are to have the same port.
  /// - Returns: nil, with errno set, if none works.
  /// - Throws: if the host has no address.
  package func bound(isShared: Bool = false) throws(ListenError) -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    for host in host.isEmpty ? ["::", "0.0.0.0"] : [host] {
      var found: UnsafeMutablePointer<addrinfo>?
      let code = getaddrinfo(host, String(port), &hints, &found)
      guard code == 0 else {
        throw ListenError(message: "Cannot listen on \(host): \(String(cString: gai_strerror(code))).")
      }
      defer { freeaddrinfo(found) }
      var next = found
      while let info = next?.pointee {
        if let descriptor = open(info, isShared: isShared) { return descriptor }
        next = info.ai_next
      }
    }
    return nil
  }

  /// A bound socket; nil with errno set.
  private func open(_ info: addrinfo, isShared: Bool) -> Int32? {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.ai_family, flags, 0)
    guard descriptor >= 0 else { return nil }
    func set(_ level: Int32, _ option: Int32, to value: Int32) {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    // Without it, connections that were closed a moment ago would block the port.
    set(SOL_SOCKET, SO_REUSEADDR, to: 1)
    if isShared { set(SOL_SOCKET, SO_REUSEPORT, to: 1) }
    if host.isEmpty, info.ai_family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0) }
    guard Glibc.bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    return descriptor
  }

  private func failure() -> ListenError {
    let number = errno
    let advice =
      number == EADDRINUSE
      ? " Another program listens there; choose another port, such as --listen \(text(port: port + 1))." : ""
    return ListenError(
      message: "Cannot listen on \(text(port: port)): \(String(cString: strerror(number))).\(advice)")
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
