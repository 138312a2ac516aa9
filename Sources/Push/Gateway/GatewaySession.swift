import Crypto
package import Delivery

/// The state of one connection, without its socket: it is told what happens and answers what to do.
///
/// A message stays in flight until the receipt of its showing is on the disk. So a fetch in between, which still finds
/// it pending, does not send it again; what was lost with a connection is found by the fetch of the next one.
package struct GatewaySession {
  package enum Action: Equatable {
    case send(HubMessage)
    case deliver(Outgoing)
    /// Ask the store for the device; `authenticated` follows.
    case look(secretDigest: [UInt8], zone: String?)
    /// Ask the store for so many pending messages; `fetched` follows.
    case fetch(limit: Int)
    /// Write a receipt; `recorded` follows.
    case record(Receipt)
    case close(Farewell, String)

    package static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.send(let a), .send(let b)): a == b
      case (.deliver(let a), .deliver(let b)): a === b
      case (.look(let a, let zone), .look(let b, let other)): a == b && zone == other
      case (.fetch(let a), .fetch(let b)): a == b
      case (.record(let a), .record(let b)): a == b
      case (.close(let a, _), .close(let b, _)): a == b
      default: false
      }
    }
  }

  private enum State {
    case new
    case looking
    case open
    case closed
  }
  private struct Flight {
    let id: Int
    var version: Int
    var sentAt: Double
    /// Those of its content.
    var bytes: Int
    /// True if the device has it, but has not shown it yet: it counts no more against the window.
    var isDelivered = false
  }

  private var state = State.new
  package private(set) var device = 0
  /// As the device has told it.
  package private(set) var run: DeviceRun?
  private var flights: [Flight] = []
  /// Messages that were acknowledged during a fetch, whose result may still have them.
  private var settled: [Flight] = []
  private var isFetching = false
  /// True if there may be more in the store than is in flight.
  private var hasMore = false
  /// The number of receipts that came, and of those that are on the disk.
  private var receipts: Int32 = 0
  private var written: Int32 = 0
  /// The receipts that came before a ping that is not answered yet.
  private var pongAfter: Int32?

  package var isOpen: Bool { state == .open }
  package var isClosed: Bool { state == .closed }
  package init() {}

  /// The number of messages that the device has not acknowledged in any way.
  package var inFlight: Int { flights.reduce(0) { $0 + ($1.isDelivered ? 0 : 1) } }
  private var inFlightBytes: Int { flights.reduce(0) { $0 + ($1.isDelivered ? 0 : $1.bytes) } }
  private var hasRoom: Bool { inFlight < GatewayLimits.inFlight && inFlightBytes < GatewayLimits.inFlightBytes }

  package mutating func received(_ text: String) -> [Action] {
    if state == .closed { return [] }
    let message: DeviceMessage
    do throws(GatewayFault) {
      message = try DeviceMessage(text)
    } catch {
      return end(.malformed, error.message)
    }
    switch (message, state) {
    case (.hello(let secret, let zone, let run), .new):
      (state, self.run) = (.looking, run)
      return [.look(secretDigest: Digest.sha256(secret.utf8), zone: zone)]
    case (.receipt(let receipt), .open): return note(receipt)
    case (.ping, .open):
      pongAfter = receipts
      return pong()
    // A message of a later version, to a hub that does not know it.
    case (.unknown, .open): return []
    default: return end(.malformed, "The first message is hello, which is sent once.")
    }
  }

  private mutating func note(_ receipt: Receipt) -> [Action] {
    guard receipts &- written < GatewayLimits.receipts else { return end(.malformed, "Too many receipts at once.") }
    receipts &+= 1
    var receipt = receipt
    receipt.sentAt = flights.first { $0.id == receipt.notification && $0.version == receipt.version }?.sentAt
    return [.record(receipt)]
  }

  /// - Parameter device: the device with the secret; nil if there is none.
  package mutating func authenticated(_ device: PushDevice?) -> [Action] {
    guard state == .looking else { return [] }
    guard let device, device.channels.contains(.gateway) else { return end(.unknownSecret, "No device has it.") }
    state = .open
    self.device = device.id
    return [.send(.welcome(device: device.id, name: device.name))] + fetch()
  }

  /// The store could not be asked.
  package mutating func failed() -> [Action] { state == .closed ? [] : end(.busy, "The hub cannot read its store.") }

  /// Pending messages from the store, in the order in which they are to be sent.
  package mutating func fetched(_ pending: [Outgoing], isAll: Bool, now: Double) -> [Action] {
    isFetching = false
    guard state == .open else { return [] }
    if !isAll { hasMore = true }
    var actions: [Action] = []
    let old = settled
    settled = []
    for message in pending where mustSend(message) {
      if old.contains(where: { $0.id == message.id && $0.version >= message.version }) { continue }
      guard hasRoom || flights.contains(where: { $0.id == message.id }) else {
        hasMore = true
        break
      }
      actions.append(launch(message, now))
    }
    return actions + refill()
  }

  /// A message was written for the device just now.
  package mutating func woken(_ message: Outgoing, now: Double) -> [Action] {
    guard state == .open, mustSend(message) else { return [] }
    // A change to what the device is just getting does not wait behind others.
    if flights.contains(where: { $0.id == message.id }) { return [launch(message, now)] }
    guard !isFetching, !hasMore, hasRoom else {
      hasMore = true
      return []
    }
    return [launch(message, now)]
  }

  /// There may be more in the store, written by another program.
  package mutating func lookAgain() -> [Action] {
    guard state == .open else { return [] }
    hasMore = true
    return refill()
  }

  /// The receipt is on the disk.
  /// - Parameter taken: for an answer.
  package mutating func recorded(_ receipt: Receipt, taken: Recorded.Taken?) -> [Action] {
    guard state == .open else { return [] }
    written &+= 1
    if let index = flights.firstIndex(where: { $0.id == receipt.notification && $0.version <= receipt.version }) {
      if receipt.what == .delivered {
        flights[index].isDelivered = true
      } else {
        let flight = flights.remove(at: index)
        if isFetching { settled.append(flight) }
      }
    }
    // An idle session holds no memory for messages.
    if flights.isEmpty { flights = [] }
    let answer = taken.map { [Action.send(.taken(id: receipt.notification, $0))] } ?? []
    return answer + pong() + refill()
  }

  /// Answers a ping once all receipts before it are on the disk: a device need not repeat those.
  private mutating func pong() -> [Action] {
    guard let after = pongAfter, written &- after >= 0 else { return [] }
    pongAfter = nil
    return [.send(.pong)]
  }

  package mutating func end(_ farewell: Farewell, _ reason: String = "") -> [Action] {
    if state == .closed { return [] }
    state = .closed
    (flights, settled) = ([], [])
    return [.send(.bye(farewell)), .close(farewell, reason)]
  }

  /// The connection is gone.
  package mutating func closed() {
    state = .closed
    (flights, settled) = ([], [])
  }

  // MARK: Sending

  private func mustSend(_ message: Outgoing) -> Bool {
    !flights.contains { $0.id == message.id && $0.version >= message.version }
  }

  private mutating func launch(_ message: Outgoing, _ now: Double) -> Action {
    let bytes = if case .show(let content) = message.work { content.utf8.count } else { 0 }
    let flight = Flight(id: message.id, version: message.version, sentAt: now, bytes: bytes)
    if let index = flights.firstIndex(where: { $0.id == message.id }) {
      flights[index] = flight
    } else {
      // A message that a device has and never shows is forgotten. At worst it is sent again, and the device knows it.
      if flights.count == GatewayLimits.known, let old = flights.firstIndex(where: \.isDelivered) {
        flights.remove(at: old)
      }
      flights.append(flight)
    }
    return .deliver(message)
  }

  private mutating func refill() -> [Action] {
    hasMore && !isFetching && inFlight <= GatewayLimits.refill && inFlightBytes <= GatewayLimits.inFlightBytes / 2
      ? fetch() : []
  }

  /// Messages in flight are still pending and come with the result, so as many more are asked for.
  private mutating func fetch() -> [Action] {
    (isFetching, hasMore) = (true, false)
    return [.fetch(limit: GatewayLimits.inFlight + flights.count)]
  }
}
