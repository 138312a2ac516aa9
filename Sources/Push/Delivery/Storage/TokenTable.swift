public import Store

/// The tokens by which senders name devices, and the apps that they belong to.
extension Database {
  /// The holder of a token.
  public enum TokenHolder: Equatable, Sendable {
    case device(Int, app: String?)
    /// The device was removed then, in seconds since 1970.
    case gone(since: Double)
  }

  /// The device of a token; nil for a token that nobody has had, or that was removed too long ago.
  public func holder(ofToken token: [UInt8]) throws(StoreError) -> TokenHolder? {
    let found = try first(
      """
      SELECT d.id, a.app FROM push_devices d LEFT JOIN push_apps a ON a.device = d.id
      WHERE d.token = ? AND d.removed_at IS NULL
      """, .blob(token), read: { TokenHolder.device($0.int(0), app: $0.optionalText(1)) })
    if let found { return found }
    return try first(
      "SELECT at FROM push_gone_tokens WHERE token = ?", .blob(token), read: { .gone(since: $0.double(0)) })
  }

  /// Gives a device another token; senders that use the old one hear since when it is gone.
  public func changeToken(_ token: [UInt8], ofDevice id: Int, now: Double) throws(StoreError) {
    try endToken(ofDevice: id, now: now)
    try run("UPDATE push_devices SET token = ? WHERE id = ?", .blob(token), .int(id))
  }

  /// Remembers since when the token of a device is gone.
  func endToken(ofDevice id: Int, now: Double) throws(StoreError) {
    try run(
      """
      INSERT INTO push_gone_tokens (token, at)
        SELECT token, ? FROM push_devices WHERE id = ? AND token IS NOT NULL AND removed_at IS NULL
        ON CONFLICT (token) DO NOTHING
      """, .double(now), .int(id))
  }

  /// Says to which app a device's token belongs.
  public func setApp(_ app: String, ofDevice id: Int) throws(StoreError) {
    try run(
      "INSERT INTO push_apps (device, app) VALUES (?, ?) ON CONFLICT (device) DO UPDATE SET app = excluded.app",
      .int(id), .text(app))
  }

  /// The apps of the devices that belong to one.
  public func pushApps() throws(StoreError) -> [Int: String] {
    let found = try rows("SELECT device, app FROM push_apps", read: { ($0.int(0), $0.text(1)) })
    return Dictionary(found) { first, _ in first }
  }
}
