import Hub
import Store

extension PortfolioTables {
  /// Favourites of a portfolio's owner, and what everybody may see who has its address.
  static let sharing = Migration(
    room: "portfolio", number: 4,
    sql: """
      CREATE TABLE portfolio_favourites (
        picture INTEGER PRIMARY KEY REFERENCES portfolio_pictures (id) ON DELETE CASCADE,
        portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id) ON DELETE CASCADE,
        -- The number of the change that has made it one: their order.
        number INTEGER NOT NULL
      );
      CREATE INDEX portfolio_favourites_number ON portfolio_favourites (portfolio, number, picture);
      CREATE TABLE portfolio_favourite_lists (
        portfolio INTEGER PRIMARY KEY REFERENCES portfolio_portfolios (id) ON DELETE CASCADE,
        -- The number of the change that has touched the list last.
        changed INTEGER NOT NULL
      );
      CREATE TABLE portfolio_shares (
        id \(Database.neverReusedKey),
        -- The secret in its address.
        address TEXT NOT NULL UNIQUE,
        portfolio INTEGER NOT NULL REFERENCES portfolio_portfolios (id) ON DELETE CASCADE,
        -- One of both.
        picture INTEGER UNIQUE REFERENCES portfolio_pictures (id) ON DELETE CASCADE,
        gallery INTEGER UNIQUE REFERENCES portfolio_galleries (id) ON DELETE CASCADE,
        made_at REAL NOT NULL,
        CHECK ((picture IS NULL) <> (gallery IS NULL))
      );
      CREATE INDEX portfolio_shares_portfolio ON portfolio_shares (portfolio);
      """)
}

/// The rows of favourites.
extension Database {
  /// - Returns: true if it was none before.
  func addFavourite(_ picture: Int, of portfolio: Int, number: Int) throws(StoreError) -> Bool {
    if try hasRow("SELECT 1 FROM portfolio_favourites WHERE picture = ?", .int(picture)) { return false }
    try run(
      "INSERT INTO portfolio_favourites (picture, portfolio, number) VALUES (?, ?, ?)", .int(picture),
      .int(portfolio), .int(number))
    return true
  }

  func removeFavourite(_ picture: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_favourites WHERE picture = ?", .int(picture))
  }

  func noteFavouritesChanged(of portfolio: Int, number: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO portfolio_favourite_lists (portfolio, changed) VALUES (?, ?)
      ON CONFLICT (portfolio) DO UPDATE SET changed = excluded.changed
      """, .int(portfolio), .int(number))
  }

  /// The change that has touched the list or one of its pictures last; nil if there was never a favourite.
  func favouritesChanged(of portfolio: Int) throws(StoreError) -> Int? {
    let own = try first("SELECT changed FROM portfolio_favourite_lists WHERE portfolio = ?", .int(portfolio)) {
      $0.int(0)
    }
    guard let own else { return nil }
    let galleries = try number(
      """
      SELECT max(g.changed) FROM portfolio_favourites f JOIN portfolio_places s ON s.picture = f.picture
      JOIN portfolio_galleries g ON g.id = s.gallery WHERE f.portfolio = ?
      """, .int(portfolio))
    return max(own, galleries)
  }

  func favouriteCount(of portfolio: Int) throws(StoreError) -> Int {
    try number(
      """
      SELECT count(*) FROM portfolio_favourites f JOIN portfolio_pictures p ON p.id = f.picture
      WHERE f.portfolio = ? AND p.made IS NOT NULL
      """, .int(portfolio))
  }

  /// Favourites in the order in which they were chosen, after one of them.
  /// - Parameter last: the key of the picture before; 0 for the beginning.
  func favourites(of portfolio: Int, after last: Int, limit: Int) throws(StoreError) -> [PortfolioPicture] {
    let number = try first("SELECT number FROM portfolio_favourites WHERE picture = ?", .int(last)) { $0.int(0) } ?? -1
    return try rows(
      """
      SELECT \(Self.pictureColumns) FROM portfolio_favourites f JOIN portfolio_pictures p ON p.id = f.picture
      WHERE f.portfolio = ? AND (f.number, f.picture) > (?, ?) AND p.made IS NOT NULL
      ORDER BY f.number, f.picture LIMIT ?
      """, .int(portfolio), .int(number), .int(last), .int(limit), read: Self.portfolioPicture)
  }
}
