import Store

/// The tables of portfolios. Blobs have the names of `PortfolioPicture.blob`. No key is given a second time: a sync
/// under way knows rows by theirs, which may be removed meanwhile.
enum PortfolioTables {
  static let migrations = [first, SentTables.migration, PortfolioUploadTables.migration, sharing, indexes, words, late]

  private static let first =
    Migration(
      room: "portfolio", number: 1,
      sql: """
        CREATE TABLE portfolio_portfolios (
          id \(Database.neverReusedKey),
          address TEXT NOT NULL UNIQUE,
          person INTEGER REFERENCES people (id) ON DELETE SET NULL,
          -- 1: made before the hub had an owner, so it is the owners'. Any other without a person is nobody's.
          is_owners INTEGER NOT NULL,
          name TEXT NOT NULL,
          position INTEGER NOT NULL,
          source TEXT NOT NULL,
          -- JSON; empty without any.
          credentials TEXT NOT NULL,
          made_at REAL NOT NULL,
          synced_at REAL,
          next_at REAL,
          is_open INTEGER NOT NULL DEFAULT 0,
          -- The number of the last sync: what a listing has seen bears it.
          run INTEGER NOT NULL DEFAULT 0,
          fault TEXT,
          is_waiting INTEGER NOT NULL DEFAULT 0,
          may_lose INTEGER NOT NULL DEFAULT 0,
          -- It is gone for its owner; its pictures are being removed.
          deleted_at REAL
        );
        CREATE INDEX portfolio_portfolios_person ON portfolio_portfolios (person);
        CREATE TABLE portfolio_galleries (
          id \(Database.neverReusedKey),
          portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id),
          address TEXT NOT NULL UNIQUE,
          source_id TEXT NOT NULL,
          title TEXT NOT NULL,
          text TEXT NOT NULL,
          position INTEGER NOT NULL,
          tag TEXT,
          chosen_cover INTEGER,
          source_cover TEXT,
          is_hidden INTEGER NOT NULL DEFAULT 0,
          changed INTEGER NOT NULL,
          run INTEGER NOT NULL,
          UNIQUE (portfolio, source_id)
        );
        CREATE TABLE portfolio_pictures (
          id \(Database.neverReusedKey),
          portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id),
          address TEXT NOT NULL UNIQUE,
          source_id TEXT NOT NULL,
          version TEXT NOT NULL,
          kind TEXT NOT NULL,
          title TEXT NOT NULL,
          caption TEXT NOT NULL,
          taken TEXT,
          uploaded REAL,
          source_width INTEGER,
          source_height INTEGER,
          place TEXT,
          latitude REAL,
          longitude REAL,
          is_private INTEGER NOT NULL,
          page TEXT,
          license TEXT,
          file TEXT NOT NULL,
          source_bytes INTEGER,
          made TEXT,
          digest BLOB NOT NULL DEFAULT x'',
          tag TEXT NOT NULL DEFAULT '',
          width INTEGER NOT NULL DEFAULT 0,
          height INTEGER NOT NULL DEFAULT 0,
          placeholder BLOB NOT NULL DEFAULT x'',
          seconds REAL,
          -- JSON of the files: their names, sizes and digests.
          files TEXT NOT NULL DEFAULT '[]',
          bytes INTEGER NOT NULL DEFAULT 0,
          failure TEXT,
          tries INTEGER NOT NULL DEFAULT 0,
          -- The sync that has tried it last.
          tried INTEGER NOT NULL DEFAULT 0,
          UNIQUE (portfolio, source_id)
        );
        CREATE INDEX portfolio_pictures_left ON portfolio_pictures (portfolio) WHERE made IS DISTINCT FROM version;
        CREATE INDEX portfolio_pictures_failed ON portfolio_pictures (portfolio) WHERE failure IS NOT NULL;
        CREATE TABLE portfolio_places (
          gallery INTEGER NOT NULL REFERENCES portfolio_galleries (id) ON DELETE CASCADE,
          picture INTEGER NOT NULL REFERENCES portfolio_pictures (id) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          run INTEGER NOT NULL,
          -- It was not in the last complete listing of its gallery.
          is_missing INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (gallery, picture)
        ) \(Database.inKeyOrder);
        CREATE INDEX portfolio_places_position ON portfolio_places (gallery, position);
        CREATE INDEX portfolio_places_picture ON portfolio_places (picture);
        """)

  /// Finds an uploaded picture again by its bytes, and counts pictures without reading all of their rows.
  private static let indexes = Migration(
    room: "portfolio", number: 5,
    sql: """
      CREATE INDEX portfolio_pictures_digest ON portfolio_pictures (portfolio, digest);
      CREATE INDEX portfolio_pictures_counts ON portfolio_pictures (portfolio, made, bytes, original_bytes);
      """)

  private static let words = Migration(
    room: "portfolio", number: 6,
    sql: """
      -- The words in a picture's file; empty for none, and NULL if it was not looked at for them.
      ALTER TABLE portfolio_pictures ADD COLUMN file_title TEXT;
      ALTER TABLE portfolio_pictures ADD COLUMN file_caption TEXT;
      """)

  private static let late = Migration(
    room: "portfolio", number: 7,
    sql: """
      -- 1: it came when its gallery had been put into an order by hand, and has not been moved since.
      ALTER TABLE portfolio_places ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;
      """)
}
