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
  /// Those who take the messages of topics, with the numbers of their subscriptions once these are made.
  private var topics: [String: (take: @Sendable ([UInt8]) -> Void, number: Int?)] = [:]

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
      hear("", take)
      connection.begin()
    }
  }

  // Always behind what was asked before, on whatever thread.

  public func send(_ message: [UInt8]) { send(message, to: "") }

  public func send(_ message: [UInt8], to topic: String) {
    loop.execute { [self] in
      guard !subject.isEmpty else { return }
      connection.publish(name(topic), Self.signature(message, topic, key) + message)
    }
  }

  public func listen(to topic: String, _ take: (@Sendable ([UInt8]) -> Void)?) {
    loop.execute { [self] in hear(topic, take) }
  }

  public func whenTaken(_ work: @escaping @Sendable () -> Void) {
    loop.execute { [self] in connection.whenTaken(work) }
  }

  private func name(_ topic: String) -> String { topic.isEmpty ? subject : "\(subject).\(topic)" }

  /// Subscriptions are made as soon as there is a key.
  private func hear(_ topic: String, _ take: (@Sendable ([UInt8]) -> Void)?) {
    if let number = topics[topic]?.number { connection.unsubscribe(number) }
    topics[topic] = take.map { ($0, nil) }
    if subject.isEmpty { return }
    for (topic, one) in topics where one.number == nil {
      topics[topic]?.number = connection.subscribe(name(topic)) { [weak self] _, bytes in
        guard let self, bytes.count > Self.signatureBytes else { return }
        let message = Array(bytes.dropFirst(Self.signatureBytes))
        guard Digest.areEqual(Array(bytes.prefix(Self.signatureBytes)), Self.signature(message, topic, key)) else {
          return
        }
        topics[topic]?.take(message)
      }
    }
  }

  public func end() { loop.execute { [self] in connection.close() } }

  /// Over the topic too, so that a message counts under its own alone.
  private static func signature(_ message: [UInt8], _ topic: String, _ key: [UInt8]) -> [UInt8] {
    let signed = topic.isEmpty ? message : Array("\(topic)\n".utf8) + message
    return Array(Digest.hmacSHA256(signed, key: key).prefix(signatureBytes))
  }
}
