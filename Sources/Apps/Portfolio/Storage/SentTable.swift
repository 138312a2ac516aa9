import Galleries
import Store
import Wire

/// The rows of what was sent, and of its pictures.
extension Database {
  private static let sentColumns = """
    id, portfolio, address, title, text, download, shows, pin, tries, blocked_until, made_at, until, withdrawn_at,
    ring_at, rang_at
    """

  private static func sent(_ row: Row) -> SentPortfolio {
    var sent = SentPortfolio(portfolio: row.int(1), address: row.text(2), title: row.text(3))
    (sent.id, sent.text) = (row.int(0), row.text(4))
    sent.download = SentPortfolio.Download(rawValue: row.text(5)) ?? .none
    sent.shows = row.text(6).split(separator: " ").compactMap { SentPortfolio.Shown(rawValue: String($0)) }
    (sent.pin, sent.tries, sent.blockedUntil) = (row.text(7), row.int(8), row.optionalDouble(9))
    (sent.madeAt, sent.until, sent.withdrawnAt) = (row.double(10), row.optionalDouble(11), row.optionalDouble(12))
    (sent.ringAt, sent.rangAt) = (row.optionalDouble(13), row.optionalDouble(14))
    return sent
  }

  /// What was sent by a link, if its portfolio is still there.
  func sent(_ address: String) throws(StoreError) -> SentPortfolio? {
    try first(
      """
      SELECT \(Self.sentColumns) FROM portfolio_sent WHERE address = ?
      AND portfolio IN (SELECT id FROM portfolio_portfolios WHERE deleted_at IS NULL)
      """, .text(address), read: Self.sent)
  }

  /// All of a portfolio, the newest first.
  func sent(of portfolio: Int) throws(StoreError) -> [SentPortfolio] {
    try rows(
      "SELECT \(Self.sentColumns) FROM portfolio_sent WHERE portfolio = ? ORDER BY id DESC", .int(portfolio),
      read: Self.sent)
  }

  func add(_ sent: SentPortfolio) throws(StoreError) -> Int {
    let id = try inserted(
      """
      INSERT INTO portfolio_sent (portfolio, address, title, text, download, shows, pin, made_at)
      VALUES (?, ?, ?, '', '', '', '', ?) RETURNING id
      """, .int(sent.portfolio), .text(sent.address), .text(sent.title), .double(sent.madeAt))
    var sent = sent
    sent.id = id
    try save(sent)
    return id
  }

  func save(_ sent: SentPortfolio) throws(StoreError) {
    try run(
      """
      UPDATE portfolio_sent SET title = ?, text = ?, download = ?, shows = ?, pin = ?, tries = ?, blocked_until = ?,
        until = ?, withdrawn_at = ?, ring_at = ?, rang_at = ? WHERE id = ?
      """, .text(sent.title), .text(sent.text), .text(sent.download.rawValue),
      .text(sent.shows.map(\.rawValue).joined(separator: " ")), .text(sent.pin), .int(sent.tries),
      Value(sent.blockedUntil), Value(sent.until), Value(sent.withdrawnAt), Value(sent.ringAt), Value(sent.rangAt),
      .int(sent.id))
  }

  /// Removes those that were withdrawn long ago.
  func forgetSent(before time: Double) throws(StoreError) {
    try run("DELETE FROM portfolio_sent WHERE withdrawn_at < ?", .double(time))
  }

  func removeSent(_ id: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_sent WHERE id = ?", .int(id))
  }

  // MARK: Pictures

  /// A picture that was sent, with the gallery that it was chosen in.
  struct SentPicture: Sendable {
    let gallery: Int
    let picture: PortfolioPicture
  }

  // Flickr does not list what became private to whoever asks without a permission. Other sources may just be away.
  private static let isSeen = """
    p.made IS NOT NULL AND (s.was_private = 1 OR p.is_private = 0 AND (
      EXISTS (SELECT 1 FROM portfolio_portfolios f WHERE f.id = p.portfolio AND f.source NOT LIKE 'flickr:%')
      OR EXISTS (SELECT 1 FROM portfolio_places s JOIN portfolio_galleries g ON g.id = s.gallery
        WHERE s.picture = p.id AND \(isListed))))
    """

  /// The pictures that a client sees, in their order: none that became private since, and none without files.
  func pictures(sent: Int) throws(StoreError) -> [SentPicture] {
    try rows(
      """
      SELECT \(Self.pictureColumns), s.gallery FROM portfolio_sent_places s
      JOIN portfolio_pictures p ON p.id = s.picture WHERE s.sent = ? AND \(Self.isSeen) ORDER BY s.position
      """, .int(sent)
    ) { row in SentPicture(gallery: row.int(Self.pictureColumnCount), picture: Self.portfolioPicture(row)) }
  }

  /// The number of these.
  func pictureCount(sent: Int) throws(StoreError) -> Int {
    try number(
      """
      SELECT count(*) FROM portfolio_sent_places s JOIN portfolio_pictures p ON p.id = s.picture
      WHERE s.sent = ? AND \(Self.isSeen)
      """, .int(sent))
  }

  /// One of these.
  func picture(_ address: String, sent: Int) throws(StoreError) -> PortfolioPicture? {
    try first(
      """
      SELECT \(Self.pictureColumns) FROM portfolio_sent_places s
      JOIN portfolio_pictures p ON p.id = s.picture WHERE p.address = ? AND s.sent = ? AND \(Self.isSeen) LIMIT 1
      """, .text(address), .int(sent), read: Self.portfolioPicture)
  }

  /// The keys of the galleries of what was sent, in its order, with their titles.
  func galleries(sent: Int) throws(StoreError) -> [(key: Int, address: String, title: String)] {
    try rows(
      """
      SELECT g.id, g.address, g.title FROM portfolio_sent_places s JOIN portfolio_galleries g ON g.id = s.gallery
      WHERE s.sent = ? GROUP BY g.id ORDER BY min(s.position)
      """, .int(sent)
    ) { ($0.int(0), $0.text(1), $0.text(2)) }
  }

  /// Puts these pictures in the place of those that were sent before.
  func set(_ places: [(gallery: Int, picture: PortfolioPicture)], sent: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_sent_places WHERE sent = ?", .int(sent))
    for (position, place) in places.enumerated() {
      try run(
        "INSERT INTO portfolio_sent_places (sent, position, gallery, picture, was_private) VALUES (?, ?, ?, ?, ?)",
        .int(sent), .int(position), .int(place.gallery), .int(place.picture.id), Value(place.picture.source.isPrivate))
    }
  }

  // MARK: Tokens

  func addToken(_ digest: [UInt8], sent: Int, until: Double) throws(StoreError) {
    try run(
      """
      DELETE FROM portfolio_sent_tokens WHERE sent = ? AND until <= (
        SELECT until FROM portfolio_sent_tokens WHERE sent = ? ORDER BY until DESC LIMIT 1 OFFSET ?)
      """, .int(sent), .int(sent), .int(SentLimits.tokens - 1))
    try run(
      "INSERT INTO portfolio_sent_tokens (digest, sent, until) VALUES (?, ?, ?)", .blob(digest), .int(sent),
      .double(until))
  }

  func isToken(_ digest: [UInt8], sent: Int, at now: Double) throws(StoreError) -> Bool {
    try hasRow(
      "SELECT 1 FROM portfolio_sent_tokens WHERE digest = ? AND sent = ? AND until > ?", .blob(digest), .int(sent),
      .double(now))
  }

  func removeTokens(sent: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_sent_tokens WHERE sent = ?", .int(sent))
  }
}
