import Crypto
package import EventLoop
import Lifecycle
package import Store
import Synchronization

/// The signed-in devices. All state is in the store: a hub with ten thousand of them has no work with idle ones, and a
/// restart signs nobody out.
public final class Sessions: Sendable {
  /// The last visits of devices and uses of tokens, collected to be written together.
  private struct Notes {
    var devices: [Int: Double] = [:]
    var tokens: [Int: Double] = [:]
    var isScheduled = false
    /// Seconds by which the wall clock is ahead of uptime, and its time when the hub began.
    var ahead: Double
    var since: Double
  }
  private let notes: Mutex<Notes>
  private let store: Store
  private let loop: EventLoop
  private let supervisor: Supervisor
  private var time: any TimeSource { loop.time }

  package init(store: Store, loop: EventLoop, supervisor: Supervisor) {
    self.store = store
    self.loop = loop
    self.supervisor = supervisor
    let now = loop.time.now
    notes = Mutex(Notes(ahead: now - loop.time.uptime, since: now))
  }

  /// The signed-in device with this secret; nil for an unknown secret.
  package func session(of secret: String) async throws(StoreError) -> (principal: Principal, device: Device)? {
    try await noticeSetClock()
    let digest = Digest.sha256(secret.utf8)
    let found = try await store.look { database throws(StoreError) in try database.session(digest: digest) }
    guard let found, found.device.isSignedIn(at: time.now) else { return nil }
    // Also a visit of a time to come, which a clock has written that was ahead.
    if abs(time.now - found.device.lastSeen) > IdentityLimits.seenSeconds { note { $0.devices[found.device.id] = $1 } }
    return found
  }

  /// A machine without a battery starts with the date of its image, and sets its clock while the hub runs: the visits
  /// since the start were just now, and not so long ago that they ended.
  private func noticeSetClock() async throws(StoreError) {
    let ahead = time.now - time.uptime
    let change = notes.withLock { notes -> (step: Double, visits: ClosedRange<Double>)? in
      let (step, since) = (ahead - notes.ahead, notes.since)
      guard abs(step) > IdentityLimits.clockSetSeconds else { return nil }
      notes.ahead = ahead
      notes.since += step
      notes.devices = notes.devices.mapValues { $0 + step }
      return (step, since...max(since, time.now - step))
    }
    guard let change else { return }
    try await store.write { database throws(StoreError) in try database.moveVisits(change.visits, by: change.step) }
  }

  /// Records a token's use.
  func used(token: Int, lastUsed: Double?) {
    if abs(time.now - (lastUsed ?? 0)) > IdentityLimits.seenSeconds { note { $0.tokens[token] = $1 } }
  }

  // MARK: Last visits

  /// A timer runs only while something waits to be written.
  private func note(_ change: (inout Notes, Double) -> Void) {
    let now = time.now
    let mustSchedule = notes.withLock { notes in
      change(&notes, now)
      defer { notes.isScheduled = true }
      return !notes.isScheduled
    }
    guard mustSchedule else { return }
    loop.perform { [self] in
      loop.schedule(after: IdentityLimits.gatherSeconds) { [self] in
        // At its end the hub writes the rest.
        supervisor.once("hub.sessions") { [self] in await writeNotes() }
      }
    }
  }

  /// Writes the collected notes. A crash loses at most some seconds of last visits.
  public func writeNotes() async {
    let (devices, tokens) = notes.withLock { notes in
      defer { (notes.devices, notes.tokens, notes.isScheduled) = ([:], [:], false) }
      return (Array(notes.devices), Array(notes.tokens))
    }
    await write(devices) { database, id, at throws(StoreError) in try database.note(device: id, seenAt: at) }
    await write(tokens) { database, id, at throws(StoreError) in try database.note(token: id, usedAt: at) }
  }

  private func write(
    _ notes: [(key: Int, value: Double)],
    _ write: @escaping @Sendable (Database, Int, Double) throws(StoreError) -> Void
  ) async {
    for start in stride(from: 0, to: notes.count, by: IdentityLimits.notesPerWrite) {
      let piece = notes[start..<min(notes.count, start + IdentityLimits.notesPerWrite)]
      // Errors of the store are reported by everything else that uses it.
      try? await store.write { database throws(StoreError) in
        for (id, at) in piece { try write(database, id, at) }
      }
    }
  }
}
