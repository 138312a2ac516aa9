public import Store

/// The devices that can be rung.
extension Database {
  /// Adds a device.
  /// - Parameters:
  ///   - secretDigest: SHA-256 of the secret with which it connects to the gateway; nil for one that does not.
  ///   - token: 32 bytes by which senders may name it instead of its number; nil for none.
  /// - Returns: its number; nil if there are as many as allowed, of this person or address, or of strangers together.
  public func addPushDevice(
    _ device: PushDevice, secretDigest: [UInt8]? = nil, token: [UInt8]? = nil
  ) throws(StoreError) -> Int? {
    guard try hasRoom(for: device) else { return nil }
    let id = try inserted(
      """
      INSERT INTO push_devices (name, kind, person, browser, zone, channels, address, secret, token, created_at,
        seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(device.name), .text(device.kind.rawValue), Value(device.person), Value(device.browser),
      Value(device.zone), .int(Self.bits(device.channels)), Value(device.address), Value(secretDigest), Value(token),
      .double(device.createdAt), .double(device.seenAt))
    // Hooks and what is planned name a device by its number for longer than its row is kept.
    return try neverReused(id, of: "push_devices")
  }

  private func hasRoom(for device: PushDevice) throws(StoreError) -> Bool {
    if device.kind == .stranger {
      // Removed ones count while their rows are kept: whoever comes and goes would fill the disk.
      let all = try first("SELECT count(*) FROM push_devices WHERE kind = 'stranger'", read: { $0.int(0) })
      let near = try first(
        "SELECT count(*) FROM push_devices WHERE kind = 'stranger' AND address = ?", Value(device.address ?? ""),
        read: { $0.int(0) })
      return all ?? 0 < DeliveryLimits.strangers && near ?? 0 < DeliveryLimits.strangersPerAddress
    }
    guard let person = device.person else { return true }
    let own = try first(
      "SELECT count(*) FROM push_devices WHERE person = ? AND removed_at IS NULL", .int(person), read: { $0.int(0) })
    return own ?? 0 < DeliveryLimits.devicesPerPerson
  }

  /// A device that was not removed.
  public func pushDevice(_ id: Int) throws(StoreError) -> PushDevice? {
    try first("\(Self.selectDevices) WHERE id = ? AND removed_at IS NULL", .int(id), read: Self.device)
  }

  public func pushDevice(secretDigest: [UInt8]) throws(StoreError) -> PushDevice? {
    try first("\(Self.selectDevices) WHERE secret = ? AND removed_at IS NULL", .blob(secretDigest), read: Self.device)
  }

  public func pushDevice(token: [UInt8]) throws(StoreError) -> PushDevice? {
    try first("\(Self.selectDevices) WHERE token = ? AND removed_at IS NULL", .blob(token), read: Self.device)
  }

  /// The device of a signed-in browser, by the hub's number of that.
  public func pushDevice(browser: Int) throws(StoreError) -> PushDevice? {
    try first("\(Self.selectDevices) WHERE browser = ? AND removed_at IS NULL", .int(browser), read: Self.device)
  }

  /// All devices of a person, or of everybody.
  public func pushDevices(ofPerson person: Int? = nil) throws(StoreError) -> [PushDevice] {
    guard let person else { return try rows("\(Self.selectDevices) WHERE removed_at IS NULL", read: Self.device) }
    return try rows(
      "\(Self.selectDevices) WHERE person = ? AND removed_at IS NULL ORDER BY id", .int(person), read: Self.device)
  }

  /// All devices of a kind.
  public func pushDevices(of kind: PushDevice.Kind) throws(StoreError) -> [PushDevice] {
    try rows(
      "\(Self.selectDevices) WHERE kind = ? AND removed_at IS NULL ORDER BY id", .text(kind.rawValue),
      read: Self.device)
  }

  /// Records that a device was there, and its zone if it told one. A clock that is not set yet tells no time: once it
  /// is set, a stranger's device would be removed.
  /// - Returns: false if it was removed.
  @discardableResult
  public func notePushDevice(_ id: Int, seenAt now: Double, zone: String? = nil) throws(StoreError) -> Bool {
    // Notifications that the quiet hours of another zone hold back are looked at anew.
    if let zone, try pushDevice(id)?.zone != zone { try lookAtHeld("= ?", id) }
    let latest = now < DeliveryLimits.earliest ? now : Double.greatestFiniteMagnitude
    return try first(
      """
      UPDATE push_devices SET seen_at = CASE WHEN seen_at > ? THEN seen_at ELSE ? END, zone = coalesce(?, zone)
      WHERE id = ? AND removed_at IS NULL RETURNING id
      """, .double(latest), .double(now), Value(zone), .int(id), read: { _ in true }) ?? false
  }

  public func renamePushDevice(_ id: Int, to name: String) throws(StoreError) {
    try run("UPDATE push_devices SET name = ? WHERE id = ?", .text(name), .int(id))
  }

  /// Gives the device another secret, or another way to be rung. With a new secret the old one is invalid.
  public func changePushDevice(_ id: Int, secretDigest: [UInt8]) throws(StoreError) {
    try run("UPDATE push_devices SET secret = ? WHERE id = ?", .blob(secretDigest), .int(id))
  }

  static func bits(_ channels: Set<ChannelKind>) -> Int { channels.reduce(0) { $0 | 1 << $1.rawValue } }
  static func channels(_ bits: Int) -> Set<ChannelKind> {
    Set(ChannelKind.allCases.filter { bits & 1 << $0.rawValue != 0 })
  }

  private static let selectDevices = """
    SELECT id, name, kind, person, browser, zone, channels, address, created_at, seen_at FROM push_devices
    """

  private static func device(_ row: Row) -> PushDevice {
    var device = PushDevice(
      id: row.int(0), name: row.text(1), kind: PushDevice.Kind(rawValue: row.text(2)) ?? .stranger,
      person: row.optionalInt(3), browser: row.optionalInt(4), zone: row.optionalText(5),
      channels: channels(row.int(6)), address: row.optionalText(7), createdAt: row.double(8))
    device.seenAt = row.double(9)
    return device
  }
}
