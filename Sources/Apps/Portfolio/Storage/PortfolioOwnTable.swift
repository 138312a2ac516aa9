import Galleries
import Store

/// The rows of galleries and pictures that a person makes here, instead of a source.
extension Database {
  func galleryCount(of portfolio: Int) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM portfolio_galleries WHERE portfolio = ?", .int(portfolio))
  }

  /// Adds a gallery behind the others.
  func add(_ gallery: PortfolioGallery) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO portfolio_galleries (portfolio, address, source_id, title, text, position, changed, run)
      VALUES (?, ?, ?, ?, ?,
        (SELECT coalesce(max(position), -1) + 1 FROM portfolio_galleries WHERE portfolio = ?), ?, 0) RETURNING id
      """, .int(gallery.portfolio), .text(gallery.address), .text(gallery.sourceID), .text(gallery.title),
      .text(gallery.text), .int(gallery.portfolio), .int(gallery.changed))
  }

  func rename(gallery: Int, to title: String) throws(StoreError) {
    try run("UPDATE portfolio_galleries SET title = ? WHERE id = ?", .text(title), .int(gallery))
  }

  /// The place that an owner has chosen for a gallery; nil: the source's.
  func place(gallery: Int, at position: Int?) throws(StoreError) {
    try run("UPDATE portfolio_galleries SET chosen_position = ? WHERE id = ?", Value(position), .int(gallery))
  }

  /// Removes a gallery. Its pictures stay, and links keep those that are in another one.
  func removeGallery(_ gallery: Int) throws(StoreError) {
    try run(
      """
      UPDATE portfolio_sent_places SET gallery = coalesce((SELECT o.gallery FROM portfolio_places o
        WHERE o.picture = portfolio_sent_places.picture AND o.gallery <> ? ORDER BY o.gallery LIMIT 1), gallery)
      WHERE gallery = ? AND NOT EXISTS (SELECT 1 FROM portfolio_sent_places t WHERE t.sent = portfolio_sent_places.sent
        AND t.picture = portfolio_sent_places.picture AND t.gallery <> portfolio_sent_places.gallery)
      """, .int(gallery), .int(gallery))
    try run("DELETE FROM portfolio_galleries WHERE id = ?", .int(gallery))
  }

  /// Pictures of a gallery, here or still to be made.
  func placeCount(in gallery: Int) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM portfolio_places WHERE gallery = ?", .int(gallery))
  }

  /// Puts a picture into a gallery, by the names of files as in folders: uploads end in no order that anybody chose. In
  /// one that its owner has put into another order, it goes behind the others, by name among those that came since.
  func insert(_ picture: Int, into gallery: Int) throws(StoreError) {
    guard try position(of: picture, in: gallery) == nil else { return }
    let name = "coalesce(nullif(p.original_name, ''), p.title)"
    let own = try first("SELECT \(name) FROM portfolio_pictures p WHERE p.id = ?", .int(picture)) { $0.text(0) } ?? ""
    let others = try rows(
      """
      SELECT s.position, s.is_late, \(name) FROM portfolio_places s JOIN portfolio_pictures p ON p.id = s.picture
      WHERE s.gallery = ? ORDER BY s.position
      """, .int(gallery)
    ) { (position: $0.int(0), isLate: $0.bool(1), key: NameOrder.key($0.text(2))) }
    let key = NameOrder.key(own)
    let isByName = zip(others, others.dropFirst()).allSatisfy { $0.key <= $1.key }
    let ordered = isByName ? 0 : others.count - others.reversed().prefix { $0.isLate }.count
    let before = others.dropFirst(ordered).last { $0.key <= key } ?? others.prefix(ordered).last
    let place = before.map { $0.position + 1 } ?? 0
    try makeRoom(at: place, in: gallery)
    try run(
      "INSERT INTO portfolio_places (gallery, picture, position, run, is_late) VALUES (?, ?, ?, 0, ?)", .int(gallery),
      .int(picture), .int(place), Value(!isByName))
  }

  private func makeRoom(at place: Int, in gallery: Int) throws(StoreError) {
    try run(
      "UPDATE portfolio_places SET position = position + 1 WHERE gallery = ? AND position >= ?", .int(gallery),
      .int(place))
  }

  /// Moves a picture within its gallery.
  /// - Parameter next: the picture that it goes before; nil: to the end.
  /// - Returns: false if one of them is not in it.
  func move(_ picture: Int, before next: Int?, in gallery: Int) throws(StoreError) -> Bool {
    guard try position(of: picture, in: gallery) != nil else { return false }
    let place: Int
    if let next {
      guard let found = try position(of: next, in: gallery) else { return false }
      place = found
      try makeRoom(at: place, in: gallery)
    } else {
      place = try number("SELECT max(position) FROM portfolio_places WHERE gallery = ?", .int(gallery)) + 1
    }
    try run(
      "UPDATE portfolio_places SET position = ?, is_late = 0 WHERE gallery = ? AND picture = ?", .int(place),
      .int(gallery), .int(picture))
    return true
  }

  func removePlace(of picture: Int, in gallery: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_places WHERE gallery = ? AND picture = ?", .int(gallery), .int(picture))
    try run(
      "UPDATE portfolio_galleries SET chosen_cover = NULL WHERE id = ? AND chosen_cover = ?", .int(gallery),
      .int(picture))
  }

  /// The keys of the pictures that are in this gallery alone.
  func picturesOnly(in gallery: Int, limit: Int) throws(StoreError) -> [Int] {
    try rows(
      """
      SELECT picture FROM portfolio_places s WHERE gallery = ?
        AND NOT EXISTS (SELECT 1 FROM portfolio_places o WHERE o.picture = s.picture AND o.gallery <> s.gallery) LIMIT ?
      """, .int(gallery), .int(limit)
    ) { $0.int(0) }
  }

  /// The picture of a portfolio that was made of these bytes.
  func portfolioPicture(digest: [UInt8], of portfolio: Int) throws(StoreError) -> PortfolioPicture? {
    try first(
      "\(Self.selectPictures) WHERE p.portfolio = ? AND p.digest = ? LIMIT 1", .int(portfolio), .blob(digest),
      read: Self.portfolioPicture)
  }

  /// Adds a picture that was uploaded, whose sizes are still to be made.
  func addUploaded(_ picture: PortfolioPicture) throws(StoreError) -> Int {
    let (source, original) = (picture.source, picture.original)
    return try inserted(
      """
      INSERT INTO portfolio_pictures (portfolio, source_id, address, version, kind, title, caption, uploaded,
        is_private, file, source_bytes, digest, original_bytes, original_type, original_name)
      VALUES (?, ?, ?, ?, ?, ?, '', ?, 0, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .int(picture.portfolio), .text(source.id), .text(picture.address), .text(source.version),
      .text(source.kind.rawValue), .text(source.title), Value(source.uploaded), .text(source.file),
      Value(source.bytes), .blob(picture.digest), .int(original?.bytes ?? 0), Value(original?.type),
      Value(original?.name))
  }
}
