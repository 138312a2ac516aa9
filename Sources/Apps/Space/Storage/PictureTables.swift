import Pictures
import Store

/// The table of pictures, besides their blobs.
enum PictureTables {
  static let migration = Migration(
    room: "space", number: 2,
    sql: """
      CREATE TABLE space_pictures (
        name TEXT PRIMARY KEY,
        content_type TEXT NOT NULL
      )
      """)
}

extension Database {
  func save(picture name: PictureName, _ type: PictureType) throws(StoreError) {
    try run(
      """
      INSERT INTO space_pictures (name, content_type) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET content_type = excluded.content_type
      """, .text(name.rawValue), .text(type.rawValue))
  }

  func removePicture(_ name: PictureName) throws(StoreError) {
    try run("DELETE FROM space_pictures WHERE name = ?", .text(name.rawValue))
  }

  /// All pictures, without kinds that only a newer version knows.
  func pictures() throws(StoreError) -> [Picture] {
    let kept = try rows("SELECT name, content_type FROM space_pictures ORDER BY name") { ($0.text(0), $0.text(1)) }
    var pictures: [Picture] = []
    for (name, type) in kept {
      guard let name = PictureName(rawValue: name), let type = PictureType(rawValue: type) else { continue }
      guard let digest = try digest(of: PictureRoutes.blobName(name)) else { continue }
      pictures.append(Picture(name: name, type: type, digest: digest.hex))
    }
    return pictures
  }
}
