public import EventLoop
import Glibc
import Lifecycle
import Wire

/// A socket address as the kernel takes it.
struct SocketAddress: Sendable {
  var family: Int32
  var bytes: [UInt8]
}

/// Looks up the addresses of host names on a thread of its own, since getaddrinfo(3) blocks for as long as a name
/// server does not answer. The thread is started by the first name that is not a numeric address. Confined to its loop.
public final class NameLookup {
  private let loop: EventLoop
  private var thread: WorkerThread?
  /// True until the thread has returned from its last call.
  private var isBusy = false

  public init(loop: EventLoop) { self.loop = loop }

  /// - Parameter done: called once, on the loop, with the addresses or the reason why there are none.
  func find(_ host: String, port: UInt16, _ done: @escaping (Result<[SocketAddress], Failure>) -> Void) {
    if IPAddress(host) != nil { return done(Self.addresses(host, port, AI_NUMERICHOST)) }
    // One that hangs would make each attempt wait in a queue behind the former ones.
    guard !isBusy else { return done(.failure(Failure(words: "the name server has not answered yet"))) }
    isBusy = true
    let thread = thread ?? WorkerThread(name: "names")
    self.thread = thread
    let reply = Reply(self, done)
    thread.execute { [loop] in
      let result = Self.addresses(host, port, AI_ADDRCONFIG)
      loop.execute { reply.give(result) }
    }
  }

  struct Failure: Error {
    var words: String
  }

  /// Carries the closure over the thread and back; it is used on the loop only.
  private final class Reply: @unchecked Sendable {
    private let lookup: NameLookup
    private let done: (Result<[SocketAddress], Failure>) -> Void

    init(_ lookup: NameLookup, _ done: @escaping (Result<[SocketAddress], Failure>) -> Void) {
      self.lookup = lookup
      self.done = done
    }

    func give(_ result: Result<[SocketAddress], Failure>) {
      lookup.isBusy = false
      done(result)
    }
  }

  private static func addresses(_ host: String, _ port: UInt16, _ flags: Int32) -> Result<[SocketAddress], Failure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { return .failure(Failure(words: String(cString: gai_strerror(code)))) }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var entry = list
    while let info = entry?.pointee {
      if let address = info.ai_addr {
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
        found.append(SocketAddress(family: info.ai_family, bytes: Array(bytes)))
      }
      entry = info.ai_next
    }
    return .success(byTurns(found))
  }

  /// The addresses that are tried: of both families by turns, so that IPv4 is the second try where IPv6 leads nowhere,
  /// however many addresses a large service has.
  static func byTurns(_ found: [SocketAddress]) -> [SocketAddress] {
    var counts: [Int32: Int] = [:]
    let ranked = found.enumerated().map { index, address in
      counts[address.family, default: 0] += 1
      return (turn: counts[address.family, default: 0], index: index, address: address)
    }
    return ranked.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }.prefix(TCPClientLimits.addresses).map(\.address)
  }
}
