import Store

/// The tables of what was sent. A picture that is removed takes its places and marks along.
enum SentTables {
  static let migration = Migration(
    room: "portfolio", number: 2,
    sql: """
      CREATE TABLE portfolio_sent (
        id \(Database.neverReusedKey),
        portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id) ON DELETE CASCADE,
        address TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        download TEXT NOT NULL,
        shows TEXT NOT NULL,
        pin TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        blocked_until REAL,
        made_at REAL NOT NULL,
        until REAL,
        withdrawn_at REAL,
        ring_at REAL,
        rang_at REAL
      );
      CREATE INDEX portfolio_sent_portfolio ON portfolio_sent (portfolio);
      CREATE INDEX portfolio_sent_ring ON portfolio_sent (ring_at) WHERE ring_at IS NOT NULL;
      CREATE TABLE portfolio_sent_places (
        sent INTEGER NOT NULL REFERENCES portfolio_sent (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        gallery INTEGER NOT NULL REFERENCES portfolio_galleries (id) ON DELETE CASCADE,
        picture INTEGER NOT NULL REFERENCES portfolio_pictures (id) ON DELETE CASCADE,
        -- 1: it was private when it was sent, and its photographer has said that it may go.
        was_private INTEGER NOT NULL,
        PRIMARY KEY (sent, position)
      ) \(Database.inKeyOrder);
      CREATE INDEX portfolio_sent_places_picture ON portfolio_sent_places (picture);
      CREATE INDEX portfolio_sent_places_gallery ON portfolio_sent_places (gallery);
      CREATE TABLE portfolio_sent_tokens (
        digest BLOB PRIMARY KEY,
        sent INTEGER NOT NULL REFERENCES portfolio_sent (id) ON DELETE CASCADE,
        until REAL NOT NULL
      ) \(Database.inKeyOrder);
      CREATE INDEX portfolio_sent_tokens_sent ON portfolio_sent_tokens (sent, until);
      CREATE TABLE portfolio_sent_clients (
        id \(Database.neverReusedKey),
        sent INTEGER NOT NULL REFERENCES portfolio_sent (id) ON DELETE CASCADE,
        -- By the client, for itself.
        client TEXT NOT NULL,
        name TEXT,
        opened_at REAL,
        UNIQUE (sent, client)
      );
      CREATE TABLE portfolio_sent_marks (
        client INTEGER NOT NULL REFERENCES portfolio_sent_clients (id) ON DELETE CASCADE,
        mark TEXT NOT NULL,
        picture INTEGER NOT NULL REFERENCES portfolio_pictures (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        text TEXT,
        at REAL NOT NULL,
        is_news INTEGER NOT NULL DEFAULT 1,
        PRIMARY KEY (client, mark)
      ) \(Database.inKeyOrder);
      CREATE INDEX portfolio_sent_marks_picture ON portfolio_sent_marks (picture);
      """)
}
