import Hub
import Observe
import Pictures
import Server
import Store

/// Pictures that an earlier version stored as they were sent, with the place where they were taken. Each passes the
/// filter once: after the start, or before it is served.
struct OldPictures: Sendable {
  let hub: Hub
  let board: Board

  func run() async {
    for picture in board.pictures where !picture.isClean {
      do throws(HTTPError) {
        try await clean(picture)
      } catch {
        hub.log.warning("a picture could not be cleaned", ["name": picture.name.rawValue, "error": error.error])
      }
    }
  }

  /// Stores the picture without its metadata. One that the filter refuses is kept, but shown no more.
  func clean(_ picture: Picture) async throws(HTTPError) {
    let name = PictureRoutes.blobName(picture.name)
    guard let content = try await hub.content(of: name), content.digest.hex == picture.digest else { return }
    let upload = hub.store.blobs.upload(limit: SpaceLimits.pictureBytes)
    guard let type = try await filter(content, into: upload) else {
      await upload.cancel()
      hub.log.warning("a picture is broken and shown no more", ["name": picture.name.rawValue])
      return try await replace(picture) { change in try change.database.mark(picture: picture.name, .broken) }
    }
    let blob = try await hub.stored { () throws(StoreError) in try await upload.finish() }
    try await replace(picture) { change in
      try change.database.name(blob, as: name)
      try change.database.save(picture: picture.name, type)
    }
  }

  /// - Returns: nil if the filter refuses it.
  private func filter(_ content: BlobContent, into upload: BlobUpload) async throws(HTTPError) -> PictureType? {
    var filter = PictureFilter()
    var offset = 0
    while offset < content.size {
      let piece = content.piece(from: offset, atMost: SpaceLimits.pictureSlice)
      // A file that was cut off meanwhile.
      if piece.isEmpty { return nil }
      offset += piece.count
      guard let kept = try? filter.feed(piece) else { return nil }
      try await hub.stored { () throws(StoreError) in try await upload.append(kept) }
    }
    guard let (type, rest) = try? filter.finish() else { return nil }
    try await hub.stored { () throws(StoreError) in try await upload.append(rest) }
    return type
  }

  /// Changes the picture, unless another one has taken its place meanwhile.
  private func replace(
    _ picture: Picture, _ work: @escaping @Sendable (Change) throws -> Void
  ) async throws(HTTPError) {
    try await hub.commit(as: .room(SpaceRoom.id)) { change in
      guard try change.database.digest(of: PictureRoutes.blobName(picture.name))?.hex == picture.digest else { return }
      try work(change)
      try board.showPictures(in: change)
    }
  }
}
