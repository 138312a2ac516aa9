import Store

/// The tables of albums. Blobs have the names of `Picture.blob`.
enum AlbumTables {
  static let migrations = [
    Migration(
      room: "albums", number: 1,
      sql: """
        CREATE TABLE albums_albums (
          id INTEGER PRIMARY KEY,
          address TEXT NOT NULL UNIQUE,
          name TEXT NOT NULL,
          mode TEXT NOT NULL,
          review INTEGER NOT NULL,
          upload_only INTEGER NOT NULL,
          shows_taken INTEGER NOT NULL,
          plays_sound INTEGER NOT NULL,
          passphrase TEXT,
          secret TEXT NOT NULL,
          secret_digest BLOB NOT NULL UNIQUE,
          person INTEGER REFERENCES people (id) ON DELETE SET NULL,
          created_at REAL NOT NULL,
          closes_at REAL,
          closed_at REAL,
          -- It is gone for everybody; its pictures are being removed.
          deleted_at REAL,
          bytes INTEGER NOT NULL DEFAULT 0,
          pictures INTEGER NOT NULL DEFAULT 0,
          -- Until which picture it has rung, and when.
          rung INTEGER NOT NULL DEFAULT 0,
          rung_at REAL NOT NULL DEFAULT 0,
          -- When hosts were last rung about those who ask.
          asked_rung_at REAL NOT NULL DEFAULT 0
        );
        CREATE INDEX albums_albums_person ON albums_albums (person);
        CREATE TABLE albums_guests (
          id INTEGER PRIMARY KEY,
          album INTEGER NOT NULL REFERENCES albums_albums (id) ON DELETE CASCADE,
          address TEXT NOT NULL UNIQUE,
          person INTEGER REFERENCES people (id) ON DELETE SET NULL,
          name TEXT,
          role TEXT NOT NULL,
          state TEXT NOT NULL,
          joined_at REAL NOT NULL,
          bytes INTEGER NOT NULL DEFAULT 0,
          pictures INTEGER NOT NULL DEFAULT 0,
          UNIQUE (album, person)
        );
        CREATE INDEX albums_guests_album ON albums_guests (album, state);
        CREATE INDEX albums_guests_person ON albums_guests (person);
        CREATE TABLE albums_tokens (
          digest BLOB PRIMARY KEY,
          guest INTEGER NOT NULL REFERENCES albums_guests (id) ON DELETE CASCADE,
          created_at REAL NOT NULL
        );
        CREATE INDEX albums_tokens_guest ON albums_tokens (guest, created_at);
        CREATE TABLE albums_pictures (
          id INTEGER PRIMARY KEY,
          album INTEGER NOT NULL REFERENCES albums_albums (id),
          address TEXT NOT NULL UNIQUE,
          guest INTEGER NOT NULL REFERENCES albums_guests (id),
          at REAL NOT NULL,
          kind TEXT NOT NULL,
          width INTEGER NOT NULL DEFAULT 0,
          height INTEGER NOT NULL DEFAULT 0,
          placeholder BLOB NOT NULL,
          seconds REAL,
          -- Bits of the files that are there, and of those that are still to be made.
          has INTEGER NOT NULL DEFAULT 0,
          wants INTEGER NOT NULL DEFAULT 0,
          -- The queue of those to be made: 0 for none, 1 for the small size, 2 for the large one, 3 for a video,
          -- 4 for a sound.
          stage INTEGER NOT NULL DEFAULT 0,
          tries INTEGER NOT NULL DEFAULT 0,
          not_before REAL NOT NULL DEFAULT 0,
          showing TEXT NOT NULL,
          failure TEXT,
          hearts INTEGER NOT NULL DEFAULT 0,
          removed_at REAL,
          withdrawn INTEGER NOT NULL DEFAULT 0,
          tag TEXT NOT NULL,
          name TEXT,
          type TEXT,
          size INTEGER NOT NULL,
          -- Bytes of its sound, as they count.
          sound_size INTEGER NOT NULL DEFAULT 0,
          crc32 INTEGER NOT NULL,
          digest BLOB NOT NULL,
          taken TEXT,
          pair TEXT,
          music_address TEXT,
          music_title TEXT
        );
        CREATE INDEX albums_pictures_album ON albums_pictures (album, id);
        CREATE INDEX albums_pictures_guest ON albums_pictures (guest, digest);
        CREATE INDEX albums_pictures_pair ON albums_pictures (guest, pair) WHERE pair IS NOT NULL;
        CREATE INDEX albums_pictures_stage ON albums_pictures (stage, id) WHERE stage > 0;
        CREATE INDEX albums_pictures_removed ON albums_pictures (removed_at) WHERE removed_at IS NOT NULL;
        CREATE TABLE albums_hearts (
          picture INTEGER NOT NULL REFERENCES albums_pictures (id) ON DELETE CASCADE,
          guest INTEGER NOT NULL REFERENCES albums_guests (id) ON DELETE CASCADE,
          PRIMARY KEY (picture, guest)
        ) \(Database.inKeyOrder);
        CREATE INDEX albums_hearts_guest ON albums_hearts (guest);
        """)
  ]

  /// When a guest was removed, was refused or left. Of those before this column, none joined more than
  /// `AlbumLimits.keptDays` ago.
  static let guestsEnd = Migration(
    room: "albums", number: 4, sql: "ALTER TABLE albums_guests ADD COLUMN ended_at REAL")

  /// Which pictures have rung, instead of the last one of an album: hosts show what waits in another order.
  static let picturesRung = Migration(
    room: "albums", number: 5,
    sql: """
      ALTER TABLE albums_pictures ADD COLUMN rung INTEGER NOT NULL DEFAULT 0;
      UPDATE albums_pictures SET rung = 1 WHERE showing <> 'waiting'
        AND id <= (SELECT a.rung FROM albums_albums a WHERE a.id = albums_pictures.album);
      ALTER TABLE albums_albums DROP COLUMN rung;
      CREATE INDEX albums_pictures_unrung ON albums_pictures (album) WHERE rung = 0;
      """)

  /// The member's device on which a token was shown, with which it ends. Of older tokens nobody knows.
  static let tokensOfDevices = Migration(
    room: "albums", number: 6,
    sql: """
      ALTER TABLE albums_tokens ADD COLUMN device INTEGER REFERENCES devices (id) ON DELETE CASCADE;
      CREATE INDEX albums_tokens_device ON albums_tokens (device)
      """)
}
