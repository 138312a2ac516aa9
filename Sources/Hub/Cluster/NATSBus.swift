import Crypto
public import EventLoop
import NATSClient
public import Observe
import Synchronization
import TCPClient

/// Messages between hubs by a NATS server. Each is signed with a key from the hubs' database, since others may write to
/// the same server; the subject is made of that key, so that the hubs of several databases can share one server.
public final class NATSBus: Bus, @unchecked Sendable {
  /// Bytes of a signature: half of a SHA-256 digest.
  private static let signatureBytes = 16

  private let loop: EventLoop
  private let log: Log
  private let connected = Mutex(false)
  // The following is used on the loop only.
  private let connection: NATSConnection
  private var key: [UInt8] = []
  private var subject = ""

  /// - Parameter address: nats://HOST:PORT or tls://HOST:PORT, perhaps with a user or a token; several are separated by
  ///   commas.
  /// - Throws: what is wrong with the address, in words.
  public init(_ address: String, loop: EventLoop, log: Log) throws(BusError) {
    let servers: [NATSAddress]
    do throws(NATSAddressError) { servers = try NATSAddress.all(in: address) } catch {
      throw BusError(message: error.description)
    }
    (self.loop, self.log) = (loop, log)
    connection = NATSConnection(loop: loop, names: NameLookup(loop: loop), servers: servers, name: "eightbells")
  }

  /// True if an address contains a password or a token, which nobody else may see.
  public static func hasSecret(_ address: String) -> Bool { address.contains("@") }

  public var isUp: Bool { connected.withLock { $0 } }

  public func begin(
    key: [UInt8], _ take: @escaping @Sendable ([UInt8]) -> Void, changed: @escaping @Sendable (Bool) -> Void
  ) {
    loop.perform { [self] in
      self.key = key
      subject = "eightbells.\(Digest.hex(Digest.hmacSHA256("subject".utf8, key: key).prefix(8)))"
      connection.whenConnected = { [weak self] in
        self?.connected.withLock { $0 = true }
        self?.log.info("connected to NATS")
        changed(true)
      }
      connection.whenLost = { [weak self] reason in
        let wasUp = self?.connected.withLock { isUp in
          defer { isUp = false }
          return isUp
        }
        self?.log.warning("no connection to NATS: the hubs look at the database instead", ["reason": reason])
        if wasUp == true { changed(false) }
      }
      connection.subscribe(subject) { _, bytes in
        guard bytes.count > Self.signatureBytes else { return }
        let message = Array(bytes.dropFirst(Self.signatureBytes))
        guard Digest.areEqual(Array(bytes.prefix(Self.signatureBytes)), Self.signature(message, key)) else { return }
        take(message)
      }
      connection.begin()
    }
  }

  public func send(_ message: [UInt8]) {
    loop.perform { [self] in
      guard !subject.isEmpty else { return }
      connection.publish(subject, Self.signature(message, key) + message)
    }
  }

  public func end() { loop.perform { [self] in connection.close() } }

  private static func signature(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    Array(Digest.hmacSHA256(message, key: key).prefix(signatureBytes))
  }
}
