import Hub
import Lifecycle
import Server
import Store
import Uploads

/// A part of an upload that is coming in.
struct ReceivedPart {
  let routes: UploadRoutes
  let caller: AlbumCaller
  let part: UploadPart
  let body: RequestBody
  private var hub: Hub { routes.hub }

  init(routes: UploadRoutes, caller: AlbumCaller, part: UploadPart, body: RequestBody) {
    (self.routes, self.caller, self.part, self.body) = (routes, caller, part, body)
  }

  struct Outcome {
    /// Bytes that are there now.
    var offset: Int
    /// Nil once all has come.
    var expires: Double?
    var picture: String?
  }

  /// The answer to PATCH.
  func take(_ address: String) async throws(HTTPError) -> Response {
    let outcome = try await outcome(address)
    return UploadRoutes.response(
      .received(offset: outcome.offset, expires: outcome.expires), picture: outcome.picture)
  }

  func outcome(_ address: String) async throws(HTTPError) -> Outcome {
    // Whoever waits for a turn holds nothing that others may ask for.
    try await routes.line.enter(caller.guest.id)
    defer { routes.line.leave(caller.guest.id) }
    let hold = try await routes.locks.hold(address, body)
    defer { routes.locks.release(hold) }
    let pending = try await routes.find(address, caller)
    if let picture = pending.picture {
      // The answer to the last bytes was lost, and the client asks once more.
      try demandPlace(after: pending.size, of: pending.size)
      return Outcome(offset: pending.size, picture: picture)
    }
    let known = try await stored { () throws(StoreError) in
      try await hub.store.blobs.unfinishedUpload(pending.blob)
    }
    guard let known, known.expires > hub.time.now else { throw UploadRefusal.gone.http }
    try demandPlace(after: known.received, of: known.size)
    // What is free may be less than when it was announced.
    try routes.services.quota.demandDisk(part.count ?? 0)
    let upload = try await resume(pending)
    do throws(HTTPError) {
      try await receive(upload, pending)
      return try await settle(upload, pending)
    } catch {
      await upload.giveUp()
      throw error
    }
  }

  private func demandPlace(after received: Int, of length: Int) throws(HTTPError) {
    do throws(UploadRefusal) {
      try part.demandPlace(after: received, of: length)
    } catch {
      throw error.http
    }
  }

  private func resume(_ pending: PendingUpload) async throws(HTTPError) -> ResumedUpload {
    let kind = part.checksum?.kind
    let upload = try await stored { () throws(StoreError) in
      try await hub.store.blobs.resume(pending.blob, checking: kind)
    }
    guard let upload else { throw UploadRefusal.gone.http }
    return upload
  }

  /// Takes the body to its end. Where the line breaks, what has come is kept, unless it was to be checked: then only if
  /// the digest of the whole file is known and will be compared.
  private func receive(_ upload: ResumedUpload, _ pending: PendingUpload) async throws(HTTPError) {
    let isSure = part.checksum == nil
    var unchecked = 0
    while true {
      let piece: [UInt8]?
      do throws(HTTPError) {
        if unchecked >= UploadLimits.checkedBytes {
          try await demandRoom()
          unchecked = 0
        }
        piece = try await body.next()
      } catch {
        guard isSure || pending.details.digest != nil else { throw error }
        if await upload.received == pending.size {
          if isSure { _ = try await finish(upload, pending) }
        } else {
          let expires = await expires(upload)
          _ = try await stored { () throws(StoreError) in try await upload.acknowledge(expires: expires) }
        }
        throw error
      }
      guard let piece else { return }
      unchecked += piece.count
      try await stored { () throws(StoreError) in try await upload.append(piece, isSure: isSure) }
    }
  }

  private func expires(_ upload: ResumedUpload) async -> Double {
    hub.time.now + (await upload.received > 0 ? UploadLimits.keptSeconds : UploadLimits.begunSeconds)
  }

  /// Others may have taken the room since this began, or a host has removed the guest.
  private func demandRoom() async throws(HTTPError) {
    let quota = routes.services.quota
    try quota.demandDisk(UploadLimits.checkedBytes)
    let (guest, album) = (caller.guest.id, caller.album.id)
    let found = try await routes.services.read { database throws(StoreError) in
      (try database.guest(guest), try database.album(album), try database.receivedBytes(ofAlbum: album))
    }
    guard let guest = found.0, let album = found.1 else { throw HTTPError.noSuchAlbum }
    guard guest.state.isHere else { throw AlbumAccess.gone(guest) }
    try quota.demand(0, in: album, of: guest, unfinished: found.2)
  }

  /// Checks and acknowledges what has come.
  private func settle(_ upload: ResumedUpload, _ pending: PendingUpload) async throws(HTTPError) -> Outcome {
    if let checksum = part.checksum {
      guard await upload.partDigest() == checksum.digest else { throw UploadRefusal.checksum.http }
    }
    guard await upload.received < pending.size else {
      return Outcome(offset: pending.size, picture: try await finish(upload, pending))
    }
    let expires = await expires(upload)
    let received = try await stored { () throws(StoreError) in try await upload.acknowledge(expires: expires) }
    guard let received else { throw UploadRefusal.gone.http }
    return Outcome(offset: received, expires: expires)
  }

  /// Makes a picture of what has come.
  /// - Returns: its id.
  private func finish(_ upload: ResumedUpload, _ pending: PendingUpload) async throws(HTTPError) -> String {
    let finished = try await stored { () throws(StoreError) in try await upload.finish() }
    if let wanted = pending.details.digest, wanted != finished.blob.digest {
      // Nobody knows which of its bytes are wrong.
      try await hub.commit(as: caller.principal) { change in _ = try UploadChange.end(pending.address, in: change) }
      throw UploadRefusal(
        .checksum, "The file that came is not the one that was announced: its SHA-256 differs.",
        help: "All of it was dropped. Make a new upload."
      ).http
    }
    // It may have come while the last bytes did.
    let latest = try await routes.find(pending.address, caller)
    let preview = try await blob(of: latest.preview)
    let quota = routes.services.quota
    let picture = try await hub.commit(as: caller.principal) { change in
      try UploadChange.finish(latest, finished, preview: preview, quota: quota, in: change)
    }
    routes.services.derivatives.wake()
    routes.services.copies.wake()
    return picture
  }

  private func blob(of preview: SentPreview?) async throws(HTTPError) -> NewPicture.Preview? {
    guard let preview else { return nil }
    let upload = hub.store.blobs.upload(limit: UploadLimits.previewBytes)
    let blob = try await stored { () throws(StoreError) in
      try await upload.append(preview.bytes)
      return try await upload.finish()
    }
    return NewPicture.Preview(
      blob: blob, width: preview.width, height: preview.height, placeholder: preview.placeholder)
  }

  /// Runs work of the store; an upload that has ended meanwhile, or sends too much, is the client's to know.
  private func stored<T>(_ work: () async throws(StoreError) -> T) async throws(HTTPError) -> T {
    let result: Result<T, StoreError>
    do throws(StoreError) {
      result = .success(try await work())
    } catch {
      switch error.code {
      case .noSuchBlob, .damaged: throw UploadRefusal.gone.http
      case .tooLarge: throw UploadRefusal.longerThanAnnounced.http
      default: result = .failure(error)
      }
    }
    return try await hub.stored { () throws(StoreError) in try result.get() }
  }
}
