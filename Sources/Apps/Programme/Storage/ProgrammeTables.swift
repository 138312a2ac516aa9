import Calendar
package import Store

/// The tables of the programme besides those of calendars' copies.
package enum ProgrammeTables {
  package static let migrations = [
    Migration(
      room: "programme", number: 1,
      sql: """
        -- Calendars that were sent as files. Their bytes are in space_calendars, under "upload:" and the identifier.
        CREATE TABLE programme_uploads (
          id TEXT PRIMARY KEY,
          size INTEGER NOT NULL,
          uploaded_at INTEGER NOT NULL
        )
        """),
    FavouriteTables.migration,
    OpenerTables.migration,
    OpenerTables.askers,
    FavouriteTables.knownOn,
    CalendarTables.takenOver,
    AlertTables.migration,
    AlertTables.times,
  ]
}

/// A calendar file that the owner has uploaded.
struct UploadedFile: Equatable, Sendable {
  var id: String
  /// Bytes.
  var size: Int
  /// Seconds since 1970.
  var uploadedAt: Int
}

extension Database {
  func uploadedFiles() throws(StoreError) -> [UploadedFile] {
    try rows("SELECT id, size, uploaded_at FROM programme_uploads ORDER BY id") {
      UploadedFile(id: $0.text(0), size: $0.int(1), uploadedAt: $0.int(2))
    }
  }

  /// Saves a file, replacing the one with the same name.
  func save(upload file: UploadedFile, body: [UInt8]) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_uploads (id, size, uploaded_at) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET size = excluded.size, uploaded_at = excluded.uploaded_at
      """, .text(file.id), .int(file.size), .int(file.uploadedAt))
    try run(
      """
      INSERT INTO programme_calendars (url, body, good_at) VALUES (?, ?, ?)
      ON CONFLICT (url) DO UPDATE SET body = excluded.body, good_at = excluded.good_at, problem = NULL,
        problem_since = NULL
      """, .text(CalendarSource.uploadPrefix + file.id), .blob(body), .int(file.uploadedAt))
  }

  func remove(upload id: String) throws(StoreError) {
    try run("DELETE FROM programme_uploads WHERE id = ?", .text(id))
    try run("DELETE FROM programme_calendars WHERE url = ?", .text(CalendarSource.uploadPrefix + id))
  }
}
