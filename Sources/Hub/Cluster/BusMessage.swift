import Wire

/// A live event on its way to the listeners of other hubs.
struct PassedEvent: Sendable {
  var event: String
  var channel: String
  /// The number of the change that it reports.
  var commit: Int?
  var data: JSON
}

/// A message between hubs: what a transaction has told listeners, or, without a number, an event of no change.
struct BusMessage: Sendable {
  /// The number of the transaction's last change.
  var number: Int?
  var events: [PassedEvent]

  /// The longest message; NATS takes up to 1 MB. Of longer ones only the number is told.
  static let bytes = 512 << 10

  init(number: Int?, _ events: [PassedEvent]) {
    self.number = number
    self.events = events
  }

  /// Nil for bytes that are no message.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return nil }
    number = json["number"]?.int
    events = (json["events"]?.array ?? []).compactMap { one in
      guard let channel = one["channel"]?.string, let event = one["event"]?.string else { return nil }
      return PassedEvent(event: event, channel: channel, commit: one["commit"]?.int, data: one["data"] ?? .null)
    }
  }

  var json: JSON {
    let list = events.map { one -> JSON in
      [
        "channel": .string(one.channel), "event": .string(one.event), "commit": one.commit.map { .int($0) } ?? .null,
        "data": one.data,
      ]
    }
    return ["number": number.map { .int($0) } ?? .null, "events": .array(list)]
  }
}
