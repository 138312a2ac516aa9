import Galleries
import Hub
import Store
import Wire

/// The albums of this hub that a member is in, as another room offers them.
struct AlbumsSource: GallerySource {
  private let pictures: any PictureSource
  private let person: Int
  private let hub: Hub

  init(_ pictures: any PictureSource, of person: Int, _ hub: Hub) {
    (self.pictures, self.person, self.hub) = (pictures, person, hub)
  }

  func galleries() async throws(SourceFault) -> [SourceGallery] {
    try await read { database throws(StoreError) in
      try pictures.galleries(of: person, in: database).map {
        SourceGallery(id: $0.id, title: String($0.title.prefix(GalleryLimits.title)))
      }
    }
  }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    let found = try await read { database throws(StoreError) in
      try pictures.pictures(of: gallery.id, for: person, in: database)
    }
    guard let found else { throw .broken(Reason(.albumLeft)) }
    let told = found.map { picture in
      SourcePicture(
        id: picture.id, version: picture.version, kind: picture.isVideo ? .video : .picture, taken: picture.taken,
        isPrivate: true, file: "\(picture.blob.room) \(picture.blob.name)")
    }
    try await page(SourcePage(told))
  }

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    let name = picture.file.split(separator: " ", maxSplits: 1)
    guard name.count == 2 else { throw .gone }
    try await hub.store.blobs.copy(BlobName(room: String(name[0]), String(name[1])), into: file)
  }

  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws(StoreError) -> Value
  ) async throws(SourceFault) -> Value {
    do {
      return try await hub.store.read { database throws(StoreError) in try work(database) }
    } catch {
      throw .later(seconds: nil, Reason(.hubFailed))
    }
  }
}

extension Reason.Kind {
  static let albumLeft = Self("portfolio-album-left", "its owner is not in this album any more")
}

/// The uploads of its owner. Their galleries and pictures are rows already when a sync begins: it makes the sizes.
struct UploadsSource: GallerySource {
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func galleries() async throws(SourceFault) -> [SourceGallery] { [] }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {}

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    try await hub.store.blobs.copy(PortfolioPicture.blob(PortfolioPicture.originalName, picture.file), into: file)
  }
}

extension Blobs {
  /// Writes what the store has to a picture's file.
  func copy(_ name: BlobName, into file: any PictureFile) async throws(SourceFault) {
    let found: BlobContent?
    do throws(StoreError) {
      found = try await content(of: name)
    } catch {
      throw SourceFault(error) ?? .broken(Reason(.fileUnreadable))
    }
    guard let found else { throw .gone }
    var offset = 0
    while offset < found.size {
      let piece = found.piece(from: offset)
      guard !piece.isEmpty else { throw .broken(Reason(.fileUnreadable)) }
      try await file.append(piece)
      offset += piece.count
    }
  }
}
