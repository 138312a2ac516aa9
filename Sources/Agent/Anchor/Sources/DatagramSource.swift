import EventLoop
import Glibc
import Lifecycle
import Positions

/// NMEA 0183 in datagrams (UDP), as multiplexers on boats send it to a machine, to all of a network, or to a group.
/// Confined to its loop.
final class DatagramSource: FixSource, Watcher {
  let name: String
  private let loop: EventLoop
  private let host: String?
  private let port: UInt16
  private var reader = NMEAReader()
  private var lines = DatagramLines()
  private var descriptor: Int32 = -1
  let connection: Reconnection

  /// - Parameter host: a numeric address of this machine, of which alone datagrams are taken, or one of a group
  ///   (multicast); nil for all of this machine.
  init(host: String?, port: UInt16, loop: EventLoop, warn: @escaping (String) -> Void) {
    (self.host, self.port, self.loop) = (host, port, loop)
    name = "nmea udp \(port)"
    connection = Reconnection(loop, warn: warn)
  }

  func connect() {
    reader.restart()
    lines = DatagramLines()
    do throws(DatagramSocket.Failure) {
      descriptor = try DatagramSocket.open(host: host, port: port)
      loop.watch(descriptor, for: .readable, edge: false, self)
    } catch {
      connection.lost("it cannot be listened to: \(error.reason)")
    }
  }

  func disconnect() {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }

  func ready(_ readiness: Readiness) {
    var piece = [UInt8](repeating: 0, count: AgentWatchLimits.datagramBytes)
    var sender = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = withUnsafeMutablePointer(to: &sender) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &piece, AgentWatchLimits.datagramBytes, 0, $0, &size)
      }
    }
    guard count > 0 else { return }
    let address = withUnsafeBytes(of: sender) { Array($0.prefix(Int(size))) }
    var readings: [Positions.Reading] = []
    reader.feed(lines.take(piece[..<count], from: address), received: loop.time.now) { readings.append($0) }
    connection.heard(readings)
  }
}

/// A socket that takes datagrams: at all addresses of this machine, of IPv4 and IPv6, at one of them, or those of a
/// group, which is joined on all of its networks.
enum DatagramSocket {
  struct Failure: Error {
    var reason: String
  }

  /// - Parameter host: a numeric address; nil for all.
  static func open(host: String?, port: UInt16) throws(Failure) -> Int32 {
    guard let host else {
      // A machine without IPv6 has no socket of it.
      do throws(Failure) {
        return try open("::", port)
      } catch {
        return try open("0.0.0.0", port)
      }
    }
    return try open(host, port)
  }

  private static func open(_ host: String, _ port: UInt16) throws(Failure) -> Int32 {
    var hints = addrinfo()
    (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST | AI_NUMERICSERV, Int32(SOCK_DGRAM.rawValue))
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else {
      throw Failure(reason: "\"\(host.prefix(60))\" is no numeric address")
    }
    defer { freeaddrinfo(found) }
    let family = address.pointee.ai_family
    let descriptor = socket(
      family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw failure() }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(0)) }
    guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, join(descriptor, address.pointee)
    else {
      let failure = failure()
      Glibc.close(descriptor)
      throw failure
    }
    return descriptor
  }

  private static func failure() -> Failure { Failure(reason: String(cString: strerror(errno))) }

  @discardableResult
  private static func set<Value>(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value) -> Bool {
    withUnsafeBytes(of: value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) == 0 }
  }

  /// True if the address is that of no group, or some network of this machine has joined it.
  private static func join(_ descriptor: Int32, _ address: addrinfo) -> Bool {
    var group: (Int32) -> Bool
    if address.ai_family == AF_INET6 {
      let place = address.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
      guard withUnsafeBytes(of: place, { $0[0] == 0xFF }) else { return true }
      group = { network in
        let wish = ipv6_mreq(ipv6mr_multiaddr: place, ipv6mr_interface: UInt32(network))
        return set(descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, wish)
      }
    } else {
      let place = address.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
      guard UInt32(bigEndian: place.s_addr) >> 28 == 0xE else { return true }
      group = { network in
        let wish = ip_mreqn(imr_multiaddr: place, imr_address: in_addr(s_addr: 0), imr_ifindex: network)
        return set(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, wish)
      }
    }
    guard let networks = if_nameindex() else { return false }
    defer { if_freenameindex(networks) }
    var isJoined = false
    var next = networks
    while next.pointee.if_index != 0 {
      if group(Int32(next.pointee.if_index)) { isJoined = true }
      next += 1
    }
    return isJoined
  }
}
