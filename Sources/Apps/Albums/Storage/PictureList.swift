import Store

/// The question for a part of an album's pictures.
struct PictureQuestion: Sendable {
  enum Part: String, CaseIterable, Sendable {
    /// All that the caller sees by default.
    case shown
    /// For hosts.
    case waiting, hidden, removed
  }
  /// The id of the last picture of the answer before.
  var after: String?
  var limit = AlbumLimits.usualPage
  /// The id of the guest whose pictures are wanted.
  var by: String?
  var mineOnly = false
  var part = Part.shown
  /// True for the order in which they were taken, as their cameras say; false for that in which they came.
  var isByTaking = false
}

extension Database {
  private static let listed = """
    SELECT \(pictureColumns), g.address, g.name,
      EXISTS (SELECT 1 FROM albums_hearts h WHERE h.picture = p.id AND h.guest = ?),
      (SELECT o.address FROM albums_pictures o WHERE o.guest = p.guest AND o.pair = p.pair AND o.id <> p.id
        AND (o.removed_at IS NULL) = (p.removed_at IS NULL) AND o.withdrawn = p.withdrawn AND o.showing = p.showing
        AND \(isFilm("o")) <> \(isFilm("p")) ORDER BY o.id LIMIT 1),
      CASE WHEN p.stage = 1 AND p.guest = ? THEN (SELECT count(*) FROM (
        SELECT 1 FROM albums_pictures q WHERE q.stage > 0 AND q.stage = 1 AND q.id > p.id
        LIMIT \(AlbumLimits.countedAhead)) AS ahead) END
    FROM albums_pictures p JOIN albums_guests g ON g.id = p.guest
    """

  private static func listed(_ row: Row) -> ListedPicture {
    let first = pictureColumnCount
    return ListedPicture(
      picture: picture(row), by: row.text(first), byName: row.optionalText(first + 1), isHearted: row.bool(first + 2),
      pair: row.optionalText(first + 3), ahead: row.optionalInt(first + 4))
  }

  /// A picture with what its answers need.
  /// - Parameter guest: whose heart is told, and whose picture's place in the queue; 0 for nobody's.
  func listed(_ picture: Int, for guest: Int = 0) throws(StoreError) -> ListedPicture? {
    try first("\(Self.listed) WHERE p.id = ?", .int(guest), .int(guest), .int(picture), read: Self.listed)
  }

  /// The key of the picture with an id, wherever it stands; 0 if it is gone for good.
  private func pictureKey(_ address: String, of album: Int) throws(StoreError) -> Int {
    try number("SELECT id FROM albums_pictures WHERE address = ? AND album = ?", .text(address), .int(album))
  }

  /// Raw files and others are for hosts alone: the original is all there is.
  private func seen(by caller: AlbumCaller) -> String {
    "p.showing = 'shown'" + (caller.isHost ? "" : " AND p.failure IS NULL AND p.kind IN ('photo', 'video')")
  }

  /// The pictures that answer a question by a caller, one more than its limit if there are more.
  func pictures(_ question: PictureQuestion, for caller: AlbumCaller) throws(StoreError) -> [ListedPicture] {
    let (album, me) = (caller.album.id, caller.guest.id)
    let after = try question.after.map { address throws(StoreError) in try pictureKey(address, of: album) } ?? 0
    // Pictures that hosts have removed are theirs to see, and their sender's.
    let ownOnly =
      question.mineOnly || !caller.isHost && (caller.album.options.uploadOnly || question.part == .removed)
    var author = ownOnly ? me : 0
    if let by = question.by {
      guard let guest = try guest(address: by, of: album), !ownOnly || guest.id == me else { return [] }
      author = guest.id
    }
    let condition =
      switch question.part {
      case .shown: "p.removed_at IS NULL AND (p.guest = ? OR \(seen(by: caller)))"
      case .waiting: "p.removed_at IS NULL AND p.guest <> 0 - ? AND p.showing = 'waiting'"
      case .hidden: "p.removed_at IS NULL AND p.guest <> 0 - ? AND p.showing = 'hidden'"
      case .removed: "p.removed_at IS NOT NULL AND (p.guest = ? OR p.withdrawn = 0)"
      }
    // The author's own index would be in another order.
    let ofAuthor = author == 0 ? "p.guest > ?" : "p.guest = ?"
    if question.isByTaking {
      let taken = try question.after.flatMap { address throws(StoreError) in try takenKey(address, of: album) } ?? ""
      return try rows(
        """
        \(Self.listed) WHERE p.album = ? AND (\(Self.takenKey), p.id) > (?, ?) AND \(condition) AND \(ofAuthor)
        ORDER BY \(Self.takenKey), p.id LIMIT ?
        """, .int(me), .int(me), .int(album), .text(taken), .int(after), .int(me), .int(author),
        .int(question.limit + 1), read: Self.listed)
    }
    return try rows(
      "\(Self.listed) WHERE p.album = ? AND p.id > ? AND \(condition) AND \(ofAuthor) ORDER BY p.id LIMIT ?",
      .int(me), .int(me), .int(album), .int(after), .int(me), .int(author), .int(question.limit + 1),
      read: Self.listed)
  }

  /// When a picture was taken, as albums_pictures_taken has it: those of which nobody knows come last.
  private static let takenKey = "coalesce(p.taken, '~')"

  private func takenKey(_ address: String, of album: Int) throws(StoreError) -> String? {
    try first(
      "SELECT \(Self.takenKey) FROM albums_pictures p WHERE p.address = ? AND p.album = ?", .text(address),
      .int(album)
    ) { $0.text(0) }
  }

  /// A guest's pictures with these digests of their originals, that are not removed.
  func known(_ digests: [BlobDigest], ofGuest guest: Int) throws(StoreError) -> [(digest: BlobDigest, address: String)]
  {
    var found: [(digest: BlobDigest, address: String)] = []
    for digest in digests {
      let address = try first(
        "SELECT address FROM albums_pictures WHERE guest = ? AND digest = ? AND removed_at IS NULL LIMIT 1",
        .int(guest), .blob(digest.bytes)
      ) { $0.text(0) }
      if let address { found.append((digest, address)) }
    }
    return found
  }
}
