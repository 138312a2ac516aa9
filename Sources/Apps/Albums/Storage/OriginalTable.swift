import Store
import Zip

/// An original with what its name in a zip or a folder is made of.
struct KeptOriginal: Sendable {
  /// The key of the picture.
  let id: Int
  let address: String
  let at: Double
  let taken: String?
  let type: String?
  let name: String?
  let by: String?
  let size: Int
  let crc32: UInt32

  var blob: BlobName { Picture.blob("original", address) }
}

extension KeptOriginal {
  /// - Parameter by: its guest's name.
  init(_ picture: Picture, by: String?) {
    self.init(
      id: picture.id, address: picture.address, at: picture.at, taken: picture.taken, type: picture.type,
      name: picture.name, by: by, size: picture.size, crc32: 0)
  }
}

extension Database {
  private static let selectOriginals = """
    SELECT p.id, p.address, p.at, p.taken, p.type, p.name, g.name, p.size, p.crc32, p.album
    FROM albums_pictures p JOIN albums_guests g ON g.id = p.guest
    """

  private static func original(_ row: Row) -> KeptOriginal {
    KeptOriginal(
      id: row.int(0), address: row.text(1), at: row.double(2), taken: row.optionalText(3), type: row.optionalText(4),
      name: row.optionalText(5), by: row.optionalText(6), size: row.int(7),
      crc32: UInt32(truncatingIfNeeded: row.int(8)))
  }

  /// The originals of an album in the order in which they came, without those that are removed or hidden.
  func originals(of album: Int) throws(StoreError) -> [KeptOriginal] {
    try rows(
      """
      \(Self.selectOriginals) WHERE p.album = ? AND p.removed_at IS NULL AND p.showing <> 'hidden' ORDER BY p.id
      """, .int(album), read: Self.original)
  }

  /// The number of those, their bytes, the number of those that are hidden, and the address of the last one.
  func originalCounts(of album: Int) throws(StoreError) -> (files: Int, bytes: Int, hidden: Int, last: String?) {
    var counts: (files: Int, bytes: Int, hidden: Int, last: String?) = (0, 0, 0, nil)
    counts.last = try first(
      """
      SELECT address FROM albums_pictures WHERE album = ? AND removed_at IS NULL AND showing <> 'hidden'
      ORDER BY id DESC LIMIT 1
      """, .int(album), read: { $0.text(0) })
    let found = try rows(
      """
      SELECT showing = 'hidden', count(*), coalesce(sum(size), 0) FROM albums_pictures
      WHERE album = ? AND removed_at IS NULL GROUP BY showing = 'hidden'
      """, .int(album)
    ) { ($0.bool(0), $0.int(1), $0.int(2)) }
    for (isHidden, files, bytes) in found {
      if isHidden { counts.hidden = files } else { (counts.files, counts.bytes) = (files, bytes) }
    }
    return counts
  }

  /// The same of one picture, also a hidden one; nil if it is removed.
  func original(_ address: String, of album: Int) throws(StoreError) -> KeptOriginal? {
    try first(
      "\(Self.selectOriginals) WHERE p.address = ? AND p.album = ? AND p.removed_at IS NULL", .text(address),
      .int(album), read: Self.original)
  }

  /// `stage > 0` stands here for the index, which SQLite takes only with its own condition: without it each new picture
  /// would be a look at all of years.
  static let firstUnread = "SELECT min(id) FROM albums_pictures WHERE stage > 0 AND stage = 1 AND at > ? AND at <= ?"

  /// The first picture that has just come and was not looked into yet: when it was taken may still be found out.
  func firstUnread(now: Double) throws(StoreError) -> Int? {
    try first(Self.firstUnread, .double(now - UploadLimits.unreadSeconds), .double(now)) { $0.optionalInt(0) } ?? nil
  }

  /// The next originals that have no copy yet, each with its album.
  func uncopied(
    after id: Int, before end: Int, limit: Int
  ) throws(StoreError) -> [(original: KeptOriginal, album: Int)] {
    try rows(
      """
      \(Self.selectOriginals) JOIN albums_albums a ON a.id = p.album LEFT JOIN albums_copies c ON c.picture = p.id
      WHERE p.id > ? AND p.id < ? AND c.picture IS NULL AND p.removed_at IS NULL AND a.deleted_at IS NULL
      ORDER BY p.id LIMIT ?
      """, .int(id), .int(end), .int(limit)
    ) { (Self.original($0), $0.int(9)) }
  }

  /// The folder of an album's copies: where they are, also after the album got another name; else that of its name,
  /// unless copies of another album are there.
  func copyFolder(of id: Int) throws(StoreError) -> String {
    let copy = try first(
      """
      SELECT c.file FROM albums_copies c JOIN albums_pictures p ON p.id = c.picture WHERE p.album = ?
      ORDER BY p.id DESC LIMIT 1
      """, .int(id)
    ) { $0.text(0) }
    if let folder = copy?.split(separator: "/").first { return String(folder) }
    guard let album = try album(id) else { return "Album" }
    let name = ZipNames.safe(album.name)
    let other = try first("SELECT file FROM albums_copies WHERE file LIKE ? LIMIT 1", .text("\(name)/%")) { $0.text(0) }
    return other == nil ? name : ZipNames.safe("\(album.name) \(album.address.prefix(6))")
  }

  /// Notes a copy, unless the picture has gone meanwhile.
  func noteCopy(_ file: String, of picture: Int) throws(StoreError) {
    try run(
      "INSERT INTO albums_copies (picture, file) SELECT id, ? FROM albums_pictures WHERE id = ?", .text(file),
      .int(picture))
  }
}
