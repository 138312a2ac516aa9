import Store

/// A device of a recipient.
struct Target {
  var id: Int
  var channels: Int
  var zone: String?
  var person: Int?
  var quiet: QuietHours?

  init(_ row: Row) {
    id = row.int(0)
    channels = row.int(1)
    zone = row.optionalText(2)
    person = row.optionalInt(3)
    if !row.isNull(4) { quiet = QuietHours(from: row.int(4), to: row.int(5), zone: row.text(6)) }
  }

  /// The event of holding the notification back, if it is quiet here now and it does not pass quiet hours; else nil.
  func quietNow(_ version: Int, isCritical: Bool, now: Double) -> TraceEvent? {
    guard !isCritical, let end = quiet?.end(at: now, deviceZone: zone) else { return nil }
    return TraceEvent(.suppressed, at: now, version: version, reason: .quietHours, detail: end)
  }

  static let select = """
    SELECT d.id, d.channels, d.zone, d.person, p.quiet_from, p.quiet_to, p.zone FROM push_devices d
    LEFT JOIN push_people p ON p.person = d.person
    """
}

/// Finds the devices and persons that a notification is for.
extension Database {
  /// The devices of the recipients, each once, and the persons in whose lists the notification stands.
  func targets(of recipients: [Recipient]) throws(StoreError) -> (devices: [Target], persons: [Int]) {
    var devices: [Target] = []
    var persons: [Int] = []
    for recipient in recipients {
      switch recipient {
      case .device(let id):
        devices += try rows("\(Target.select) WHERE d.id = ? AND d.removed_at IS NULL", .int(id), read: Target.init)
      case .person(let id):
        persons.append(id)
        devices += try rows(
          "\(Target.select) WHERE d.person = ? AND d.removed_at IS NULL", .int(id), read: Target.init)
      case .role: break  // resolved before
      case .topic(let topic):
        persons += try rows(
          "SELECT person FROM push_subscriptions WHERE topic = ? AND person > 0", .text(topic), read: { $0.int(0) })
        devices += try rows(
          """
          \(Target.select) JOIN push_subscriptions s ON s.person = d.person
            WHERE s.topic = ? AND s.person > 0 AND d.removed_at IS NULL
          """, .text(topic), read: Target.init)
        devices += try rows(
          """
          \(Target.select) JOIN push_subscriptions s ON s.device = d.id
            WHERE s.topic = ? AND s.device > 0 AND d.removed_at IS NULL
          """, .text(topic), read: Target.init)
      }
    }
    persons += devices.compactMap(\.person)
    if devices.count < 2 && persons.count < 2 { return (devices, persons) }
    var known: Set<Int> = []
    devices = devices.filter { known.insert($0.id).inserted }
    known = []
    return (devices, persons.filter { known.insert($0).inserted })
  }

  /// A device that was not removed.
  func target(_ device: Int) throws(StoreError) -> Target? {
    try first("\(Target.select) WHERE d.id = ? AND d.removed_at IS NULL", .int(device), read: Target.init)
  }
}
