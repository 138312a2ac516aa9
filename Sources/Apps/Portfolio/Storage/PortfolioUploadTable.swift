import Receiving
import Store
import Uploads

/// The tables of one's own uploads, and what sources and owners say of galleries' places.
enum PortfolioUploadTables {
  static let rows = UploadRows(
    of: PortfolioRoom.id, in: "portfolio_uploads",
    isAbandoned: "portfolio IN (SELECT id FROM portfolio_portfolios WHERE deleted_at IS NOT NULL)")

  static let migration = Migration(
    room: "portfolio", number: 3,
    sql: """
      -- What has come of them is the store's: blob_parts.
      CREATE TABLE portfolio_uploads (
        address TEXT PRIMARY KEY,
        portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id) ON DELETE CASCADE,
        gallery INTEGER NOT NULL REFERENCES portfolio_galleries (id) ON DELETE CASCADE,
        person INTEGER NOT NULL,
        size INTEGER NOT NULL,
        metadata TEXT NOT NULL,
        -- The id of the picture that it has become.
        picture TEXT,
        expires REAL NOT NULL
      ) \(Database.inKeyOrder);
      CREATE INDEX portfolio_uploads_portfolio ON portfolio_uploads (portfolio);
      CREATE INDEX portfolio_uploads_gallery ON portfolio_uploads (gallery);
      CREATE INDEX portfolio_uploads_person ON portfolio_uploads (person, picture);
      CREATE INDEX portfolio_uploads_expires ON portfolio_uploads (expires);
      ALTER TABLE portfolio_galleries ADD COLUMN chosen_position INTEGER;
      ALTER TABLE portfolio_galleries ADD COLUMN source_group TEXT NOT NULL DEFAULT '';
      -- The reason why some of it is left out.
      ALTER TABLE portfolio_galleries ADD COLUMN notice TEXT;
      -- Of a picture that was uploaded: its original's bytes, kind and name.
      ALTER TABLE portfolio_pictures ADD COLUMN original_bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE portfolio_pictures ADD COLUMN original_type TEXT;
      ALTER TABLE portfolio_pictures ADD COLUMN original_name TEXT;
      """)
}

extension Database {
  private static func portfolioUpload(_ row: Row) -> PortfolioUpload? {
    guard let open = PortfolioUploadTables.rows.open(row), let file = try? SentFile(open.metadata) else { return nil }
    return PortfolioUpload(
      open: open, portfolio: row.int(5), gallery: row.int(6), person: row.int(7), file: file)
  }

  /// An upload of a person, unfinished or just finished.
  func portfolioUpload(_ address: String, of person: Int) throws(StoreError) -> PortfolioUpload? {
    try first(
      """
      SELECT \(UploadRows.columns), portfolio, gallery, person FROM portfolio_uploads WHERE address = ? AND person = ?
      """, .text(address), .int(person), read: Self.portfolioUpload) ?? nil
  }

  func add(_ upload: PortfolioUpload) throws(StoreError) {
    try run(
      """
      INSERT INTO portfolio_uploads (address, portfolio, gallery, person, size, metadata, expires)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, .text(upload.open.address), .int(upload.portfolio), .int(upload.gallery), .int(upload.person),
      .int(upload.open.size), .text(upload.open.metadata.text), .double(upload.open.expires))
  }

  /// Notes the outcome of an upload, which is told until it expires.
  func finishPortfolioUpload(_ address: String, picture: String, expires: Double) throws(StoreError) {
    try run(
      "UPDATE portfolio_uploads SET picture = ?, expires = ? WHERE address = ?", .text(picture), .double(expires),
      .text(address))
  }

  // MARK: Shares

  /// The bytes that a person's portfolios take: all sizes, and originals. Nil stands for those of all owners.
  func portfolioBytes(of person: Int?) throws(StoreError) -> Int {
    try number(
      """
      SELECT sum(p.bytes + p.original_bytes) FROM portfolio_pictures p
      JOIN portfolio_portfolios f ON f.id = p.portfolio
      WHERE f.person IS NOT DISTINCT FROM ? AND f.deleted_at IS NULL
      """, Value(person))
  }
}
