import Galleries
import Hub
import Store
import Wire

/// The rows of galleries, and the places of pictures in them.
extension Database {
  private static let selectGalleries = """
    SELECT id, portfolio, address, source_id, title, text, tag, chosen_cover, source_cover, is_hidden, source_group,
      notice, changed FROM portfolio_galleries
    """

  /// As their owner has chosen; those that came since, as their source has them, behind.
  private static let galleryOrder = "ORDER BY chosen_position IS NULL, chosen_position, position, id"

  private static func gallery(_ row: Row) -> PortfolioGallery {
    PortfolioGallery(
      id: row.int(0), portfolio: row.int(1), address: row.text(2), sourceID: row.text(3), title: row.text(4),
      text: row.text(5), tag: row.optionalText(6), chosenCover: row.optionalInt(7), sourceCover: row.optionalText(8),
      isHidden: row.bool(9), group: row.text(10), notice: row.optionalText(11).map { Reason(kept: $0) },
      changed: row.int(12))
  }

  func galleries(of portfolio: Int) throws(StoreError) -> [PortfolioGallery] {
    try rows(
      "\(Self.selectGalleries) WHERE portfolio = ? \(Self.galleryOrder)", .int(portfolio), read: Self.gallery)
  }

  func gallery(key: Int) throws(StoreError) -> PortfolioGallery? {
    try first("\(Self.selectGalleries) WHERE id = ?", .int(key), read: Self.gallery)
  }

  func gallery(_ address: String, of portfolio: Int) throws(StoreError) -> PortfolioGallery? {
    try first(
      "\(Self.selectGalleries) WHERE address = ? AND portfolio = ?", .text(address), .int(portfolio),
      read: Self.gallery)
  }

  /// The galleries that a picture is in.
  func galleries(withPicture picture: Int) throws(StoreError) -> [PortfolioGallery] {
    try rows(
      "\(Self.selectGalleries) WHERE id IN (SELECT gallery FROM portfolio_places WHERE picture = ?)", .int(picture),
      read: Self.gallery)
  }

  func save(_ gallery: PortfolioGallery) throws(StoreError) {
    try run(
      "UPDATE portfolio_galleries SET chosen_cover = ?, is_hidden = ?, changed = ? WHERE id = ?",
      Value(gallery.chosenCover), Value(gallery.isHidden), .int(gallery.changed), .int(gallery.id))
  }

  func noteChanged(gallery: Int, commit: Int) throws(StoreError) {
    try run("UPDATE portfolio_galleries SET changed = ? WHERE id = ?", .int(commit), .int(gallery))
  }

  /// Pictures of a gallery that are here.
  func pictureCount(in gallery: Int) throws(StoreError) -> Int {
    try number(
      """
      SELECT count(*) FROM portfolio_places s JOIN portfolio_pictures p ON p.id = s.picture
      WHERE s.gallery = ? AND p.made IS NOT NULL
      """, .int(gallery))
  }

  /// A gallery's cover: the chosen one, the source's, or the first.
  func cover(of gallery: PortfolioGallery) throws(StoreError) -> PortfolioPicture? {
    let here = """
      SELECT \(Self.pictureColumns) FROM portfolio_places s JOIN portfolio_pictures p ON p.id = s.picture
      WHERE s.gallery = ? AND p.made IS NOT NULL
      """
    // One after the other, each by its index: sorting would read all pictures of the gallery.
    if let chosen = gallery.chosenCover,
      let cover = try first("\(here) AND p.id = ?", .int(gallery.id), .int(chosen), read: Self.portfolioPicture)
    {
      return cover
    }
    if let told = gallery.sourceCover,
      let cover = try first(
        "\(here) AND p.portfolio = ? AND p.source_id = ?", .int(gallery.id), .int(gallery.portfolio), .text(told),
        read: Self.portfolioPicture)
    {
      return cover
    }
    return try first("\(here) ORDER BY s.position LIMIT 1", .int(gallery.id), read: Self.portfolioPicture)
  }

  // MARK: Listings

  /// Notes a gallery of a complete list.
  /// - Returns: the gallery, with the tag of its last complete listing, and true if something of it is new.
  func note(
    _ gallery: SourceGallery, position: Int, in portfolio: Int, run: Int, commit: Int
  ) throws(StoreError) -> (PortfolioGallery, isNews: Bool) {
    let known = try first(
      "\(Self.selectGalleries) WHERE portfolio = ? AND source_id = ?", .int(portfolio), .text(gallery.id),
      read: Self.gallery)
    guard var known else {
      var new = PortfolioGallery(
        portfolio: portfolio, address: RandomID.make(), sourceID: gallery.id, title: gallery.title,
        text: gallery.text, sourceCover: gallery.cover, group: gallery.group, changed: commit)
      new.id = try inserted(
        """
        INSERT INTO portfolio_galleries (portfolio, address, source_id, title, text, position, source_cover,
          source_group, changed, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
        """, .int(portfolio), .text(new.address), .text(gallery.id), .text(gallery.title), .text(gallery.text),
        .int(position), Value(gallery.cover), .text(gallery.group), .int(commit), .int(run))
      return (new, true)
    }
    let isNews =
      known.title != gallery.title || known.text != gallery.text || known.sourceCover != gallery.cover
      || known.group != gallery.group
    if isNews {
      (known.title, known.text, known.sourceCover) = (gallery.title, gallery.text, gallery.cover)
      known.group = gallery.group
      known.changed = commit
    }
    try self.run(
      """
      UPDATE portfolio_galleries SET title = ?, text = ?, source_cover = ?, source_group = ?, position = ?, run = ?,
        changed = ? WHERE id = ?
      """, .text(known.title), .text(known.text), Value(known.sourceCover), .text(known.group), .int(position),
      .int(run), .int(known.changed), .int(known.id))
    return (known, isNews)
  }

  /// A list of galleries was complete: those that it did not have bear no sync's number until they are listed again. It
  /// is -1, and -2 from the end of that look on (`noteMissed`).
  func endList(of portfolio: Int, run: Int) throws(StoreError) {
    try self.run(
      "UPDATE portfolio_galleries SET run = -1 WHERE portfolio = ? AND run NOT IN (?, -2)", .int(portfolio), .int(run))
  }

  /// Puts a picture at a place of a gallery. - Returns: true if it was not there.
  func place(_ picture: Int, in gallery: Int, position: Int, run: Int) throws(StoreError) -> Bool {
    let before = try self.position(of: picture, in: gallery)
    try self.run(
      """
      INSERT INTO portfolio_places (gallery, picture, position, run) VALUES (?, ?, ?, ?)
      ON CONFLICT (gallery, picture) DO UPDATE SET position = excluded.position, run = excluded.run, is_missing = 0
      """, .int(gallery), .int(picture), .int(position), .int(run))
    return before != position
  }

  /// A gallery's listing is complete: what it did not have is missing. `is_missing` is 1 then, and 2 from the end of
  /// that look on (`noteMissed`).
  /// - Parameter notice: the reason why some of it is left out.
  func endListing(of gallery: Int, tag: String?, notice: Reason?, run: Int) throws(StoreError) {
    try self.run(
      "UPDATE portfolio_places SET is_missing = 1 WHERE gallery = ? AND run <> ? AND is_missing = 0", .int(gallery),
      .int(run))
    try self.run(
      "UPDATE portfolio_galleries SET tag = ?, notice = ? WHERE id = ?", Value(tag), Value(notice?.kept), .int(gallery))
  }

  /// Notes why a gallery is not what its source has. It is listed again, also with the tag that it had before.
  func note(_ notice: Reason, ofGallery gallery: Int) throws(StoreError) {
    try run("UPDATE portfolio_galleries SET notice = ?, tag = NULL WHERE id = ?", .text(notice.kept), .int(gallery))
  }

  /// Pictures that are in no gallery any more: not in the last complete listings, or in galleries that are gone.
  /// `wasHere` is false for what nobody has fetched yet, and for what a look that was cut off has let go already;
  /// `isNews` is true for what an earlier look had.
  func missingPictures(
    of portfolio: Int, run: Int
  ) throws(StoreError) -> [(id: Int, wasHere: Bool, isNews: Bool)] {
    try rows(
      """
      SELECT p.id, CASE WHEN p.made IS NULL AND p.failure IS NULL
          OR NOT EXISTS (SELECT 1 FROM portfolio_places o WHERE o.picture = p.id) THEN 0 ELSE 1 END,
        CASE WHEN EXISTS (SELECT 1 FROM portfolio_places o JOIN portfolio_galleries g ON g.id = o.gallery
          WHERE o.picture = p.id AND o.is_missing < 2 AND g.run > -2) THEN 1 ELSE 0 END
      FROM portfolio_pictures p WHERE p.portfolio = ? AND NOT EXISTS (
        SELECT 1 FROM portfolio_places s JOIN portfolio_galleries g ON g.id = s.gallery
        WHERE s.picture = p.id AND s.is_missing = 0 AND g.run = ?)
      """, .int(portfolio), .int(run)
    ) { ($0.int(0), $0.bool(1), $0.bool(2)) }
  }

  /// Pictures that a sync has fetched, or tried to.
  func triedCount(of portfolio: Int) throws(StoreError) -> Int {
    try number(
      "SELECT count(*) FROM portfolio_pictures WHERE portfolio = ? AND (made IS NOT NULL OR failure IS NOT NULL)",
      .int(portfolio))
  }

  /// True if galleries that are still listed, and had more pictures than so many together, have none any more: disks in
  /// these folders may not be mounted.
  func hasEmptied(of portfolio: Int, run: Int, above count: Int) throws(StoreError) -> Bool {
    try number(
      """
      SELECT coalesce(sum(had), 0) FROM (SELECT count(*) AS had FROM portfolio_places s
        JOIN portfolio_galleries g ON g.id = s.gallery
        WHERE g.portfolio = ? AND g.run = ? GROUP BY s.gallery HAVING min(s.is_missing) > 0) emptied
      """, .int(portfolio), .int(run)) > count
  }

  /// A look that has missed something came to its end. - Returns: true if it was the first to miss it.
  func noteMissed(of portfolio: Int) throws(StoreError) -> Bool {
    let isNews = try hasRow(
      """
      SELECT 1 FROM portfolio_galleries g WHERE g.portfolio = ?
        AND (g.run = -1 OR EXISTS (SELECT 1 FROM portfolio_places s WHERE s.gallery = g.id AND s.is_missing = 1))
      """, .int(portfolio))
    guard isNews else { return false }
    try run("UPDATE portfolio_galleries SET run = -2 WHERE portfolio = ? AND run = -1", .int(portfolio))
    try run(
      """
      UPDATE portfolio_places SET is_missing = 2 WHERE is_missing = 1
        AND gallery IN (SELECT id FROM portfolio_galleries WHERE portfolio = ?)
      """, .int(portfolio))
    return true
  }

  /// Removes the places and the galleries that were noted as missed.
  func removeMissed(of portfolio: Int, commit: Int) throws(StoreError) {
    try self.run(
      """
      UPDATE portfolio_galleries SET changed = ? WHERE portfolio = ? AND id IN
        (SELECT gallery FROM portfolio_places WHERE is_missing = 2)
      """, .int(commit), .int(portfolio))
    try self.run(
      """
      DELETE FROM portfolio_places WHERE is_missing = 2
        AND gallery IN (SELECT id FROM portfolio_galleries WHERE portfolio = ?)
      """, .int(portfolio))
    let gone = try rows("SELECT id FROM portfolio_galleries WHERE portfolio = ? AND run = -2", .int(portfolio)) {
      $0.int(0)
    }
    for gallery in gone { try removeGallery(gallery) }
  }
}
