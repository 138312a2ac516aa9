import Store

/// The hearts of pictures, and what hosts are told of storage.
extension Database {
  /// - Returns: the count of hearts.
  func setHeart(_ isGiven: Bool, of picture: Int, by guest: Int) throws(StoreError) -> Int {
    if isGiven {
      try run(
        "INSERT INTO albums_hearts (picture, guest) VALUES (?, ?) ON CONFLICT (picture, guest) DO NOTHING",
        .int(picture), .int(guest))
    } else {
      try run("DELETE FROM albums_hearts WHERE picture = ? AND guest = ?", .int(picture), .int(guest))
    }
    return try inserted(
      """
      UPDATE albums_pictures SET hearts = (SELECT count(*) FROM albums_hearts WHERE picture = ?) WHERE id = ?
      RETURNING hearts
      """, .int(picture), .int(picture))
  }

  /// The address of the small size of the newest picture that all see.
  func cover(of album: Album) throws(StoreError) -> String? {
    try first(
      """
      SELECT address FROM albums_pictures WHERE album = ? AND removed_at IS NULL AND showing = 'shown'
        AND failure IS NULL AND has >= ? AND kind <> 'other' ORDER BY id DESC LIMIT 1
      """, .int(album.id), .int(Picture.Files.small.rawValue)
    ) { "\(AlbumRoutes.path)/\(album.address)/pictures/\($0.text(0))/320" }
  }

  /// Counts of each guest's videos, other pictures, and removed ones; a live photo is one picture.
  func kindCounts(of album: Int) throws(StoreError) -> [Int: (videos: Int, others: Int, removed: Int)] {
    var counts: [Int: (videos: Int, others: Int, removed: Int)] = [:]
    let rows = try rows(
      """
      SELECT p.guest, p.kind = 'video', p.removed_at IS NULL, count(*) FROM albums_pictures p
      WHERE p.album = ? AND NOT \(Self.isHalfFilm) GROUP BY p.guest, p.kind = 'video', p.removed_at IS NULL
      """, .int(album)
    ) { ($0.int(0), $0.bool(1), $0.bool(2), $0.int(3)) }
    for (guest, isVideo, isThere, count) in rows {
      var one = counts[guest] ?? (0, 0, 0)
      if !isThere {
        one.removed += count
      } else if isVideo {
        one.videos += count
      } else {
        one.others += count
      }
      counts[guest] = one
    }
    return counts
  }
}
