import Delivery
package import Store

/// Files that were sent to be attached to notifications, besides their blobs.
enum AttachmentTable {
  static let migration = Migration(
    room: "bells", number: 1,
    sql: """
      CREATE TABLE bells_attachments (
        -- Whoever knows it may fetch the file: 32 hexadecimal digits, at random.
        name TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        size INTEGER NOT NULL,
        -- Who sent it, as notifications name their senders.
        sender TEXT NOT NULL,
        -- When it may be removed, in seconds since 1970.
        keep_until REAL NOT NULL
      );
      CREATE INDEX bells_attachments_keep_until ON bells_attachments (keep_until)
      """)

  /// The files that the hub has fetched, by the addresses in notifications.
  static let fetched = Migration(
    room: "bells", number: 2,
    sql: """
      CREATE TABLE bells_media (
        notification INTEGER NOT NULL, address TEXT NOT NULL,
        name TEXT NOT NULL REFERENCES bells_attachments ON DELETE CASCADE, PRIMARY KEY (notification, address));
      CREATE INDEX bells_media_name ON bells_media (name)
      """)
}

/// A file that is or will be attached to notifications.
struct KeptAttachment: Equatable, Sendable {
  var name: String
  /// Its media type, by its content.
  var type: String
  /// Bytes.
  var size: Int

  var blob: BlobName { Self.blob(name) }
  static func blob(_ name: String) -> BlobName { BlobName(room: BellsRoom.id, "attachment/\(name)") }
}

extension Database {
  func attachment(_ name: String) throws(StoreError) -> KeptAttachment? {
    try first("SELECT type, size FROM bells_attachments WHERE name = ?", .text(name)) {
      KeptAttachment(name: name, type: $0.text(0), size: $0.int(1))
    }
  }

  func save(_ attachment: KeptAttachment, of blob: Blob, sender: String, until: Double) throws(StoreError) {
    try name(blob, as: attachment.blob)
    try save(attachment, sender: sender, until: until)
  }

  /// Keeps one whose blob has its name already.
  func save(_ attachment: KeptAttachment, sender: String, until: Double) throws(StoreError) {
    try run(
      "INSERT INTO bells_attachments (name, type, size, sender, keep_until) VALUES (?, ?, ?, ?, ?)",
      .text(attachment.name), .text(attachment.type), .int(attachment.size), .text(sender), .double(until))
  }

  /// The file that was fetched from an address in a notification.
  func media(of notification: Int, at address: String) throws(StoreError) -> KeptAttachment? {
    let name = try first(
      "SELECT name FROM bells_media WHERE notification = ? AND address = ?", .int(notification), .text(address),
      read: { $0.text(0) })
    return try name.flatMap { name throws(StoreError) in try attachment(name) }
  }

  func save(media: KeptAttachment, of notification: Int, at address: String) throws(StoreError) {
    try run(
      """
      INSERT INTO bells_media (notification, address, name) VALUES (?, ?, ?)
      ON CONFLICT (notification, address) DO UPDATE SET name = excluded.name
      """, .int(notification), .text(address), .text(media.name))
  }

  /// Keeps a file until a notification with it is forgotten.
  func keep(attachment name: String, until: Double) throws(StoreError) {
    try run(
      "UPDATE bells_attachments SET keep_until = ? WHERE name = ? AND keep_until < ?", .double(until), .text(name),
      .double(until))
  }

  /// Bytes of all files, and of one sender's.
  func attachmentBytes(of sender: String) throws(StoreError) -> (all: Int, sender: Int) {
    try first(
      """
      SELECT coalesce(sum(size), 0), coalesce(sum(CASE WHEN sender = ? THEN size ELSE 0 END), 0)
      FROM bells_attachments
      """, .text(sender)
    ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
  }

  /// Makes room for so many more bytes of a sender: a doorbell sends pictures for years, and has to ring. The files of
  /// notifications that are over first go, but none that something waiting names, or that waits for its notification.
  /// - Parameter until: only files that would be kept less long go.
  /// - Returns: false if that is not enough; nothing is removed then.
  func makeRoom(
    forAttachment bytes: Int, of sender: String, until: Double, now: Double
  ) throws(StoreError) -> Bool {
    let used = try attachmentBytes(of: sender)
    var all = used.all + bytes - BellsLimits.attachmentsInAll
    var own = used.sender + bytes - BellsLimits.attachmentsOfOne
    if max(all, own) <= 0 { return true }
    let oldest = try rows(
      """
      SELECT name, size, sender = ? FROM bells_attachments WHERE keep_until > ? AND keep_until < ? ORDER BY keep_until
      """, .text(sender), .double(now + BellsLimits.attachmentWaits), .double(until)
    ) { (name: $0.text(0), size: $0.int(1), isOwn: $0.bool(2)) }.filter { all > 0 || $0.isOwn }
    let awaited = try scheduled(naming: Set(oldest.map(\.name)))
    var gone: [String] = []
    for one in oldest where !awaited.contains(one.name) && (all > 0 || one.isOwn && own > 0) {
      gone.append(one.name)
      all -= one.size
      if one.isOwn { own -= one.size }
    }
    guard max(all, own) <= 0 else { return false }
    for name in gone {
      try run("DELETE FROM bells_attachments WHERE name = ?", .text(name))
      try removeName(KeptAttachment.blob(name))
    }
    return true
  }

  func hasAttachments() throws(StoreError) -> Bool {
    try first("SELECT 1 FROM bells_attachments LIMIT 1", read: { _ in true }) ?? false
  }

  /// The files that no notification needs any more but, where `isAwaited`, one that waits for its time: a rule's days
  /// go on for years, and what was planned can be put off. The oldest come first.
  package func outdatedAttachments(now: Double) throws(StoreError) -> [(name: String, isAwaited: Bool)] {
    let names = try rows(
      "SELECT name FROM bells_attachments WHERE keep_until < ? ORDER BY keep_until LIMIT ?", .double(now),
      .int(BellsLimits.attachmentsRemoved)
    ) { $0.text(0) }
    let awaited = try scheduled(naming: Set(names))
    return names.map { (name: $0, isAwaited: awaited.contains($0)) }
  }

  /// Removes a file, unless it is kept longer since it was found: a notification that came meanwhile names it.
  /// - Parameter now: when `outdatedAttachments` found it.
  package func remove(attachment name: String, outdatedAt now: Double) throws(StoreError) {
    let isRemoved = try first(
      "DELETE FROM bells_attachments WHERE name = ? AND keep_until < ? RETURNING name", .text(name), .double(now),
      read: { _ in true })
    if isRemoved != nil { try removeName(KeptAttachment.blob(name)) }
  }
}
