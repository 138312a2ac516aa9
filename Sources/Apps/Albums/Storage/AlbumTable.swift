import Store

/// Albums.
extension Database {
  /// Albums that are not deleted.
  private static let selectAlbums = """
    SELECT id, address, name, mode, review, upload_only, shows_taken, plays_sound, passphrase, secret, person,
      created_at, closes_at, closed_at, bytes, pictures FROM albums_albums WHERE deleted_at IS NULL
    """

  private static func album(_ row: Row) -> Album {
    let options = AlbumOptions(
      mode: Album.Mode(rawValue: row.text(3)) ?? .family, review: row.bool(4), uploadOnly: row.bool(5),
      showsTaken: row.bool(6), playsSound: row.bool(7), passphrase: row.optionalText(8),
      closesAt: row.optionalDouble(12))
    return Album(
      id: row.int(0), address: row.text(1), name: row.text(2), options: options, secret: row.text(9),
      person: row.optionalInt(10), createdAt: row.double(11), closedAt: row.optionalDouble(13),
      bytes: row.int(14), pictures: row.int(15))
  }

  /// An album that is not deleted.
  func album(_ id: Int) throws(StoreError) -> Album? {
    try first("\(Self.selectAlbums) AND id = ?", .int(id), read: Self.album)
  }

  func album(address: String) throws(StoreError) -> Album? {
    try first("\(Self.selectAlbums) AND address = ?", .text(address), read: Self.album)
  }

  func album(secretDigest: [UInt8]) throws(StoreError) -> Album? {
    try first("\(Self.selectAlbums) AND secret_digest = ?", .blob(secretDigest), read: Self.album)
  }

  /// All albums, the newest first.
  func albums() throws(StoreError) -> [Album] {
    try rows("\(Self.selectAlbums) ORDER BY id DESC", read: Self.album)
  }

  /// Those of which nobody who is in is a host.
  func albumsWithoutHost() throws(StoreError) -> [Album] {
    try rows(
      """
      \(Self.selectAlbums) AND id NOT IN (
        SELECT album FROM albums_guests WHERE state = 'in' AND role = 'host') ORDER BY id DESC
      """, read: Self.album)
  }

  /// The albums that a person is in, the newest first.
  func albums(ofPerson person: Int) throws(StoreError) -> [Album] {
    try rows(
      """
      \(Self.selectAlbums) AND id IN (
        SELECT album FROM albums_guests WHERE person = ? AND state IN ('asked', 'in')) ORDER BY id DESC
      """, .int(person), read: Self.album)
  }

  func albumCount() throws(StoreError) -> Int {
    try number("SELECT count(*) FROM albums_albums WHERE deleted_at IS NULL")
  }

  /// True if there can be one more, made by this person; nil for nobody's.
  func hasRoom(forAlbumOf person: Int?, now: Double) throws(StoreError) -> Bool {
    guard try albumCount() < AlbumLimits.albums else { return false }
    guard let person else { return true }
    let own = try first(
      """
      SELECT count(*), count(CASE WHEN closed_at IS NULL AND (closes_at IS NULL OR closes_at > ?) THEN 1 END)
      FROM albums_albums WHERE person = ? AND deleted_at IS NULL
      """, .double(now), .int(person)
    ) { (all: $0.int(0), open: $0.int(1)) }
    guard let own else { return true }
    return own.all < AlbumLimits.albumsOfPerson && own.open < AlbumLimits.openAlbumsOfPerson
  }

  func add(_ album: Album) throws(StoreError) -> Int {
    let options = album.options
    return try inserted(
      """
      INSERT INTO albums_albums (address, name, mode, review, upload_only, shows_taken, plays_sound, passphrase, secret,
        secret_digest, person, created_at, closes_at, closed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(album.address), .text(album.name), .text(options.mode.rawValue), Value(options.review),
      Value(options.uploadOnly), Value(options.showsTaken), Value(options.playsSound), Value(options.passphrase),
      .text(album.secret), .blob(AlbumSecret.digest(album.secret)), Value(album.person), .double(album.createdAt),
      Value(options.closesAt), Value(album.closedAt))
  }

  /// Keeps name, options, secret and end.
  func save(_ album: Album) throws(StoreError) {
    let options = album.options
    try run(
      """
      UPDATE albums_albums SET name = ?, mode = ?, review = ?, upload_only = ?, shows_taken = ?, plays_sound = ?,
        passphrase = ?, secret = ?, secret_digest = ?, closes_at = ?, closed_at = ? WHERE id = ?
      """, .text(album.name), .text(options.mode.rawValue), Value(options.review), Value(options.uploadOnly),
      Value(options.showsTaken), Value(options.playsSound), Value(options.passphrase), .text(album.secret),
      .blob(AlbumSecret.digest(album.secret)), Value(options.closesAt), Value(album.closedAt), .int(album.id))
  }

  /// Counts an original or a sound, or with negative numbers one that is gone for good, for the album and its guest.
  func count(bytes: Int, pictures: Int, album: Int, guest: Int) throws(StoreError) {
    try run(
      "UPDATE albums_albums SET bytes = bytes + ?, pictures = pictures + ? WHERE id = ?", .int(bytes), .int(pictures),
      .int(album))
    try run(
      "UPDATE albums_guests SET bytes = bytes + ?, pictures = pictures + ? WHERE id = ?", .int(bytes), .int(pictures),
      .int(guest))
  }
}

extension Database {
  /// Ends an album: nobody finds it any more.
  func deleteAlbum(_ id: Int, now: Double) throws(StoreError) {
    try run("UPDATE albums_albums SET deleted_at = ? WHERE id = ?", .double(now), .int(id))
    try run("DELETE FROM albums_tokens WHERE guest IN (SELECT id FROM albums_guests WHERE album = ?)", .int(id))
  }
}
