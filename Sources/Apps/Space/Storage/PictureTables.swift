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

  /// Notes which pictures have passed the filter. Earlier versions stored some as they were sent.
  static let filtered = Migration(
    room: "space", number: 8, sql: "ALTER TABLE space_pictures ADD COLUMN state INTEGER NOT NULL DEFAULT 0")

  enum State: Int {
    case unfiltered, clean
    /// The filter refuses it.
    case broken
  }
}

extension Database {
  /// Saves the kind of a picture that has passed the filter.
  func save(picture name: PictureName, _ type: PictureType) throws(StoreError) {
    try run(
      """
      INSERT INTO space_pictures (name, content_type, state) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET content_type = excluded.content_type, state = excluded.state
      """, .text(name.rawValue), .text(type.rawValue), .int(PictureTables.State.clean.rawValue))
  }

  func mark(picture name: PictureName, _ state: PictureTables.State) throws(StoreError) {
    try run("UPDATE space_pictures SET state = ? WHERE name = ?", .int(state.rawValue), .text(name.rawValue))
  }

  func removePicture(_ name: PictureName) throws(StoreError) {
    try run("DELETE FROM space_pictures WHERE name = ?", .text(name.rawValue))
  }

  /// All pictures, without broken ones and kinds that only a newer version knows.
  func pictures() throws(StoreError) -> [Picture] {
    let kept = try rows("SELECT name, content_type, state FROM space_pictures ORDER BY name") {
      ($0.text(0), $0.text(1), PictureTables.State(rawValue: $0.int(2)))
    }
    var pictures: [Picture] = []
    for (name, type, state) in kept where state != .broken {
      guard let name = PictureName(rawValue: name), let type = PictureType(rawValue: type) else { continue }
      guard let digest = try digest(of: PictureRoutes.blobName(name)) else { continue }
      pictures.append(Picture(name: name, type: type, digest: digest.hex, isClean: state == .clean))
    }
    return pictures
  }
}
