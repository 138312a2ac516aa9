public import Wire

/// The connection: greeted, kept alive, and made again after a pause.
extension DeviceSession {
  /// To be called when the WebSocket is open.
  public mutating func opened(_ at: Moment) -> [Effect] {
    guard link == .connecting else { return [] }
    link = .greeting(until: at.uptime + DeviceLimits.welcomeSeconds)
    connections += 1
    (heardAt, pingedAt) = (at.uptime, nil)
    return [
      .send(
        .object([
          .init("do", "hello"), .init("secret", .string(secret)), .init("zone", .string(zone())), .init("v", 1),
          // A hello that was late on its way must not take the place of a newer connection of the same device.
          .init("state", .string(record.name)), .init("number", .int(record.runs * 1_000_000 + connections)),
        ]))
    ]
  }

  /// To be called when the WebSocket was closed, broke, or was not opened.
  /// - Parameter code: the hub's, if it closed it.
  public mutating func lost(_ reason: String, code: CloseCode? = nil, at: Moment) -> [Effect] {
    switch code?.rawValue {
    case 4000: return end(.replaced)
    case 4001: return end(.removed)
    default:
      // It broke in the middle of work, without a farewell: the hub works, and may have more. One that the hub, or a
      // proxy, has closed may be closed again and again.
      if code == nil, case .live(let since) = link, heardAt > since { backoff.reset() }
      return retry(reason, at)
    }
  }

  mutating func retry(_ reason: String, _ at: Moment) -> [Effect] {
    if link == .ended { return [] }
    if case .live(let since) = link, at.uptime - since >= DeviceLimits.steadySeconds { backoff.reset() }
    pingedAt = nil
    let pause = backoff.next(chance())
    link = .waiting(until: at.uptime + pause)
    return [.tell(.disconnected(reason, retryIn: pause))]
  }

  mutating func end(_ reason: EndReason) -> [Effect] {
    if link == .ended { return [] }
    link = .ended
    return [.disconnect(.normal), .end(reason)]
  }

  /// The uptime at which `tick` is to be called; nil while nothing is awaited.
  public func deadline(_ at: Moment) -> Double? {
    let end = record.nextEnd.map { at.uptime + max(0, $0.at - hubTime(at)) }
    return [linkDeadline, end].compactMap { $0 }.min()
  }

  private var linkDeadline: Double? {
    switch link {
    case .waiting(let until), .greeting(let until): until
    case .live: pingedAt.map { $0 + DeviceLimits.pongSeconds } ?? heardAt + record.heartbeat.interval
    case .connecting, .ended: nil
    }
  }

  public mutating func tick(_ at: Moment) -> [Effect] { takeExpired(at) + tickLink(at) }

  /// An answer of a person was sent: if the connection has died without a word, as when the line got another address,
  /// that is to be found now and not by the next ping.
  mutating func probe(_ at: Moment) -> [Effect] { pingedAt == nil ? ping(isProbe: true, at) : [] }

  private mutating func ping(isProbe: Bool, _ at: Moment) -> [Effect] {
    (pingedAt, self.isProbe) = (at.uptime, isProbe)
    return [.send(["do": "ping"])]
  }

  private mutating func tickLink(_ at: Moment) -> [Effect] {
    guard let linkDeadline, at.uptime >= linkDeadline else { return [] }
    switch link {
    case .waiting:
      link = .connecting
      return [.connect]
    case .greeting:
      return [.disconnect(.policy)]
        + retry("the hub did not greet within \(Int(DeviceLimits.welcomeSeconds)) s", at)
    case .live where pingedAt != nil:
      let again = retry("the hub does not answer any more", at)
      // It says nothing of an interval that had not passed.
      if isProbe { return [.disconnect(.goingAway)] + again }
      var heartbeat = record.heartbeat
      heartbeat.lose()
      return [.disconnect(.goingAway)] + write(.heartbeat(heartbeat)) + [.tell(.heartbeat(seconds: heartbeat.interval))]
        + again
    case .live: return ping(isProbe: false, at)
    case .connecting, .ended: return []
    }
  }
}
