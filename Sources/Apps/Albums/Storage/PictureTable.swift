import Store

/// Pictures of albums.
extension Database {
  static let pictureColumns = """
    p.id, p.album, p.address, p.guest, p.at, p.kind, p.width, p.height, p.placeholder, p.seconds, p.has, p.wants,
    p.showing, p.failure, p.hearts, p.removed_at, p.withdrawn, p.tag, p.name, p.type, p.size, p.taken, p.pair,
    p.music_address, p.music_title, p.sound_size
    """
  static let pictureColumnCount = 26
  static let selectPictures = "SELECT \(pictureColumns) FROM albums_pictures p"

  static func picture(_ row: Row) -> Picture {
    var picture = Picture(
      id: row.int(0), album: row.int(1), address: row.text(2), guest: row.int(3), at: row.double(4),
      tag: row.text(17), size: row.int(20))
    picture.kind = Picture.Kind(rawValue: row.text(5)) ?? .other
    (picture.width, picture.height, picture.placeholder) = (row.int(6), row.int(7), row.blob(8))
    picture.seconds = row.optionalDouble(9)
    (picture.has, picture.wants) = (Picture.Files(rawValue: row.int(10)), Picture.Files(rawValue: row.int(11)))
    picture.showing = Picture.Showing(rawValue: row.text(12)) ?? .hidden
    (picture.failure, picture.hearts) = (row.optionalText(13), row.int(14))
    (picture.removedAt, picture.isWithdrawn) = (row.optionalDouble(15), row.bool(16))
    (picture.name, picture.type) = (row.optionalText(18), row.optionalText(19))
    (picture.taken, picture.pair) = (row.optionalText(21), row.optionalText(22))
    picture.music = row.optionalText(24).map { Picture.Music(address: row.optionalText(23), title: $0) }
    picture.soundSize = row.int(25)
    return picture
  }

  /// A picture of an album, also one that was removed within the last days.
  func picture(address: String, of album: Int) throws(StoreError) -> Picture? {
    try first(
      "\(Self.selectPictures) WHERE p.address = ? AND p.album = ?", .text(address), .int(album), read: Self.picture)
  }

  func picture(_ id: Int) throws(StoreError) -> Picture? {
    try first("\(Self.selectPictures) WHERE p.id = ?", .int(id), read: Self.picture)
  }

  /// The picture that a guest has sent with this digest of its original.
  func picture(digest: BlobDigest, ofGuest guest: Int) throws(StoreError) -> Picture? {
    try first(
      "\(Self.selectPictures) WHERE p.guest = ? AND p.digest = ? ORDER BY p.id LIMIT 1", .int(guest),
      .blob(digest.bytes), read: Self.picture)
  }

  func add(_ picture: Picture, digest: BlobDigest, crc32: UInt32) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO albums_pictures (album, address, guest, at, kind, width, height, placeholder, has, wants, stage,
        showing, removed_at, withdrawn, tag, name, type, size, crc32, digest, taken, pair)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .int(picture.album), .text(picture.address), .int(picture.guest), .double(picture.at),
      .text(picture.kind.rawValue), .int(picture.width), .int(picture.height), .blob(picture.placeholder),
      .int(picture.has.rawValue), .int(picture.wants.rawValue), .int(picture.stage), .text(picture.showing.rawValue),
      Value(picture.removedAt), Value(picture.isWithdrawn), .text(picture.tag), Value(picture.name),
      Value(picture.type), .int(picture.size), .int(Int(crc32)), .blob(digest.bytes), Value(picture.taken),
      Value(picture.pair))
  }

  /// Keeps all that can change.
  func save(_ picture: Picture) throws(StoreError) {
    try run(
      """
      UPDATE albums_pictures SET kind = ?, width = ?, height = ?, placeholder = ?, seconds = ?, has = ?, wants = ?,
        stage = ?, showing = ?, failure = ?, hearts = ?, removed_at = ?, withdrawn = ?, tag = ?, taken = ?, pair = ?,
        music_address = ?, music_title = ?, sound_size = ?
      WHERE id = ?
      """, .text(picture.kind.rawValue), .int(picture.width), .int(picture.height), .blob(picture.placeholder),
      Value(picture.seconds), .int(picture.has.rawValue), .int(picture.wants.rawValue), .int(picture.stage),
      .text(picture.showing.rawValue), Value(picture.failure), .int(picture.hearts), Value(picture.removedAt),
      Value(picture.isWithdrawn), .text(picture.tag), Value(picture.taken), Value(picture.pair),
      Value(picture.music?.address), Value(picture.music?.title), .int(picture.soundSize),
      .int(picture.id))
  }

  /// Takes out all pictures of a guest, whatever their states are.
  func removePictures(ofGuest guest: Int, isWithdrawn: Bool, now: Double) throws(StoreError) {
    try run(
      "UPDATE albums_pictures SET removed_at = ?, withdrawn = ?, stage = 0 WHERE guest = ? AND removed_at IS NULL",
      .double(now), Value(isWithdrawn), .int(guest))
  }

  /// The other halves of a live photo: its film, or its picture.
  func otherHalves(of picture: Picture) throws(StoreError) -> [Picture] {
    guard let pair = picture.pair else { return [] }
    return try rows(
      """
      \(Self.selectPictures) WHERE p.guest = ? AND p.pair = ? AND p.id <> ?
        AND \(Self.isFilm("p")) <> ? ORDER BY p.id LIMIT ?
      """, .int(picture.guest), .text(pair), .int(picture.id), Value(picture.isSentVideo), .int(AlbumLimits.halves),
      read: Self.picture)
  }

  /// The condition that something came as a video.
  static func isFilm(_ table: String) -> String { "(coalesce(\(table).type, '') LIKE 'video/%')" }

  /// The condition that a picture p is the film of a live photo, which is one with its photo.
  static let isHalfFilm = """
    (\(isFilm("p")) AND EXISTS (SELECT 1 FROM albums_pictures o WHERE o.guest = p.guest AND o.pair = p.pair
      AND (o.removed_at IS NULL) = (p.removed_at IS NULL) AND o.showing = p.showing AND NOT \(isFilm("o"))))
    """

  func replacePair(_ old: String, by new: String, ofGuest guest: Int) throws(StoreError) {
    try run("UPDATE albums_pictures SET pair = ? WHERE guest = ? AND pair = ?", .text(new), .int(guest), .text(old))
  }

  /// Removes the row; its blobs are the caller's.
  func removePicture(_ id: Int) throws(StoreError) { try run("DELETE FROM albums_pictures WHERE id = ?", .int(id)) }

  /// Counts of an album's pictures that are not removed, as pages count them: a live photo is one.
  /// - Parameter isForHosts: true to count what hosts alone see among those shown, such as raw files.
  func pictureCounts(
    of album: Int, isForHosts: Bool
  ) throws(StoreError) -> (shown: Int, waiting: Int, hidden: Int) {
    var counts = (shown: 0, waiting: 0, hidden: 0)
    let seen = isForHosts ? "" : "AND (p.showing <> 'shown' OR p.failure IS NULL AND p.kind IN ('photo', 'video'))"
    let found = try rows(
      """
      SELECT p.showing, count(*) FROM albums_pictures p WHERE p.album = ? AND p.removed_at IS NULL \(seen)
        AND NOT \(Self.isHalfFilm) GROUP BY p.showing
      """, .int(album)
    ) { (Picture.Showing(rawValue: $0.text(0)), $0.int(1)) }
    for (showing, count) in found {
      switch showing {
      case .shown: counts.shown = count
      case .waiting: counts.waiting = count
      case .hidden: counts.hidden = count
      case nil: break
      }
    }
    return counts
  }
}

extension Picture {
  /// The queue that it stands in: 1 for the small size, 2 for the large one, 3 for a video, 4 for a sound, 0
  /// for none.
  var stage: Int {
    if removedAt != nil || failure != nil { return 0 }
    if wants.contains(.small) || wants.contains(.preview) { return 1 }
    if wants.contains(.large) { return 2 }
    // A sound is short; a video may take minutes.
    return wants.contains(.sound) ? 4 : wants.contains(.video) ? 3 : 0
  }
}
