public import Store

/// A room's pictures for other rooms: galleries that a member of the hub is in, as they may see them now.
public protocol PictureSource: Sendable {
  /// The galleries of a person, the newest first.
  func galleries(of person: Int, in database: Database) throws(StoreError) -> [OfferedGallery]

  /// The pictures of a gallery that a person may see, in order.
  /// - Returns: nil if they are not in it any more.
  func pictures(of gallery: String, for person: Int, in database: Database) throws(StoreError) -> [OfferedPicture]?
}

/// A gallery of another room.
public struct OfferedGallery: Sendable {
  public let id: String
  public let title: String

  public init(id: String, title: String) { (self.id, self.title) = (id, title) }
}

/// A picture of another room, whose file is a blob.
public struct OfferedPicture: Sendable {
  public let id: String
  /// Changes with the file.
  public let version: String
  public let isVideo: Bool
  /// Local time of taking, such as 2026-11-21T18:04:00.
  public let taken: String?
  /// The largest file that the person may have.
  public let blob: BlobName

  public init(id: String, version: String, isVideo: Bool, taken: String?, blob: BlobName) {
    (self.id, self.version, self.isVideo, self.taken, self.blob) = (id, version, isVideo, taken, blob)
  }
}

extension Offer where Value == any PictureSource {
  /// Made by the room whose members share pictures.
  public static var pictures: Offer { Offer("pictures") }
}
