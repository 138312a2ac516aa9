import Galleries
import Hub
import Imaging
import Store
import Wire

/// The rows of pictures.
extension Database {
  static let pictureColumns = """
    p.id, p.portfolio, p.address, p.source_id, p.version, p.kind, p.title, p.caption, p.taken, p.uploaded,
    p.source_width, p.source_height, p.place, p.latitude, p.longitude, p.is_private, p.page, p.license, p.file,
    p.source_bytes, p.made, p.digest, p.tag, p.width, p.height, p.placeholder, p.seconds, p.files, p.failure, p.tries,
    p.original_bytes, p.original_type, p.original_name, p.file_title, p.file_caption
    """

  /// The number of those columns.
  static let pictureColumnCount = 35
  static let selectPictures = "SELECT \(pictureColumns) FROM portfolio_pictures p"

  static func portfolioPicture(_ row: Row) -> PortfolioPicture {
    var source = SourcePicture(
      id: row.text(3), version: row.text(4), kind: SourcePicture.Kind(rawValue: row.text(5)) ?? .picture,
      title: row.text(6), caption: row.text(7), taken: row.optionalText(8), uploaded: row.optionalDouble(9),
      width: row.optionalInt(10), height: row.optionalInt(11), isPrivate: row.bool(15), page: row.optionalText(16),
      license: row.optionalText(17), file: row.text(18), bytes: row.optionalInt(19))
    let place = SourcePlace(
      name: row.optionalText(12), latitude: row.optionalDouble(13), longitude: row.optionalDouble(14))
    if place != SourcePlace() { source.place = place }
    var picture = PortfolioPicture(portfolio: row.int(1), address: row.text(2), source: source)
    picture.id = row.int(0)
    (picture.made, picture.digest, picture.tag) = (row.optionalText(20), row.blob(21), row.text(22))
    (picture.width, picture.height) = (row.int(23), row.int(24))
    (picture.placeholder, picture.seconds) = (row.blob(25), row.optionalDouble(26))
    picture.files = PortfolioPicture.files(kept: row.text(27))
    picture.failure = row.optionalText(28).map { Reason(kept: $0) }
    picture.tries = row.int(29)
    if row.int(30) > 0 {
      picture.original = .init(
        bytes: row.int(30), type: row.optionalText(31) ?? "", name: row.optionalText(32) ?? "")
    }
    if let title = row.optionalText(33) { picture.words = PictureWords(title: title, caption: row.text(34)) }
    return picture
  }

  func portfolioPicture(key: Int) throws(StoreError) -> PortfolioPicture? {
    try first("\(Self.selectPictures) WHERE p.id = ?", .int(key), read: Self.portfolioPicture)
  }

  func portfolioPicture(_ address: String, of portfolio: Int) throws(StoreError) -> PortfolioPicture? {
    try first(
      "\(Self.selectPictures) WHERE p.address = ? AND p.portfolio = ?", .text(address), .int(portfolio),
      read: Self.portfolioPicture)
  }

  /// Pictures of a gallery that are here, in order, from the one after another on.
  /// - Parameter last: the key of the picture before; 0 for the beginning.
  func portfolioPictures(in gallery: Int, after last: Int, limit: Int) throws(StoreError) -> [PortfolioPicture] {
    let position = try position(of: last, in: gallery) ?? -1
    return try rows(
      """
      SELECT \(Self.pictureColumns) FROM portfolio_places s JOIN portfolio_pictures p ON p.id = s.picture
      WHERE s.gallery = ? AND (s.position, s.picture) > (?, ?) AND p.made IS NOT NULL
      ORDER BY s.position, s.picture LIMIT ?
      """, .int(gallery), .int(position), .int(last), .int(limit), read: Self.portfolioPicture)
  }

  func position(of picture: Int, in gallery: Int) throws(StoreError) -> Int? {
    try first(
      "SELECT position FROM portfolio_places WHERE gallery = ? AND picture = ?", .int(gallery), .int(picture)
    ) { $0.int(0) }
  }

  /// The pictures that are to be fetched and that this sync has not tried, those of the first galleries first.
  func picturesToFetch(of portfolio: Int, run: Int, limit: Int) throws(StoreError) -> [PortfolioPicture] {
    try rows(
      """
      \(Self.selectPictures) LEFT JOIN portfolio_places s ON s.picture = p.id AND s.is_missing = 0
      LEFT JOIN portfolio_galleries g ON g.id = s.gallery
      WHERE p.portfolio = ? AND p.made IS DISTINCT FROM p.version AND p.tried < ? AND p.tries < \(PortfolioLimits.tries)
      GROUP BY p.id HAVING count(g.id) > 0 ORDER BY min(g.position), min(s.position) LIMIT ?
      """, .int(portfolio), .int(run), .int(limit), read: Self.portfolioPicture)
  }

  /// Pictures whose last fetch has failed, with a gallery of each.
  func failedPictures(of portfolio: Int, limit: Int) throws(StoreError) -> [SyncReport.FailedPicture] {
    try rows(
      """
      SELECT p.address, p.title, p.source_id, p.failure, min(g.title) FROM portfolio_pictures p
      JOIN portfolio_places s ON s.picture = p.id JOIN portfolio_galleries g ON g.id = s.gallery
      WHERE p.portfolio = ? AND p.failure IS NOT NULL GROUP BY p.id ORDER BY p.id LIMIT ?
      """, .int(portfolio), .int(limit)
    ) { row in
      SyncReport.FailedPicture(
        picture: row.text(0), title: row.text(1).isEmpty ? row.text(2) : row.text(1), gallery: row.text(4),
        why: Reason(kept: row.text(3)))
    }
  }

  /// Notes what the source tells about a picture; its place in a gallery is another row.
  /// - Returns: its key, and true if something of it is new.
  func note(_ told: SourcePicture, in portfolio: Int) throws(StoreError) -> (id: Int, isNews: Bool) {
    var picture = told
    let known = try first(
      "\(Self.selectPictures) WHERE p.portfolio = ? AND p.source_id = ?", .int(portfolio), .text(picture.id),
      read: Self.portfolioPicture)
    // The day that the file itself says stays until another file is here: its bytes may be the same at another time.
    if told.taken == nil, let known { picture.taken = known.source.taken }
    if let known, known.source == picture { return (known.id, false) }
    let place = picture.place
    let id = try inserted(
      """
      INSERT INTO portfolio_pictures (portfolio, source_id, address, version, kind, title, caption, taken, uploaded,
        source_width, source_height, place, latitude, longitude, is_private, page, license, file, source_bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (portfolio, source_id) DO UPDATE SET version = excluded.version, kind = excluded.kind,
        title = excluded.title, caption = excluded.caption, taken = excluded.taken, uploaded = excluded.uploaded,
        source_width = excluded.source_width, source_height = excluded.source_height, place = excluded.place,
        latitude = excluded.latitude, longitude = excluded.longitude, is_private = excluded.is_private,
        page = excluded.page, license = excluded.license, file = excluded.file, source_bytes = excluded.source_bytes
      RETURNING id
      """, .int(portfolio), .text(picture.id), .text(RandomID.make()), .text(picture.version),
      .text(picture.kind.rawValue), .text(picture.title), .text(picture.caption), Value(picture.taken),
      Value(picture.uploaded), Value(picture.width), Value(picture.height), Value(place?.name),
      Value(place?.latitude), Value(place?.longitude), Value(picture.isPrivate), Value(picture.page),
      Value(picture.license), .text(picture.file), Value(picture.bytes))
    if let known, known.source.version != picture.version {
      try run("UPDATE portfolio_pictures SET failure = NULL, tries = 0 WHERE id = ?", .int(id))
    }
    return (id, true)
  }

  /// Keeps what was made of a picture.
  func save(made picture: PortfolioPicture) throws(StoreError) {
    try run(
      """
      UPDATE portfolio_pictures SET made = ?, digest = ?, tag = ?, width = ?, height = ?, placeholder = ?, seconds = ?,
        taken = ?, file_title = ?, file_caption = ?, files = ?, bytes = ?, failure = NULL, tries = 0 WHERE id = ?
      """, Value(picture.made), .blob(picture.digest), .text(picture.tag), .int(picture.width), .int(picture.height),
      .blob(picture.placeholder), Value(picture.seconds), Value(picture.source.taken), Value(picture.words?.title),
      Value(picture.words?.caption), .text(picture.keptFiles),
      .int(picture.files.reduce(0) { $0 + $1.bytes }), .int(picture.id))
  }

  func noteFailure(_ reason: Reason, tries: Int, of picture: Int) throws(StoreError) {
    try run(
      "UPDATE portfolio_pictures SET failure = ?, tries = ? WHERE id = ?", .text(reason.kept), .int(tries),
      .int(picture))
  }

  /// Somebody asks for a look: all failed pictures of a portfolio are tried again, and files that are at hand are read
  /// for words if an older version did not do so. A server would have to send all of them once more.
  func forgetTries(of portfolio: Portfolio) throws(StoreError) {
    try run("UPDATE portfolio_pictures SET tries = 0 WHERE portfolio = ? AND failure IS NOT NULL", .int(portfolio.id))
    guard [.folder, .uploads].contains(portfolio.source.kind) else { return }
    try run(
      "UPDATE portfolio_pictures SET made = '' WHERE portfolio = ? AND made IS NOT NULL AND file_title IS NULL",
      .int(portfolio.id))
  }

  /// Notes that a sync has tried a picture.
  func noteTried(_ picture: Int, run: Int) throws(StoreError) {
    try self.run("UPDATE portfolio_pictures SET tried = ? WHERE id = ?", .int(run), .int(picture))
  }

  /// Removes a picture with its files, and from its owner's favourites.
  func removePicture(_ key: Int, commit: Int) throws(StoreError) {
    guard let picture = try portfolioPicture(key: key) else { return }
    for file in picture.files { try removeName(PortfolioPicture.blob(file.name, picture.address)) }
    try removeName(PortfolioPicture.blob(PortfolioPicture.originalName, picture.address))
    try run("UPDATE portfolio_galleries SET chosen_cover = NULL WHERE chosen_cover = ?", .int(key))
    try run(
      """
      UPDATE portfolio_favourite_lists SET changed = ?
      WHERE portfolio = (SELECT portfolio FROM portfolio_favourites WHERE picture = ?)
      """, .int(commit), .int(key))
    try run("DELETE FROM portfolio_pictures WHERE id = ?", .int(key))
  }
}

extension PortfolioPicture {
  fileprivate var keptFiles: String {
    JSON.array(
      files.map { ["name": .string($0.name), "bytes": .int($0.bytes), "sha256": .string($0.sha256)] }
    ).text
  }

  fileprivate static func files(kept text: String) -> [File] {
    ((try? JSON(parsing: text))?.array ?? []).compactMap { one in
      guard let name = one["name"]?.string, let bytes = one["bytes"]?.int, let sha256 = one["sha256"]?.string else {
        return nil
      }
      return File(name: name, bytes: bytes, sha256: sha256)
    }
  }
}
