import Delivery
public import Store

/// The registrations of apps on Apple's systems: one for each device.
extension Database {
  /// Keeps the registration of a device, instead of an earlier one. Apple's service rings it from now on, instead of
  /// the gateway, to which such an app is not always connected. An app that has become another device takes its
  /// registration along.
  /// - Returns: false if it is registered just so already, and nothing was changed but its time.
  @discardableResult
  public func saveAppleRegistration(_ registration: AppleRegistration, now: Double) throws(StoreError) -> Bool {
    let other = try first(
      "SELECT device FROM apple_registrations WHERE token = ? AND topic = ? AND environment = ? AND device <> ?",
      .blob(registration.token), .text(registration.topic), .text(registration.environment.rawValue),
      .int(registration.device), read: { $0.int(0) })
    if let other { try endAppleRegistration(ofDevice: other, now: now) }
    let before = try appleRegistration(ofDevice: registration.device)
    try run(
      """
      INSERT INTO apple_registrations (device, token, topic, environment, registered_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (device) DO UPDATE SET token = excluded.token, topic = excluded.topic,
          environment = excluded.environment, registered_at = excluded.registered_at, failure = NULL
      """, .int(registration.device), .blob(registration.token), .text(registration.topic),
      .text(registration.environment.rawValue), .double(now))
    if before == nil {
      try moveChannel(ofDevice: registration.device, from: .gateway, to: .apns, now: now)
    }
    return before?.token != registration.token || before?.topic != registration.topic
      || before?.environment != registration.environment
  }

  /// Ends the registration of a device, which is rung at the gateway again.
  /// - Returns: false if it has none.
  @discardableResult
  public func endAppleRegistration(ofDevice device: Int, now: Double) throws(StoreError) -> Bool {
    let isEnded = try first(
      "DELETE FROM apple_registrations WHERE device = ? RETURNING device", .int(device), read: { _ in true })
    guard isEnded == true else { return false }
    try moveChannel(ofDevice: device, from: .apns, to: .gateway, now: now)
    return true
  }

  public func appleRegistration(ofDevice device: Int) throws(StoreError) -> AppleRegistration? {
    try first("\(Self.selectRegistrations) WHERE device = ?", .int(device), read: Self.registration)
  }

  public func appleRegistrations() throws(StoreError) -> [AppleRegistration] {
    try rows("\(Self.selectRegistrations) ORDER BY device", read: Self.registration)
  }

  private static let selectRegistrations = """
    SELECT device, token, topic, environment, registered_at, failure FROM apple_registrations
    """

  private static func registration(_ row: Row) -> AppleRegistration {
    AppleRegistration(
      device: row.int(0), token: row.blob(1), topic: row.text(2),
      environment: AppleEnvironment(rawValue: row.text(3)) ?? .production, registeredAt: row.double(4),
      failure: row.optionalText(5))
  }
}
