public import Wire

/// The device's side of the gateway's protocol: it connects, greets, keeps the connection alive, shows each
/// notification once, and repeats a response until the hub has it. It has no socket, no disk and no clock: it is told
/// what happened and when, and answers what is to be done, in this order.
public struct DeviceSession: Sendable {
  /// The clocks at which something happened.
  public struct Moment: Equatable, Sendable {
    /// Seconds since 1970, and of uptime.
    public var now: Double
    public var uptime: Double
    public init(now: Double, uptime: Double) {
      self.now = now
      self.uptime = uptime
    }
  }

  public enum Effect: Equatable, Sendable {
    case connect
    case send(JSON)
    /// Ends the connection; nothing is heard of it any more.
    case disconnect(CloseCode)
    /// Writes into the record, before what follows is done.
    case record([DeviceRecord.Entry], sync: Bool)
    /// Shows something; then `shown` or `notShown` is to be called, and `finished` once the next may come.
    case present(Presentation)
    /// What is being shown is answered elsewhere or taken back.
    case stop(id: String)
    case tell(News)
    /// Nothing more is done.
    case end(EndReason)
  }

  /// What people and programs around the device may want to know.
  public enum News: Equatable, Sendable {
    case connected(device: String, name: String)
    case disconnected(String, retryIn: Double)
    case responded(DeviceResponse)
    /// The action that counts, perhaps another device's.
    case taken(id: String, action: String)
    case failed(id: String, reason: String)
    case dropped(DeviceResponse)
    case heartbeat(seconds: Double)
    case ignored(String)
  }

  public enum EndReason: Equatable, Sendable {
    /// Another connection with the same secret has taken this one's place.
    case replaced
    case removed
    case unknownSecret
  }

  private enum Link: Equatable, Sendable {
    case waiting(until: Double)
    case connecting
    case greeting(until: Double)
    case live(since: Double)
    case ended
  }

  private let secret: String
  private let zone: String
  private let instance: String
  private var record: DeviceRecord
  private var chance: @Sendable () -> Double
  private var link = Link.ended
  private var backoff = Backoff()
  private var connections = 0
  /// Uptime of the last message in either direction, and of a ping without an answer.
  private var heardAt = 0.0
  private var pingedAt: Double?
  /// Seconds by which the hub's clock is ahead.
  private var offset = 0.0

  private var waiting: [Presentation] = []
  private var current: Presentation?

  /// - Parameters:
  ///   - zone: the device's time zone, an IANA name.
  ///   - instance: a random text, kept by the process.
  ///   - record: as it stands on the disk.
  ///   - chance: numbers from 0 to 1 for pauses.
  public init(
    secret: String, zone: String, instance: String, record: DeviceRecord, chance: @escaping @Sendable () -> Double
  ) {
    self.secret = secret
    self.zone = zone
    self.instance = instance
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

  // MARK: Connection

  /// The WebSocket is open.
  public mutating func opened(_ at: Moment) -> [Effect] {
    guard link == .connecting else { return [] }
    link = .greeting(until: at.uptime + DeviceLimits.welcomeSeconds)
    connections += 1
    (heardAt, pingedAt) = (at.uptime, nil)
    return [
      .send(
        .object([
          .init("do", "hello"), .init("secret", .string(secret)), .init("zone", .string(zone)), .init("v", 1),
          .init("instance", .string(instance)),
          // A hello that was late on its way must not take the place of a newer connection of the same device.
          .init("state", .string(record.name)), .init("number", .int(record.runs * 1_000_000 + connections)),
        ]))
    ]
  }

  /// The WebSocket was closed, broke, or was not opened.
  /// - Parameter code: the hub's, if it closed it.
  public mutating func lost(_ reason: String, code: CloseCode? = nil, at: Moment) -> [Effect] {
    switch code?.rawValue {
    case 4000: return end(.replaced)
    case 4001: return end(.removed)
    default: return retry(reason, at)
    }
  }

  private mutating func retry(_ reason: String, _ at: Moment) -> [Effect] {
    if link == .ended { return [] }
    if case .live(let since) = link, at.uptime - since >= DeviceLimits.steadySeconds { backoff.reset() }
    pingedAt = nil
    let pause = backoff.next(chance())
    link = .waiting(until: at.uptime + pause)
    return [.tell(.disconnected(reason, retryIn: pause))]
  }

  private mutating func end(_ reason: EndReason) -> [Effect] {
    if link == .ended { return [] }
    link = .ended
    return [.disconnect(.normal), .end(reason)]
  }

  /// The uptime at which `tick` is to be called; nil while nothing is awaited.
  public var deadline: Double? {
    switch link {
    case .waiting(let until), .greeting(let until): until
    case .live: pingedAt.map { $0 + DeviceLimits.pongSeconds } ?? heardAt + record.heartbeat.interval
    case .connecting, .ended: nil
    }
  }

  public mutating func tick(_ at: Moment) -> [Effect] {
    guard let deadline, at.uptime >= deadline else { return [] }
    switch link {
    case .waiting:
      link = .connecting
      return [.connect]
    case .greeting:
      return [.disconnect(.policy)]
        + retry("the hub did not greet within \(Int(DeviceLimits.welcomeSeconds)) s", at)
    case .live where pingedAt != nil:
      var heartbeat = record.heartbeat
      heartbeat.lose()
      return [.disconnect(.goingAway)] + write(.heartbeat(heartbeat)) + [.tell(.heartbeat(seconds: heartbeat.interval))]
        + retry("the hub does not answer any more", at)
    case .live:
      pingedAt = at.uptime
      return [.send(["do": "ping"])]
    case .connecting, .ended: return []
    }
  }

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
    case .withdraw(let id, let version, let reason): return withdraw(id, version, reason, at)
    case .taken(let id, let action):
      guard record.responses.contains(where: { $0.id == id }) else { return [] }
      return write(.taken(id)) + [.tell(.taken(id: id, action: action))]
    case .pong: return pong()
    case .welcome, .bye: return []
    case .unknown(let what): return [.tell(.ignored("a message of a later version: \(what)"))]
    }
  }

  private mutating func welcome(_ device: String, _ name: String, _ now: Double?, _ at: Moment) -> [Effect] {
    link = .live(since: at.uptime)
    heardAt = at.uptime
    offset = now.map { $0 - at.now } ?? 0
    return [.tell(.connected(device: device, name: name))] + record.responses.map { .send(Self.message($0)) }
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

  private mutating func pong() -> [Effect] {
    guard pingedAt != nil else { return [] }
    pingedAt = nil
    var heartbeat = record.heartbeat
    let hasChanged = heartbeat.hold()
    // The count of pongs changes each time, and is not worth a write.
    record.apply(.heartbeat(heartbeat))
    guard hasChanged else { return [] }
    return [.record([.heartbeat(heartbeat)], sync: false), .tell(.heartbeat(seconds: heartbeat.interval))]
  }

  // MARK: Notifications

  private mutating func show(_ shown: GatewayMessage.Shown, _ at: Moment) -> [Effect] {
    if current?.recordID == shown.id, current?.version ?? 0 >= shown.version { return [] }
    let known = record[shown.id]
    if let known,
      known.version > shown.version || known.version == shown.version && known.state != .showing && known.state != .next
    {
      return [.send(acknowledgement(shown.id, shown.version, known.state, at))]
    }
    let next = Presentation(
      id: shown.id, version: shown.version, content: shown.content, isRepeat: known?.state == .showing,
      isUpdate: known?.wasShown ?? false, collapse: shown.collapse, priority: shown.priority, sentAt: shown.sentAt,
      topic: shown.topic,
      expiresAt: shown.expiresAt)
    var effects: [Effect] = []
    // An older one that still waits is not shown first.
    if let collapse = shown.collapse,
      let place = waiting.firstIndex(where: { $0.collapse == collapse && $0.id != shown.id && !$0.isLocal })
    {
      effects += drop(waiting.remove(at: place), "collapsed", at)
    }
    if let place = waiting.firstIndex(where: { $0.recordID == shown.id }) {
      if waiting[place].version < shown.version { waiting[place] = next }
      return effects
    }
    return effects + enqueue(next, at)
  }

  private mutating func withdraw(_ id: String, _ version: Int, _ reason: String, _ at: Moment) -> [Effect] {
    if let known = record[id], known.version >= version, known.state == .withdrawn {
      return [.send(acknowledgement(id, version, .withdrawn, at))]
    }
    waiting.removeAll { $0.recordID == id }
    var effects: [Effect] = []
    let isCurrent = current?.recordID == id
    guard isCurrent || record[id]?.wasShown == true || record[id]?.state == .showing else {
      return write(.withdrawn(id, version: version), sync: true)
        + [.send(acknowledgement(id, version, .withdrawn, at))]
    }
    let next = Presentation(kind: .withdraw(reason), id: id, version: version, content: nil)
    if isCurrent {
      guard current?.kind == .show else { return effects }
      effects.append(.stop(id: id))
    }
    waiting.insert(next, at: 0)
    return effects + presentNext(at)
  }

  /// Shows a request of the device's own.
  /// - Returns: also true if it was shown before, at this very time.
  public mutating func fire(id: String, content: JSON, due: Double, _ at: Moment) -> (effects: [Effect], isDone: Bool) {
    var next = Presentation(id: id, version: 1, content: content, isLocal: true, due: due)
    let known = record[next.recordID]
    if let known, known.state != .showing, known.state != .next { return ([], true) }
    next.isRepeat = known?.state == .showing
    if current?.recordID == next.recordID || waiting.contains(where: { $0.recordID == next.recordID }) {
      return ([], false)
    }
    // It stays on the disk, and is asked for again.
    guard waiting.count < DeviceLimits.waiting else { return ([], false) }
    return (enqueue(next, at), false)
  }

  private mutating func enqueue(_ next: Presentation, _ at: Moment) -> [Effect] {
    guard waiting.count < DeviceLimits.waiting else {
      return [.disconnect(.policy)]
        + retry("the hub sent more than \(DeviceLimits.waiting) notifications at once", at)
    }
    waiting.append(next)
    return presentNext(at)
  }

  private mutating func presentNext(_ at: Moment) -> [Effect] {
    var effects: [Effect] = []
    while current == nil, !waiting.isEmpty {
      var next = waiting.removeFirst()
      if let expiresAt = next.expiresAt, hubTime(at) >= expiresAt {
        effects += drop(next, "expired", at)
        continue
      }
      if next.kind == .show {
        if let collapse = next.collapse, let other = record.shown(collapse: collapse), other != next.id {
          next.replaces = other
        }
        // That it may have been shown is not taken back.
        if !next.isRepeat {
          effects += write(.next(next.recordID, version: next.version), sync: true)
          effects += write(.showing(next.recordID, version: next.version))
        }
      }
      current = next
      effects.append(.present(next))
    }
    return effects
  }

  private mutating func drop(_ one: Presentation, _ reason: String, _ at: Moment) -> [Effect] {
    write(.failed(one.recordID, version: one.version)) + [.tell(.failed(id: one.id, reason: reason))]
      + acknowledge(one, .failed, reason, at)
  }

  /// What `present` asked for was shown.
  public mutating func shown(_ at: Moment) -> [Effect] {
    guard let current else { return [] }
    switch current.kind {
    case .show:
      let entry = DeviceRecord.Entry.shown(current.recordID, version: current.version, collapse: current.collapse)
      return write(entry) + acknowledge(current, .shown, nil, at)
    case .withdraw:
      return write(.withdrawn(current.recordID, version: current.version), sync: true)
        + acknowledge(current, .withdrawn, nil, at)
    }
  }

  /// What `present` asked for could not be shown, or what shows it has failed afterwards.
  public mutating func notShown(_ reason: String, _ at: Moment) -> [Effect] {
    guard let current else { return [] }
    return drop(current, reason, at)
  }

  /// The next may be shown.
  public mutating func finished(_ at: Moment) -> [Effect] {
    current = nil
    return presentNext(at)
  }

  /// The person has answered.
  public mutating func respond(id: String, action: String, text: String?, _ at: Moment) -> [Effect] {
    let response = DeviceResponse(
      id: id, version: record[id]?.version ?? 1, action: Self.cut(action, DeviceLimits.actionBytes),
      text: text.map { Self.cut($0, DeviceLimits.textBytes) }, at: at.now)
    var effects: [Effect] = []
    if record.responses.count == DeviceLimits.responses, !record.responses.contains(where: { $0.id == id }) {
      effects.append(.tell(.dropped(record.responses[0])))
    }
    effects += write(.responded(response), sync: true) + [.tell(.responded(response))]
    return isLive ? effects + [.send(Self.message(response))] : effects
  }

  // MARK: Words

  private mutating func write(_ entry: DeviceRecord.Entry, sync: Bool = false) -> [Effect] {
    record.apply(entry)
    return [.record([entry], sync: sync)]
  }

  /// The device's time, or the hub's if the device's clock is wrong: small computers know no time before their first
  /// look at a network.
  private func hubTime(_ at: Moment) -> Double {
    abs(offset) > DeviceLimits.clockSeconds ? at.now + offset : at.now
  }

  private func acknowledge(
    _ one: Presentation, _ state: DeviceRecord.State, _ reason: String?, _ at: Moment
  ) -> [Effect] {
    guard isLive, !one.isLocal else { return [] }
    return [.send(acknowledgement(one.id, one.version, state, at, isRepeat: one.isRepeat, reason: reason))]
  }

  private func acknowledgement(
    _ id: String, _ version: Int, _ state: DeviceRecord.State, _ at: Moment, isRepeat: Bool = false,
    reason: String? = nil
  ) -> JSON {
    let what =
      switch state {
      case .next, .showing, .shown: "shown"
      case .withdrawn: "withdrawn"
      case .failed: "failed"
      }
    var members: [JSON.Member] = [
      .init("do", "ack"), .init("id", .string(id)), .init("version", .int(version)), .init("what", .string(what)),
      .init("at", .string(instant(hubTime(at)))), .init("repeat", .bool(isRepeat)),
    ]
    if let reason { members.append(.init("reason", .string(reason))) }
    return .object(members)
  }

  private static func message(_ response: DeviceResponse) -> JSON {
    var members: [JSON.Member] = [
      .init("do", "respond"), .init("id", .string(response.id)), .init("version", .int(response.version)),
      .init("action", .string(response.action)),
      .init("at", .string(instant(response.at))),
    ]
    if let text = response.text { members.append(.init("text", .string(text))) }
    return .object(members)
  }

  private static func cut(_ text: String, _ bytes: Int) -> String {
    if text.utf8.count <= bytes { return text }
    var result = ""
    for character in text {
      if result.utf8.count + character.utf8.count > bytes { break }
      result.append(character)
    }
    return result
  }
}
