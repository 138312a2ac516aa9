import CivilTime
import Wire

/// The device's side of the gateway's protocol: it connects, greets, keeps the connection alive, shows each
/// notification once, and repeats a response until the hub has it. It has no socket, no disk and no clock: it is told
/// what happened and when, and answers what is to be done, in this order.
public struct DeviceSession: Sendable {
  enum Link: Equatable, Sendable {
    case waiting(until: Double)
    case connecting
    case greeting(until: Double)
    case live(since: Double)
    case ended
  }

  let secret: String
  let zone: @Sendable () -> String
  var record: DeviceRecord
  var chance: @Sendable () -> Double
  var link = Link.ended
  var backoff = Backoff()
  var connections = 0
  /// Uptime of the last message in either direction, and of a ping without an answer.
  var heardAt = 0.0
  var pingedAt: Double?
  /// True if it was sent before its time.
  var isProbe = false
  /// What the hub's clock showed when uptime began, by its last word; nil before the first welcome. Uptime goes on when
  /// somebody sets the device's clock.
  private var hubStart: Double?

  var waiting: [Showing] = []
  var current: Showing?
  let prepares: @Sendable (Showing) -> Bool
  let isMessage: @Sendable (Showing) -> Bool
  /// The state of `current` before it is shown; nil if it needs no preparation, or has had it.
  enum Preparation: Equatable, Sendable { case running, dropped }
  var preparation: Preparation?

  /// - Parameters:
  ///   - zone: the device's time zone at that moment, an IANA name.
  ///   - record: as it stands on the disk.
  ///   - prepares: true for notifications that are changed before they are shown, such as by an extension.
  ///   - isMessage: true for messages to the device itself: nothing of them is shown, and they do not wait for what is.
  ///   - chance: numbers from 0 to 1 for pauses.
  public init(
    secret: String, zone: @escaping @Sendable () -> String, record: DeviceRecord,
    prepares: @escaping @Sendable (Showing) -> Bool = { _ in false },
    isMessage: @escaping @Sendable (Showing) -> Bool = { _ in false }, chance: @escaping @Sendable () -> Double
  ) {
    (self.prepares, self.isMessage) = (prepares, isMessage)
    self.secret = secret
    self.zone = zone
    self.record = record
    self.chance = chance
  }

  public mutating func start() -> [Effect] {
    link = .connecting
    return [.connect]
  }

  public var isLive: Bool { if case .live = link { true } else { false } }
  /// The number of things that wait to be shown.
  public var waitingCount: Int { waiting.count }

  // MARK: Messages

  public mutating func received(_ text: String, _ at: Moment) -> [Effect] {
    guard let message = GatewayMessage(text) else {
      return [.tell(.ignored("a message that is none of the gateway's"))]
    }
    if case .bye(let reason) = message { return bye(reason, at) }
    guard isLive else {
      guard case .welcome(let device, let name, let now) = message, case .greeting = link else {
        return [.tell(.ignored("a message before the hub's welcome"))]
      }
      return welcome(device, name, now, at)
    }
    heardAt = at.uptime
    switch message {
    case .show(let shown): return show(shown, at)
    case .withdraw(let id, let version, let reason, let collapse, let sequence):
      return withdraw(id, version, reason, collapse, sequence ?? Int(id), at)
    case .taken(let id, let action):
      guard record.responses.contains(where: { $0.id == id }) else { return [] }
      return write(.taken(id)) + [.tell(.taken(id: id, action: action))]
    case .pong(let now): return pong(now, at)
    case .welcome, .bye: return []
    case .unknown(let what): return [.tell(.ignored("a message of a later version: \(what)"))]
    }
  }

  private mutating func welcome(_ device: String, _ name: String, _ now: Double?, _ at: Moment) -> [Effect] {
    link = .live(since: at.uptime)
    heardAt = at.uptime
    if let now { hubStart = now - at.uptime }
    return [.tell(.connected(device: device, name: name))] + record.responses.map { .send($0.message) }
  }

  private mutating func bye(_ reason: String, _ at: Moment) -> [Effect] {
    switch reason {
    case "replaced": return end(.replaced)
    case "removed": return end(.removed)
    case "unknown_secret": return end(.unknownSecret)
    default:
      // A hub that is being restarted is back soon.
      if reason == "restart" { backoff.reset() }
      return [.disconnect(.normal)] + retry("the hub said goodbye: \(reason.prefix(64))", at)
    }
  }

  private mutating func pong(_ now: Double?, _ at: Moment) -> [Effect] {
    guard pingedAt != nil else { return [] }
    pingedAt = nil
    // The hub's clock may have been set since it said welcome.
    if let now { hubStart = now - at.uptime }
    guard !isProbe else { return [] }
    var heartbeat = record.heartbeat
    let hasChanged = heartbeat.hold()
    // The count of pongs changes each time, and is not worth a write.
    record.apply(.heartbeat(heartbeat))
    guard hasChanged else { return [] }
    return [.record([.heartbeat(heartbeat)], sync: false), .tell(.heartbeat(seconds: heartbeat.interval))]
  }

  // MARK: Words

  mutating func write(_ entry: DeviceRecord.Entry, sync: Bool = false) -> [Effect] {
    record.apply(entry)
    return [.record([entry], sync: sync)]
  }

  /// The device's time, or the hub's if the device's clock is wrong: small computers know no time before their first
  /// look at a network.
  func hubTime(_ at: Moment) -> Double {
    guard let hubStart, abs(hubStart + at.uptime - at.now) > DeviceLimits.clockSeconds else { return at.now }
    return hubStart + at.uptime
  }

  /// Seconds since the hub has sent it, by the hub's time; 0 if it does not say when.
  public func age(of one: Showing, _ at: Moment) -> Double {
    one.sentAt.flatMap { parseTimestamp($0) }.map { hubTime(at) - Double($0) } ?? 0
  }

  func acknowledge(
    _ one: Showing, _ what: String, _ reason: String?, _ at: Moment
  ) -> [Effect] {
    guard isLive, !one.isLocal else { return [] }
    let note = what == "delivered" ? nil : one.note
    return [.send(acknowledgement(one.id, one.version, what, at, isRepeat: one.isRepeat, reason: reason, note: note))]
  }

  func acknowledgement(
    _ id: String, _ version: Int, _ what: String, _ at: Moment, isRepeat: Bool = false, reason: String? = nil,
    note: String? = nil
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("do", "ack"), .init("id", .string(id)), .init("version", .int(version)), .init("what", .string(what)),
      .init("at", .string(instant(hubTime(at)))), .init("repeat", .bool(isRepeat)),
    ]
    if let reason { members.append(.init("reason", .string(reason))) }
    if let note { members.append(.init("note", .string(note))) }
    return .object(members)
  }
}
