import Receiving
import Store
import Uploads

/// The tables of uploads and of copies.
enum UploadTables {
  static let rows = UploadRows(
    of: AlbumsRoom.id, in: "albums_uploads",
    isAbandoned: "album IN (SELECT id FROM albums_albums WHERE deleted_at > 0)")

  static let migrations = [
    Migration(
      room: "albums", number: 2,
      sql: """
        -- What has come of them is the store's: blob_parts.
        CREATE TABLE albums_uploads (
          address TEXT PRIMARY KEY,
          album INTEGER NOT NULL REFERENCES albums_albums (id) ON DELETE CASCADE,
          guest INTEGER NOT NULL REFERENCES albums_guests (id) ON DELETE CASCADE,
          size INTEGER NOT NULL,
          metadata TEXT NOT NULL,
          preview BLOB,
          preview_width INTEGER,
          preview_height INTEGER,
          placeholder BLOB,
          -- The id of the picture that it has become.
          picture TEXT,
          expires REAL NOT NULL
        ) \(Database.inKeyOrder);
        CREATE INDEX albums_uploads_album ON albums_uploads (album);
        CREATE INDEX albums_uploads_guest ON albums_uploads (guest, picture);
        CREATE INDEX albums_uploads_expires ON albums_uploads (expires);
        CREATE TABLE albums_copies (
          picture INTEGER PRIMARY KEY REFERENCES albums_pictures (id) ON DELETE CASCADE,
          file TEXT NOT NULL
        );
        """)
  ]
}

extension Database {
  private static let uploadColumns =
    "\(UploadRows.columns), album, guest, preview, preview_width, preview_height, placeholder"

  private static func pendingUpload(_ row: Row) -> PendingUpload? {
    guard let open = UploadTables.rows.open(row), let details = try? SentDetails(open.metadata) else { return nil }
    var upload = PendingUpload(open: open, album: row.int(5), guest: row.int(6), details: details)
    if !row.isNull(7) {
      upload.preview = SentPreview(
        bytes: row.blob(7), width: row.int(8), height: row.int(9), placeholder: row.blob(10))
    }
    return upload
  }

  /// An upload of a guest, unfinished or just finished.
  func pendingUpload(_ address: String, of guest: Int) throws(StoreError) -> PendingUpload? {
    try first(
      "SELECT \(Self.uploadColumns) FROM albums_uploads WHERE address = ? AND guest = ?", .text(address), .int(guest),
      read: Self.pendingUpload) ?? nil
  }

  func add(_ upload: PendingUpload) throws(StoreError) {
    try run(
      "INSERT INTO albums_uploads (address, album, guest, size, metadata, expires) VALUES (?, ?, ?, ?, ?, ?)",
      .text(upload.open.address), .int(upload.album), .int(upload.guest), .int(upload.open.size),
      .text(upload.open.metadata.text), .double(upload.open.expires))
  }

  func keep(_ preview: SentPreview, ofUpload address: String) throws(StoreError) {
    try run(
      """
      UPDATE albums_uploads SET preview = ?, preview_width = ?, preview_height = ?, placeholder = ? WHERE address = ?
      """, .blob(preview.bytes), .int(preview.width), .int(preview.height), .blob(preview.placeholder), .text(address))
  }

  /// Notes the outcome of an upload, which is told until it expires.
  func finishUpload(_ address: String, picture: String, expires: Double) throws(StoreError) {
    try run(
      "UPDATE albums_uploads SET picture = ?, preview = NULL, expires = ? WHERE address = ?", .text(picture),
      .double(expires), .text(address))
  }

  /// The bytes that have come of an album's unfinished uploads.
  func receivedBytes(ofAlbum album: Int) throws(StoreError) -> Int {
    try number(
      """
      SELECT sum(b.received) FROM albums_uploads u
      JOIN blob_parts b ON b.room = 'albums' AND b.name = 'upload/' || u.address
      WHERE u.album = ? AND u.picture IS NULL
      """, .int(album))
  }

  func unfinishedCount(ofAlbum album: Int) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM albums_uploads WHERE album = ? AND picture IS NULL", .int(album))
  }
}
