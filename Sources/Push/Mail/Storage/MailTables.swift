import Crypto
import Delivery
public import Store

/// A person's mailbox.
public struct Mailbox: Equatable, Sendable {
  /// The device that stands for it in queues and traces.
  public var device: Int
  public var person: Int
  public var address: MailAddress
  /// Seconds after which a notification that was not seen is mailed.
  public var afterSeconds: Double
  /// The second since 1970 in which it was asked about, or one later: no two mails of a mailbox name the same.
  public var askedAt: Int
  public var isConfirmed: Bool
  /// The address that takes the place of a confirmed one as soon as it is confirmed itself.
  public var wanted: MailAddress?
  /// The person's language, such as "de"; nil as long as it is not known: then mails are in the hub's.
  public var language: String?
  /// The address that waits for its confirmation.
  public var unconfirmed: MailAddress? { wanted ?? (isConfirmed ? nil : address) }
}

/// The tables of mail; those of `PushTables` come before them.
public enum MailTables {
  public static let migrations = [
    Migration(
      room: "mail", number: 1,
      sql: """
        CREATE TABLE mail_keys (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE mail_boxes (
          device INTEGER PRIMARY KEY REFERENCES push_devices ON DELETE CASCADE, person INTEGER NOT NULL,
          address TEXT NOT NULL, after_seconds REAL NOT NULL, asked_at INTEGER NOT NULL, confirmed_at REAL);
        CREATE UNIQUE INDEX mail_boxes_person ON mail_boxes (person)
        """),
    Migration(room: "mail", number: 2, sql: "ALTER TABLE mail_boxes ADD COLUMN wanted TEXT"),
    Migration(room: "mail", number: 3, sql: "ALTER TABLE mail_boxes ADD COLUMN language TEXT"),
  ]
}

extension Database {
  /// The key that signs links; made at the first call, which must be in a write.
  public func mailLinks() throws(StoreError) -> MailLinks {
    if let kept = try first("SELECT bytes FROM mail_keys WHERE name = 'links'", read: { $0.blob(0) }) {
      return MailLinks(key: kept)
    }
    let bytes = Digest.random(MailLinks.keyBytes)
    try run("INSERT INTO mail_keys (name, bytes) VALUES ('links', ?)", .blob(bytes))
    return MailLinks(key: bytes)
  }

  /// Keeps the address that a person wants to be mailed at, which is not used until it is confirmed; one that is
  /// confirmed already is used meanwhile.
  /// - Returns: nil if the person has as many devices as allowed.
  public func saveMailbox(
    of person: Int, _ address: MailAddress, afterSeconds: Double, language: String? = nil, now: Double
  ) throws(StoreError) -> Mailbox? {
    try forgetRemovedDevices(in: "mail_boxes")
    if let kept = try mailbox(ofPerson: person) {
      let isWanted = kept.isConfirmed && kept.address != address
      try run(
        """
        UPDATE mail_boxes SET address = ?, wanted = ?, after_seconds = ?, language = ?, asked_at = asked_at + 1
        WHERE device = ?
        """, .text(isWanted ? kept.address.text : address.text), isWanted ? .text(address.text) : .null,
        .double(afterSeconds), Value(language), .int(kept.device))
      return try mailbox(device: kept.device)
    }
    let device = PushDevice(name: "Mail", kind: .mailbox, person: person, channels: [], createdAt: now)
    guard let id = try addPushDevice(device) else { return nil }
    try run(
      "INSERT INTO mail_boxes (device, person, address, after_seconds, language, asked_at) VALUES (?, ?, ?, ?, ?, ?)",
      .int(id), .int(person), .text(address.text), .double(afterSeconds), Value(language), .int(Int(now)))
    return try mailbox(device: id)
  }

  /// Begins another confirmation: links of earlier mails are void, also those of the same second.
  /// - Returns: what the link is to name.
  public func askAgain(mailbox device: Int, now: Double) throws(StoreError) -> Int {
    let next = try first(
      """
      UPDATE mail_boxes SET asked_at = CASE WHEN asked_at < ? THEN ? ELSE asked_at + 1 END WHERE device = ?
      RETURNING asked_at
      """, .int(Int(now)), .int(Int(now)), .int(device), read: { $0.int(0) })
    return next ?? Int(now)
  }

  /// Has the mailbox used from now on, with the address that was asked about.
  public func confirmMailbox(_ device: Int, now: Double) throws(StoreError) {
    try run(
      "UPDATE mail_boxes SET address = COALESCE(wanted, address), wanted = NULL, confirmed_at = ? WHERE device = ?",
      .double(now), .int(device))
    try setChannel(.mail, ofDevice: device, isOn: true, now: now)
  }

  /// At the start of a hub: without a mail server nothing waits for one, and with one confirmed mailboxes are used.
  public func useMailboxes(_ areUsed: Bool, now: Double) throws(StoreError) {
    let devices = try rows(
      "SELECT device FROM mail_boxes WHERE confirmed_at IS NOT NULL ORDER BY device", read: { $0.int(0) })
    for device in devices where try pushDevice(device).map({ $0.channels.contains(.mail) != areUsed }) ?? false {
      try setChannel(.mail, ofDevice: device, isOn: areUsed, now: now)
    }
  }

  /// - Returns: false if the person has none.
  public func removeMailbox(ofPerson person: Int, now: Double) throws(StoreError) -> Bool {
    guard let mailbox = try mailbox(ofPerson: person) else { return false }
    try run("DELETE FROM mail_boxes WHERE device = ?", .int(mailbox.device))
    try removePushDevice(mailbox.device, now: now)
    return true
  }

  public func mailbox(device: Int) throws(StoreError) -> Mailbox? {
    try first("\(Self.selectMailbox) AND m.device = ?", .int(device), read: Self.mailbox) ?? nil
  }

  public func mailbox(ofPerson person: Int) throws(StoreError) -> Mailbox? {
    try first("\(Self.selectMailbox) AND m.person = ?", .int(person), read: Self.mailbox) ?? nil
  }

  private static let selectMailbox = """
    SELECT m.device, m.person, m.address, m.after_seconds, m.asked_at, m.confirmed_at, m.wanted, m.language
      FROM mail_boxes m JOIN push_devices d ON d.id = m.device WHERE d.removed_at IS NULL
    """

  private static func mailbox(_ row: Row) -> Mailbox? {
    guard let address = MailAddress(row.text(2)) else { return nil }
    return Mailbox(
      device: row.int(0), person: row.int(1), address: address, afterSeconds: row.double(3), askedAt: row.int(4),
      isConfirmed: !row.isNull(5), wanted: MailAddress(row.text(6)), language: row.optionalText(7))
  }
}
