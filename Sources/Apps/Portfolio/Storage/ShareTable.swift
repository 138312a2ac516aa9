import Galleries
import Store

/// The rows of shares.
extension Database {
  private static let shareColumns = "s.address, s.portfolio, s.picture, s.gallery"

  private static func share(_ row: Row) -> Share {
    Share(
      address: row.text(0), portfolio: row.int(1), picture: row.optionalInt(2), gallery: row.optionalInt(3))
  }

  /// Nil if there is none, or it is nobody's any more: portfolios of removed people are so before they are deleted.
  func share(_ address: String) throws(StoreError) -> Share? {
    try first(
      """
      SELECT \(Self.shareColumns) FROM portfolio_shares s JOIN portfolio_portfolios p ON p.id = s.portfolio
      WHERE s.address = ? AND p.deleted_at IS NULL AND (p.person IS NOT NULL OR p.is_owners = 1)
      """, .text(address), read: Self.share)
  }

  func shares(of portfolio: Int) throws(StoreError) -> [Share] {
    try rows(
      "SELECT \(Self.shareColumns) FROM portfolio_shares s WHERE s.portfolio = ? ORDER BY s.id", .int(portfolio),
      read: Self.share)
  }

  func add(_ share: Share, now: Double) throws(StoreError) {
    try run(
      "INSERT INTO portfolio_shares (address, portfolio, picture, gallery, made_at) VALUES (?, ?, ?, ?, ?)",
      .text(share.address), .int(share.portfolio), Value(share.picture), Value(share.gallery), .double(now))
  }

  func removeShare(_ address: String) throws(StoreError) {
    try run("DELETE FROM portfolio_shares WHERE address = ?", .text(address))
  }

  /// A picture's place `s` in a gallery `g` that its source lists with it. One that it lists no more, and all of a set
  /// that Flickr does not show, may be private there now, though they stay here until their owner lets them go.
  static let isListed = """
    s.is_missing = 0 AND g.run >= 0 AND coalesce(g.notice, '') NOT LIKE '{"code":"flickr-hidden"%'
    AND coalesce(g.notice, '') NOT LIKE '{"code":"flickr-empty"%'
    """
  private static let isPublic = "\(isListed) AND p.made IS NOT NULL AND p.is_private = 0"
  private static let publicIn = """
    FROM portfolio_places s JOIN portfolio_galleries g ON g.id = s.gallery JOIN portfolio_pictures p ON p.id = s.picture
    WHERE s.gallery = ? AND \(isPublic)
    """

  /// Pictures of a gallery that are not private at their source: their number, and some of them.
  func publicPictures(
    in gallery: Int, from: Int, limit: Int
  ) throws(StoreError) -> (count: Int, pictures: [PortfolioPicture]) {
    let count = try number("SELECT count(*) \(Self.publicIn)", .int(gallery))
    let pictures = try rows(
      "SELECT \(Self.pictureColumns) \(Self.publicIn) ORDER BY s.position, s.picture LIMIT ? OFFSET ?", .int(gallery),
      .int(limit), .int(from), read: Self.portfolioPicture)
    return (count, pictures)
  }

  /// A picture that a share shows at this moment.
  func picture(_ address: String, of share: Share) throws(StoreError) -> PortfolioPicture? {
    try first(
      """
      \(Self.selectPictures) JOIN portfolio_places s ON s.picture = p.id
      JOIN portfolio_galleries g ON g.id = s.gallery
      WHERE p.address = ? AND p.portfolio = ? AND (p.id = ? OR s.gallery = ?) AND \(Self.isPublic) LIMIT 1
      """, .text(address), .int(share.portfolio), Value(share.picture), Value(share.gallery),
      read: Self.portfolioPicture)
  }
}
