import Crypto
package import EventLoop
import NATSClient
import TCPClient

/// The check of the NATS server between hubs: a message is sent and comes back, over two connections.
package enum BusCheck {
  private static let subject = "bus"
  /// Seconds for all of it.
  static let seconds = 5.0

  /// - Parameter address: as of the setting.
  package static func finding(_ address: String, on loop: EventLoop) async -> Finding {
    let servers: [NATSAddress]
    do throws(NATSAddressError) { servers = try NATSAddress.all(in: address) } catch {
      return .problem(subject, error.description, remedy: "nats://HOST:4222 is accepted, or tls://HOST:4222.")
    }
    let shown = servers.map(\.shown).joined(separator: ", ")
    let reason = await BusTrial(servers, loop).run()
    guard let reason else { return .ok(subject, "a message went through \(shown)") }
    return .warning(
      subject, "no message goes through \(shown): \(reason)",
      remedy: "Without it the hubs look at the database twice a second, and pages are told to connect again. Look "
        + "whether the server runs and may be reached from here, and whether its user may publish and subscribe to "
        + "`eightbells.>`.")
  }
}

/// One message from one connection to another. Confined to its loop.
private final class BusTrial: @unchecked Sendable {
  private static let subject = "eightbells.doctor"

  private let loop: EventLoop
  private let ear, mouth: NATSConnection
  private let word = Digest.random(16)
  /// Failures that end it: each connection tries all servers.
  private var left: Int
  private var continuation: UnsafeContinuation<String?, Never>?
  private var timer: LoopTimer?

  init(_ servers: [NATSAddress], _ loop: EventLoop) {
    self.loop = loop
    // Both look the name up at the same time, which one lookup refuses.
    (ear, mouth) = (Self.connection(servers, loop), Self.connection(servers, loop))
    left = servers.count
  }

  private static func connection(_ servers: [NATSAddress], _ loop: EventLoop) -> NATSConnection {
    NATSConnection(loop: loop, names: NameLookup(loop: loop), servers: servers, name: "eightbells doctor")
  }

  /// - Returns: what was wrong; nil if the message came.
  func run() async -> String? {
    await withUnsafeContinuation { continuation in
      loop.perform { [self] in
        self.continuation = continuation
        timer = loop.schedule(after: BusCheck.seconds) { [self] in
          end("none came within \(Int(BusCheck.seconds)) s")
        }
        ear.subscribe(Self.subject) { [self] _, bytes in if bytes == word { end(nil) } }
        for one in [ear, mouth] {
          one.whenLost = { [self] in lost($0) }
          one.whenConnected = { [self] in speak() }
          one.begin()
        }
      }
    }
  }

  private func speak() {
    if ear.isConnected, mouth.isConnected { mouth.publish(Self.subject, word) }
  }

  private func lost(_ reason: String) {
    left -= 1
    if left <= 0 { end(reason) }
  }

  private func end(_ reason: String?) {
    timer?.cancel()
    ear.close()
    mouth.close()
    let waiting = continuation
    continuation = nil
    waiting?.resume(returning: reason)
  }
}
