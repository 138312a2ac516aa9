import Store

/// Guests and hosts of albums, and their tokens.
extension Database {
  private static let selectGuests = """
    SELECT g.id, g.album, g.address, g.person, g.name, g.role, g.state, g.joined_at, g.bytes, g.pictures
    FROM albums_guests g
    """

  private static func guest(_ row: Row) -> Guest {
    Guest(
      id: row.int(0), album: row.int(1), address: row.text(2), person: row.optionalInt(3), name: row.optionalText(4),
      role: Guest.Role(rawValue: row.text(5)) ?? .guest, state: Guest.State(rawValue: row.text(6)) ?? .left,
      joinedAt: row.double(7), bytes: row.int(8), pictures: row.int(9))
  }

  func guest(_ id: Int) throws(StoreError) -> Guest? {
    try first("\(Self.selectGuests) WHERE g.id = ?", .int(id), read: Self.guest)
  }

  func guest(address: String, of album: Int) throws(StoreError) -> Guest? {
    try first("\(Self.selectGuests) WHERE g.address = ? AND g.album = ?", .text(address), .int(album), read: Self.guest)
  }

  func guest(person: Int, of album: Int) throws(StoreError) -> Guest? {
    try first("\(Self.selectGuests) WHERE g.album = ? AND g.person = ?", .int(album), .int(person), read: Self.guest)
  }

  /// The holder of a token.
  func guest(tokenDigest: [UInt8]) throws(StoreError) -> Guest? {
    try first(
      "\(Self.selectGuests) JOIN albums_tokens t ON t.guest = g.id WHERE t.digest = ?", .blob(tokenDigest),
      read: Self.guest)
  }

  /// Everybody of an album who is in, asks, or has pictures in it, in the order of coming.
  func guests(of album: Int) throws(StoreError) -> [Guest] {
    try rows(
      """
      \(Self.selectGuests) WHERE g.album = ? AND (g.state IN ('asked', 'in') OR g.pictures > 0) ORDER BY g.id
      """, .int(album), read: Self.guest)
  }

  /// The guests with a person, in all albums.
  func albumGuests(ofPerson person: Int) throws(StoreError) -> [Guest] {
    try rows("\(Self.selectGuests) WHERE g.person = ?", .int(person), read: Self.guest)
  }

  /// The members of the hub who are hosts of an album.
  func hostPeople(of album: Int) throws(StoreError) -> [Int] {
    try rows(
      "SELECT person FROM albums_guests WHERE album = ? AND state = 'in' AND role = 'host' AND person IS NOT NULL",
      .int(album)
    ) { $0.int(0) }
  }

  /// The member of the hub who has been in an album longest.
  func firstMember(of album: Int) throws(StoreError) -> Guest? {
    try first(
      """
      \(Self.selectGuests) WHERE g.album = ? AND g.state = 'in' AND g.person IS NOT NULL ORDER BY g.id LIMIT 1
      """, .int(album), read: Self.guest)
  }

  /// The members of the hub who are hosts of any album that goes on.
  func hostPeople() throws(StoreError) -> [Int] {
    try rows(
      """
      SELECT DISTINCT g.person FROM albums_guests g JOIN albums_albums a ON a.id = g.album
      WHERE g.state = 'in' AND g.role = 'host' AND g.person IS NOT NULL
        AND a.closed_at IS NULL AND a.deleted_at IS NULL ORDER BY g.person
      """
    ) { $0.int(0) }
  }

  /// - Parameter state: nil for all who were ever here.
  func guestCount(of album: Int, _ state: Guest.State?) throws(StoreError) -> Int {
    guard let state else { return try number("SELECT count(*) FROM albums_guests WHERE album = ?", .int(album)) }
    return try number(
      "SELECT count(*) FROM albums_guests WHERE album = ? AND state = ?", .int(album), .text(state.rawValue))
  }

  func hostCount(of album: Int) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM albums_guests WHERE album = ? AND state = 'in' AND role = 'host'", .int(album))
  }

  func add(_ guest: Guest) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO albums_guests (album, address, person, name, role, state, joined_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      RETURNING id
      """, .int(guest.album), .text(guest.address), Value(guest.person), Value(guest.name),
      .text(guest.role.rawValue), .text(guest.state.rawValue), .double(guest.joinedAt))
  }

  /// Keeps name, role, state and time. The tokens of one who is not here any more stay, so that their page is told why.
  func save(_ guest: Guest, now: Double) throws(StoreError) {
    try run(
      "UPDATE albums_guests SET name = ?, role = ?, state = ?, joined_at = ?, ended_at = ? WHERE id = ?",
      Value(guest.name), .text(guest.role.rawValue), .text(guest.state.rawValue), .double(guest.joinedAt),
      Value(guest.state.isHere ? nil : now), .int(guest.id))
  }

  /// - Parameter device: the member's device on which the token is shown, with which it ends; nil for anybody else's.
  func add(tokenDigest: [UInt8], to guest: Int, on device: Int?, now: Double) throws(StoreError) {
    try run(
      "INSERT INTO albums_tokens (digest, guest, created_at, device) VALUES (?, ?, ?, ?)", .blob(tokenDigest),
      .int(guest), .double(now), Value(device))
    try run(
      """
      DELETE FROM albums_tokens WHERE guest = ? AND digest NOT IN (
        SELECT digest FROM albums_tokens WHERE guest = ? ORDER BY created_at DESC LIMIT ?)
      """, .int(guest), .int(guest), .int(AlbumLimits.tokensOfGuest))
  }

  /// Removes those who were not here any more before a time, and of whom the album has neither pictures nor hearts.
  func forgetGuests(endedBefore time: Double) throws(StoreError) {
    try run(
      """
      DELETE FROM albums_guests WHERE state IN ('refused', 'removed', 'left') AND coalesce(ended_at, joined_at) < ?
        AND id NOT IN (SELECT guest FROM albums_pictures) AND id NOT IN (SELECT guest FROM albums_hearts)
      """, .double(time))
  }
}
