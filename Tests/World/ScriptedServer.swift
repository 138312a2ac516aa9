import Foundation
import Synchronization

/// A server on 127.0.0.1 that writes given bytes, valid or not. It answers each connection's first request and then
/// closes, unless the script does not return.
public final class ScriptedServer: Sendable {
  public let port: Int
  private let listener: Int32
  private let open = Mutex<Set<Int32>>([])
  private let heads = Mutex<[String]>([])
  private let bodies = Mutex<[[UInt8]]>([])

  /// - Parameter script: runs on a thread of its own for each connection; the peer may refuse its output.
  public init(_ script: @escaping @Sendable (Writer) -> Void) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    port = Self.bindToFreePort(listener)
    listen(listener, 16)
    self.listener = listener
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        open.withLock { _ = $0.insert(connection) }
        Thread.detachNewThread { [self] in
          serve(connection, script)
          _ = open.withLock { $0.remove(connection) }
          close(connection)
        }
      }
    }
  }

  /// - Parameter answers: statuses, perhaps with a field, such as "204" or "503 Retry-After: 120", one after the other;
  ///   the last one again and again.
  public convenience init(answers: String...) {
    let left = Answers(answers)
    self.init { writer in
      let parts = left.next().split(separator: " ", maxSplits: 1)
      let field = parts.count > 1 ? "\(parts[1])\r\n" : ""
      writer.write("HTTP/1.1 \(parts[0]) X\r\n\(field)Content-Length: 0\r\nConnection: close\r\n\r\n")
    }
  }

  private final class Answers: Sendable {
    private let left: Mutex<[String]>
    init(_ all: [String]) { left = Mutex(all) }
    func next() -> String { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
  }

  /// Binds a socket to a port of 127.0.0.1 that nobody uses, and returns the port.
  public static func bindToFreePort(_ descriptor: Int32) -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    precondition(isBound, "no port for a test's server")
    return Int(UInt16(bigEndian: address.sin_port))
  }

  public var url: String { "http://127.0.0.1:\(port)/" }

  /// The heads of all requests so far.
  public var asked: [String] { heads.withLock { $0 } }
  /// The bodies of all requests so far that have said how long theirs is.
  public var received: [[UInt8]] { bodies.withLock { $0 } }

  /// Ends it, and all connections.
  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    open.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ connection: Int32, _ script: (Writer) -> Void) {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard read(connection, &byte, 1) == 1 else { return }
      head.append(byte)
    }
    let text = String(decoding: head, as: UTF8.self)
    heads.withLock { $0.append(text) }
    if let size = text.firstMatch(of: /(?i)\r\ncontent-length: *([0-9]+)\r\n/).flatMap({ Int($0.1) }), size > 0 {
      var body: [UInt8] = []
      while body.count < size {
        guard read(connection, &byte, 1) == 1 else { return }
        body.append(byte)
      }
      bodies.withLock { $0.append(body) }
    }
    script(Writer(connection: connection))
  }

  public struct Writer {
    fileprivate let connection: Int32

    /// - Returns: false if the peer does not accept more.
    @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Returns when the peer has closed the connection.
    public func waitForEnd() {
      var byte: UInt8 = 0
      while read(connection, &byte, 1) == 1 {}
    }

    /// True if the peer closes the connection within so many milliseconds.
    public func isGone(within milliseconds: Int32) -> Bool {
      var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, milliseconds) > 0
    }
  }
}
