import Delivery
import EventLoop
import Lifecycle
import Observe
import Server
import Store

/// The connections of one loop, and what they ask of the store. Confined to that loop.
///
/// Receipts are written together: while one batch is being written, the next one gathers.
///
/// Its tasks are not waited for at the end: each asks the store a bounded number of times, and a store that is closed
/// refuses. What was not written was not acknowledged either, and the device sends it again.
final class GatewayShard: @unchecked Sendable {
  let gateway: Gateway
  let loop: EventLoop

  private struct Waiting: Sendable {
    let connection: GatewayConnection
    let device: Int
    let receipt: Receipt
  }
  private var waiting: [Waiting] = []
  private var isWriting = false
  private var isPatient = false
  /// Devices that have connected since the last batch, with their zones.
  private var seen: [Int: String?] = [:]
  /// The message encoded last: often the same one goes to many devices.
  private var last: (message: Outgoing, encoded: EncodedMessage)?

  init(_ gateway: Gateway, _ loop: EventLoop) {
    self.gateway = gateway
    self.loop = loop
  }

  func encoded(_ message: Outgoing) -> EncodedMessage {
    if let last, last.message === message { return last.encoded }
    let encoded = EncodedMessage(text: message.gatewayText)
    if last == nil { loop.atEndOfTurn { [self] in last = nil } }
    last = (message, encoded)
    return encoded
  }

  // MARK: Reading

  func look(_ digest: [UInt8], zone: String?, for connection: GatewayConnection) {
    let (store, loop, now) = (gateway.delivery.store, loop, gateway.delivery.time.now)
    Task { [self] in
      do throws(StoreError) {
        let device = try await store.look { database throws(StoreError) in
          try database.pushDevice(secretDigest: digest)
        }
        if let device, let zone, zone != device.zone {
          // The new zone decides whether it is quiet there for what waits, which is asked next.
          _ = try await store.write { database throws(StoreError) in
            try database.notePushDevice(device.id, seenAt: now, zone: zone)
          }
        }
        loop.execute { [self] in
          connection.authenticated(device)
          guard let device else { return }
          seen.updateValue(zone, forKey: device.id)
          write()
        }
      } catch {
        loop.execute { connection.storeFailed() }
      }
    }
  }

  func fetch(device: Int, limit: Int, for connection: GatewayConnection) {
    let (store, loop, now) = (gateway.delivery.store, loop, gateway.delivery.time.now)
    Task {
      do throws(StoreError) {
        let read = { @Sendable (database: Database) throws(StoreError) -> [PendingDelivery] in
          try database.pending(device: device, channel: .gateway, now: now, limit: limit)
        }
        var pending = try await store.read { database throws(StoreError) in
          try database.isQuiet(device: device, now: now) ? nil : try read(database)
        }
        if pending == nil {
          pending = try await store.write { database throws(StoreError) in
            try database.hold(device: device, channel: .gateway, now: now)
            return try read(database)
          }
        }
        let messages = (pending ?? []).map(\.message)
        loop.execute { connection.fetched(messages, isAll: messages.count < limit) }
      } catch {
        loop.execute { connection.storeFailed() }
      }
    }
  }

  // MARK: Writing

  func record(_ receipt: Receipt, device: Int, from connection: GatewayConnection) {
    waiting.append(Waiting(connection: connection, device: device, receipt: receipt))
    // Receipts that come in the same turn of the loop are written together.
    if waiting.count == 1 { loop.atEndOfTurn { [self] in write() } }
  }

  private func write() {
    guard !isWriting, !isPatient, !waiting.isEmpty || !seen.isEmpty else { return }
    if gateway.delivery.isSendingMany {
      isPatient = true
      loop.schedule(after: GatewayLimits.patientSeconds) { [self] in
        isPatient = false
        write()
      }
      return
    }
    isWriting = true
    let batch = Array(waiting.prefix(GatewayLimits.receiptsPerCommit))
    waiting.removeFirst(batch.count)
    let seen = seen
    self.seen = [:]
    let (gateway, loop) = (gateway, loop)
    let plain = batch.filter { !$0.receipt.isAnswer }.map { ($0.device, $0.receipt) }
    Task { [self] in
      do {
        let now = gateway.delivery.time.now
        if !plain.isEmpty || !seen.isEmpty {
          let gone = try await gateway.delivery.store.write { database throws(StoreError) in
            var gone: [Int] = []
            for (device, zone) in seen {
              if try !database.notePushDevice(device, seenAt: now, zone: zone) { gone.append(device) }
              // Not for one that has left since: it may be at another hub already.
              if gateway.isConnected(device) { database.touch(.connected, device) }
            }
            _ = try database.record(plain, channel: .gateway, now: now)
            return gone
          }
          // They were removed while they were being looked up.
          if !gone.isEmpty { gateway.removed(gone) }
        }
        let taken = await take(batch)
        loop.execute { [self] in finish(batch, taken) }
      } catch {
        gateway.delivery.log.error("receipts of devices were not written", ["error": "\(error)"])
        // They come again: what is not acknowledged is sent again when the device is back.
        loop.execute { [self] in
          for each in batch { each.connection.storeFailed() }
          finish([], [:])
        }
      }
    }
  }

  /// - Returns: the results of the answers, by their places in the batch.
  private func take(_ batch: [Waiting]) async -> [Int: Recorded.Taken] {
    var taken: [Int: Recorded.Taken] = [:]
    for (index, each) in batch.enumerated() where each.receipt.isAnswer {
      do {
        taken[index] = try await gateway.take(each.receipt, each.device).taken
      } catch {
        gateway.delivery.log.error("an answer was not taken", ["device": "\(each.device)", "error": "\(error)"])
        // The device comes again, with its answer.
        loop.execute { each.connection.storeFailed() }
      }
    }
    return taken
  }

  /// - Parameter taken: the results of the answers, by their places in the batch.
  private func finish(_ batch: [Waiting], _ taken: [Int: Recorded.Taken]) {
    isWriting = false
    for (index, each) in batch.enumerated() { each.connection.recorded(each.receipt, taken[index]) }
    write()
  }
}

extension Receipt {
  fileprivate var isAnswer: Bool { if case .acted = what { true } else { false } }
}
