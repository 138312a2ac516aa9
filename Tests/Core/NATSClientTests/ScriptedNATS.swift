import EventLoop
import Foundation
import Lifecycle
import NATSClient
import TCPClient
import Testing
import World

/// A connection on a loop that the test turns, in a time that the test passes.
final class NATSWorld {
  let time = VirtualTime()
  let loop: EventLoop
  let connection: NATSConnection
  var told: [String] = []

  init(_ address: String, time: (any TimeSource)? = nil, trust: TLSTrust = TLSTrust()) throws {
    loop = EventLoop(time: time ?? self.time)
    loop.turn(wait: 0)
    connection = NATSConnection(
      loop: loop, names: NameLookup(loop: loop), servers: try NATSAddress.all(in: address), name: "test", trust: trust)
    connection.whenConnected = { [unowned self] in told.append("connected") }
    connection.whenLost = { [unowned self] in told.append($0) }
  }

  deinit { connection.close() }

  /// Turns the loop until something is so.
  func eventually(_ isSo: () -> Bool, _ place: SourceLocation = #_sourceLocation) throws {
    let limit = SystemTime().uptime + 20
    while !isSo() {
      try #require(SystemTime().uptime < limit, "not within 20 s; told: \(told)", sourceLocation: place)
      loop.turn(wait: 0.01)
    }
  }

  func pass(_ seconds: Double) {
    time.advance(by: seconds)
    loop.turn(wait: 0)
  }
}

/// A server on 127.0.0.1 whose words are the test's. Nothing of it waits.
final class ScriptedNATS {
  let port: Int
  private let listener: Int32
  private var peer: Int32 = -1
  private(set) var accepted = 0
  private(set) var received = ""

  init() {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    port = ScriptedServer.bindToFreePort(listener)
    listen(listener, 16)
  }

  deinit {
    hangUp()
    close(listener)
  }

  /// Takes a new connection, if there is one, and what it has sent; true if that ends so.
  func has(_ end: String) -> Bool {
    look()
    return received.hasSuffix(end)
  }

  func look() {
    let next = accept(listener, nil, nil)
    if next >= 0 {
      hangUp()
      (peer, received) = (next, "")
      accepted += 1
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while peer >= 0, case let count = recv(peer, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      received += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  func say(_ text: String) { send(peer, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

  func hangUp() {
    if peer >= 0 { close(peer) }
    peer = -1
  }
}
