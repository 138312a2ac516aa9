public import Store

/// Drills: the last one of each room.
public enum DrillTable {
  /// `notification` is what the device was rung with, whose trace tells if it was there.
  public static let migration = Migration(
    room: "drills", number: 1,
    sql: """
      CREATE TABLE push_drills (
        drill INTEGER NOT NULL, room TEXT NOT NULL, device INTEGER NOT NULL REFERENCES push_devices ON DELETE CASCADE,
        notification INTEGER NOT NULL, at REAL NOT NULL, answered_at REAL, PRIMARY KEY (device, drill));
      CREATE INDEX push_drills_room ON push_drills (room, drill)
      """)
}

extension Database {
  /// The devices of the recipients that can be heard: no stranger's browser, no other program's server and no mailbox,
  /// and none that nothing reaches.
  /// - Returns: the devices, in the order of the recipients, and the persons who have none.
  public func audibleDevices(
    of recipients: [Recipient]
  ) throws(StoreError) -> (devices: [PushDevice], without: [Int]) {
    let targets = try targets(of: recipients)
    var devices: [PushDevice] = []
    for target in targets.devices {
      if let device = try pushDevice(target.id), device.isAudible { devices.append(device) }
    }
    let heard = Set(devices.compactMap(\.person))
    return (devices, targets.persons.filter { !heard.contains($0) })
  }

  /// The number of the next drill. It takes the place of the room's last one.
  /// - Returns: also the notifications of that one, which nobody can answer any more.
  public func beginDrill(of room: String) throws(StoreError) -> (drill: Int, replaced: [Int]) {
    let last = try first("SELECT max(drill) FROM push_drills", read: { $0.int(0) }) ?? 0
    let replaced = try rows("SELECT notification FROM push_drills WHERE room = ?", .text(room)) { $0.int(0) }
    try run("DELETE FROM push_drills WHERE room = ?", .text(room))
    return (last + 1, replaced)
  }

  /// Notes that a drill rings a device.
  public func addToDrill(
    _ drill: Int, of room: String, device: Int, notification: Int, now: Double
  ) throws(StoreError) {
    try run(
      "INSERT INTO push_drills (drill, room, device, notification, at) VALUES (?, ?, ?, ?, ?)", .int(drill),
      .text(room), .int(device), .int(notification), .double(now))
  }

  /// Notes that somebody has answered.
  /// - Returns: the room; nil for a device that was not rung, or has answered before.
  public func answerDrill(_ drill: Int, device: Int, now: Double) throws(StoreError) -> String? {
    try first(
      """
      UPDATE push_drills SET answered_at = ? WHERE drill = ? AND device = ? AND answered_at IS NULL RETURNING room
      """, .double(now), .int(drill), .int(device), read: { $0.text(0) })
  }

  /// The devices of a room's last drill, in the order in which they were added to the hub.
  /// - Parameter since: none of an older drill.
  public func lastDrill(of room: String, since: Double = 0) throws(StoreError) -> [DrilledDevice] {
    let found = try rows(
      """
      SELECT r.drill, r.device, d.name, d.person, r.at, r.answered_at, r.notification FROM push_drills r
      JOIN push_devices d ON d.id = r.device
      WHERE r.room = ? AND r.at >= ? AND d.removed_at IS NULL
        AND r.drill = (SELECT max(drill) FROM push_drills WHERE room = ?)
      ORDER BY r.device
      """, .text(room), .double(since), .text(room)
    ) { row in
      (
        DrilledDevice(
          drill: row.int(0), device: row.int(1), name: row.text(2), person: row.optionalInt(3), at: row.double(4),
          answeredAt: row.optionalDouble(5)), row.int(6)
      )
    }
    var devices: [DrilledDevice] = []
    for (var device, notification) in found {
      device.rangAt = try shownAt(notification, on: device.device)
      if device.rangAt == nil { device.rangAt = device.answeredAt }
      devices.append(device)
    }
    return devices
  }

  /// When a device first told that it has a notification.
  private func shownAt(_ notification: Int, on device: Int) throws(StoreError) -> Double? {
    try rows(
      "SELECT events FROM push_deliveries WHERE notification = ? AND device = ?", .int(notification), .int(device),
      read: { EventLines($0.text(0)).events }
    ).joined().filter(Self.isThere).map(\.at).min()
  }

  private static func isThere(_ event: TraceEvent) -> Bool { [.delivered, .shown, .acted].contains(event.what) }

  /// The devices that had one of the notifications with a room's collapse id since a time, as they have told.
  public func devicesReached(by collapseID: String, of room: String, since: Double) throws(StoreError) -> Set<Int> {
    let deliveries = try rows(
      """
      SELECT d.device, d.events FROM push_notifications n JOIN push_deliveries d ON d.notification = n.id
      WHERE n.at >= ? AND n.collapse = ?
      """, .double(since), .text("\(RoomCollapse.prefix)\(room)/\(collapseID)")
    ) { row in
      (device: row.int(0), events: EventLines(row.text(1)).events)
    }
    return Set(deliveries.filter { $0.events.contains(where: Self.isThere) }.map(\.device))
  }
}
