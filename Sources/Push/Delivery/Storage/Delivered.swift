import Store

/// The state of a delivery, as in its column.
enum DeliveryState: Int {
  case show = 0
  case withdraw = 1
  /// Nothing more is sent, whatever comes.
  case closed = 2
  /// It came in quiet hours. Nothing is sent, unless it rings again.
  case quiet = 3
}

/// One row of `push_deliveries`, to be changed.
struct Delivered {
  let notification: Int
  let device: Int
  var channel: ChannelKind
  var wanted: Int
  var acknowledged: Int
  var state: DeliveryState
  var collapse: String?
  /// The reason for the withdrawal.
  var reason: DeliveryReason?
  var attempts: Int
  var nextAt: Double?
  var events: EventLines
  /// The newest version with which the device rings.
  var rung: Int
  /// True if the device may show an older one, in whose place this one is to come.
  var replaces: Bool
  /// How often it rang again.
  var rings: Int
  /// Its place among those with its collapse id, if that is not its notification's id.
  var sequence: Int?

  static let select = """
    SELECT notification, device, channel, wanted, acknowledged, state, collapse, reason, attempts, next_at, events,
      rung, replaces, rings, sequence
    FROM push_deliveries
    """

  init(_ row: Row) {
    notification = row.int(0)
    device = row.int(1)
    channel = ChannelKind(rawValue: row.int(2)) ?? .gateway
    wanted = row.int(3)
    acknowledged = row.int(4)
    state = DeliveryState(rawValue: row.int(5)) ?? .closed
    collapse = row.optionalText(6)
    reason = row.optionalText(7).flatMap(DeliveryReason.init)
    attempts = row.int(8)
    nextAt = row.optionalDouble(9)
    events = EventLines(row.text(10))
    rung = row.int(11)
    replaces = row.bool(12)
    rings = row.int(13)
    sequence = row.optionalInt(14)
  }

  /// True if the device rings when it gets this one, and does not only change or remove what it shows.
  var willRing: Bool { state == .show && acknowledged < rung }

  var isPending: Bool { acknowledged < wanted }

  /// True if, as far as we know, the device shows neither it nor an older one in whose place it is to come.
  var isUnseen: Bool {
    // A service that has not answered may have passed it on.
    acknowledged == 0 && !replaces && !events.events.contains { $0.reason == .unanswered }
  }
}

extension Database {
  /// Closes a delivery: nothing more is sent.
  func close(_ delivery: inout Delivered) throws(StoreError) {
    delivery.state = .closed
    delivery.acknowledged = delivery.wanted
    delivery.collapse = nil
    delivery.nextAt = nil
    try save(delivery)
  }

  func save(_ delivery: Delivered) throws(StoreError) {
    try run(
      """
      UPDATE push_deliveries SET wanted = ?, acknowledged = ?, state = ?, collapse = ?, reason = ?, attempts = ?,
        next_at = ?, events = ?, rung = ?, replaces = ?, rings = ?, sequence = ?
        WHERE notification = ? AND device = ? AND channel = ?
      """, .int(delivery.wanted), .int(delivery.acknowledged), .int(delivery.state.rawValue),
      Value(delivery.collapse), Value(delivery.reason?.rawValue), .int(delivery.attempts), Value(delivery.nextAt),
      .text(delivery.events.text), .int(delivery.rung), .int(delivery.replaces ? 1 : 0),
      .int(delivery.rings), Value(delivery.sequence), .int(delivery.notification), .int(delivery.device),
      .int(delivery.channel.rawValue))
    lookAgain(delivery)
  }

  func delivery(_ notification: Int, _ device: Int, _ channel: ChannelKind) throws(StoreError) -> Delivered? {
    try first(
      "\(Delivered.select) WHERE notification = ? AND device = ? AND channel = ?", .int(notification), .int(device),
      .int(channel.rawValue), read: Delivered.init)
  }
}
