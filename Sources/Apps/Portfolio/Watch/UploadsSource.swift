import Galleries
import Hub
import Store
import Wire

/// What its owner has uploaded. Their galleries and pictures are rows already when a sync begins: it makes the sizes.
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
