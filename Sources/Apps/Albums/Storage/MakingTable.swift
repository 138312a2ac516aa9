import Imaging
import Store

/// The queue of what is still to be made of pictures, and what is to be removed for good.
extension Database {
  private static let waiting = "p.stage > 0 AND p.album NOT IN (SELECT id FROM albums_albums WHERE deleted_at > 0)"

  /// The next pictures, by the turns of their guests: of one guest those without a small size first, of these the
  /// newest; then the large sizes. Of what is converted sounds come first, and then the shortest videos.
  /// - Parameters:
  ///   - looks: the most videos of which sizes are to be made; they come after the pictures.
  ///   - videos: false without what is made by converting, of which one is told.
  func picturesToMake(
    limit: Int, looks: Int, videos: Bool, turns: Turns, now: Double
  ) throws(StoreError) -> [Picture] {
    let (sizes, order) = ("p.stage < 3 AND coalesce(p.type, '')", "p.stage, p.id DESC")
    return try nextPictures("\(sizes) NOT LIKE 'video/%'", stage: "min(p.stage)", order, limit, turns, now)
      + nextPictures("\(sizes) LIKE 'video/%'", stage: "min(p.stage)", order, looks, turns, now)
      + nextPictures(
        "p.stage >= 3", stage: "3", "p.stage DESC, coalesce(p.seconds, \(ImagingLimits.videoLength)), p.id",
        videos ? 1 : 0, turns, now)
  }

  private func nextPictures(
    _ condition: String, stage: String, _ order: String, _ limit: Int, _ turns: Turns, _ now: Double
  ) throws(StoreError) -> [Picture] {
    if limit <= 0 { return [] }
    // A clock that was ahead has put off by more than anything is.
    let due = "\(Self.waiting) AND \(condition) AND (p.not_before <= ? OR p.not_before > ?)"
    let last = now + AlbumLimits.lastRetrySeconds
    let waiting = try rows(
      """
      SELECT p.album, p.guest, \(stage), max(p.id) FROM albums_pictures p WHERE \(due) GROUP BY p.album, p.guest
      """, .double(now), .double(last)
    ) { Turns.Waiting(album: $0.int(0), guest: $0.int(1), stage: $0.int(2), newest: $0.int(3)) }
    var found: [Picture] = []
    for guest in turns.inOrder(waiting) where found.count < limit {
      found += try rows(
        "\(Self.selectPictures) WHERE \(due) AND p.guest = ? ORDER BY \(order) LIMIT ?", .double(now), .double(last),
        .int(guest.guest), .int(limit - found.count), read: Self.picture)
    }
    return found
  }

  func countToMake() throws(StoreError) -> Int {
    try number("SELECT count(*) FROM albums_pictures p WHERE \(Self.waiting)")
  }

  /// When the next picture is tried again.
  func nextTry(after now: Double) throws(StoreError) -> Double? {
    try first(
      "SELECT min(p.not_before) FROM albums_pictures p WHERE \(Self.waiting) AND p.not_before > ?", .double(now)
    ) { $0.optionalDouble(0) } ?? nil
  }

  /// Notes a try that failed.
  /// - Returns: the count of tries.
  func noteTry(_ picture: Int, now: Double) throws(StoreError) -> Int {
    let pause = "CASE tries WHEN 0 THEN \(AlbumLimits.retrySeconds) ELSE \(AlbumLimits.lastRetrySeconds) END"
    return try inserted(
      "UPDATE albums_pictures SET tries = tries + 1, not_before = ? + \(pause) WHERE id = ? RETURNING tries",
      .double(now), .int(picture))
  }

  private static let isGivenUp = "failure = 'program-failed' AND removed_at IS NULL"

  /// Pictures that were given up because the program failed. They are found by a look at all there are.
  func givenUp() throws(StoreError) -> [Int] {
    try rows("SELECT id FROM albums_pictures WHERE \(Self.isGivenUp)") { $0.int(0) }
  }

  /// Has one of them made after all.
  func tryAgain(_ picture: Int) throws(StoreError) {
    try run(
      """
      UPDATE albums_pictures SET failure = NULL, tries = 0, not_before = 0, wants = ?, stage = 1
      WHERE id = ? AND \(Self.isGivenUp)
      """, .int(Picture.Files([.small, .large]).rawValue), .int(picture))
  }

  /// Puts a picture off without a try.
  func putOff(_ picture: Int, until time: Double) throws(StoreError) {
    try run("UPDATE albums_pictures SET not_before = ? WHERE id = ?", .double(time), .int(picture))
  }

  /// The tries of what was made before do not count for what comes next.
  func forgetTries(_ picture: Int) throws(StoreError) {
    try run("UPDATE albums_pictures SET tries = 0, not_before = 0 WHERE id = ?", .int(picture))
  }

  // MARK: Removing for good

  /// Pictures that were removed before a time, and all of deleted albums.
  func picturesToForget(removedBefore time: Double, limit: Int) throws(StoreError) -> [Picture] {
    let removed = try rows(
      "\(Self.selectPictures) WHERE p.removed_at < ? LIMIT ?", .double(time), .int(limit), read: Self.picture)
    guard removed.count < limit else { return removed }
    return try removed
      + rows(
        """
        \(Self.selectPictures) WHERE p.album IN (SELECT id FROM albums_albums WHERE deleted_at > 0)
          AND (p.removed_at IS NULL OR p.removed_at >= ?) LIMIT ?
        """, .double(time), .int(limit - removed.count), read: Self.picture)
  }

  /// Removes deleted albums that have no picture any more, with their guests; not before `UploadExpiry` has ended what
  /// was being sent to them, of which nothing else would tell.
  func forgetDeletedAlbums() throws(StoreError) {
    try run(
      """
      DELETE FROM albums_albums WHERE deleted_at > 0 AND id NOT IN (SELECT album FROM albums_pictures)
        AND id NOT IN (SELECT album FROM albums_uploads WHERE picture IS NULL)
      """)
  }

  // MARK: What happens by itself

  /// Open albums whose end has come.
  func albumsToClose(now: Double) throws(StoreError) -> [Int] {
    try rows(
      "SELECT id FROM albums_albums WHERE deleted_at IS NULL AND closed_at IS NULL AND closes_at <= ?", .double(now)
    ) { $0.int(0) }
  }

  /// The next end of an album.
  func nextEnd() throws(StoreError) -> Double? {
    try first("SELECT min(closes_at) FROM albums_albums WHERE deleted_at IS NULL AND closed_at IS NULL") {
      $0.optionalDouble(0)
    } ?? nil
  }

  /// New pictures of an album that have not rung.
  struct Unrung: Sendable {
    let album: Int
    let guest: Int
    let count: Int
  }

  /// New pictures that all see, of albums that have not rung for a while, by album and guest; a live photo is one. A
  /// ring of a time to come was by a clock that was ahead.
  func unrungPictures(now: Double) throws(StoreError) -> [Unrung] {
    try rows(
      """
      SELECT p.album, p.guest, count(*) FROM albums_albums a JOIN albums_pictures p ON p.album = a.id AND p.rung = 0
      WHERE a.deleted_at IS NULL AND (a.rung_at <= ? OR a.rung_at > ?) AND p.removed_at IS NULL AND p.showing = 'shown'
        AND p.failure IS NULL AND p.kind IN ('photo', 'video') AND NOT \(Self.isHalfFilm)
      GROUP BY p.album, p.guest ORDER BY p.album, count(*) DESC
      """, .double(now - AlbumLimits.ringSeconds), .double(now)
    ) { Unrung(album: $0.int(0), guest: $0.int(1), count: $0.int(2)) }
  }

  /// Notes a ring about those who ask, if the last one is some minutes old.
  func mayRingAsked(_ album: Int, now: Double) throws(StoreError) -> Bool {
    try hasRow(
      """
      UPDATE albums_albums SET asked_rung_at = ?
      WHERE id = ? AND (asked_rung_at <= ? OR asked_rung_at > ?) RETURNING id
      """, .double(now), .int(album), .double(now - AlbumLimits.askedRingSeconds), .double(now))
  }

  /// Albums with somebody who asks since the last ring about that, which is some minutes old; with the newest's name.
  func unrungAsked(now: Double) throws(StoreError) -> [(album: Int, name: String?)] {
    try rows(
      """
      SELECT a.id, g.name FROM albums_albums a JOIN albums_guests g ON g.id = (
        SELECT max(id) FROM albums_guests
        WHERE album = a.id AND state = 'asked' AND joined_at > a.asked_rung_at AND joined_at <= ?)
      WHERE a.deleted_at IS NULL AND a.asked_rung_at <= ?
      """, .double(now), .double(now - AlbumLimits.askedRingSeconds)
    ) { (album: $0.int(0), name: $0.optionalText(1)) }
  }

  /// Notes a ring about all that is shown; what waits or is hidden rings when a host shows it.
  func noteRung(_ album: Int, now: Double) throws(StoreError) {
    try run("UPDATE albums_albums SET rung_at = ? WHERE id = ?", .double(now), .int(album))
    try run("UPDATE albums_pictures SET rung = 1 WHERE album = ? AND rung = 0 AND showing = 'shown'", .int(album))
  }

  /// The members of the hub who are in an album.
  func albumMembers(of album: Int) throws(StoreError) -> [(guest: Int, person: Int, isHost: Bool)] {
    try rows(
      "SELECT id, person, role = 'host' FROM albums_guests WHERE album = ? AND state = 'in' AND person IS NOT NULL",
      .int(album)
    ) { (guest: $0.int(0), person: $0.int(1), isHost: $0.bool(2)) }
  }
}
