import Hub
import Receiving
import Server
import Store
import Uploads

/// What a guest sends to an album.
struct AlbumUploadPlace: UploadPlace {
  let services: AlbumServices
  let caller: AlbumCaller
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices, _ caller: AlbumCaller) { (self.services, self.caller) = (services, caller) }

  var sender: Int { caller.guest.id }

  func begin(_ creation: UploadCreation) async throws(HTTPError) -> (upload: OpenUpload, location: String) {
    let details = try UploadCodes.ofAlbums.checked { () throws(UploadRefusal) in
      try SentDetails(creation.metadata)
    }
    let (caller, quota) = (caller, services.quota)
    let upload = try await hub.commit(as: caller.principal) { change in
      try UploadChange.begin(creation, details, by: caller, quota: quota, in: change)
    }
    return (upload.open, "\(AlbumRoutes.path)/\(caller.album.address)/uploads/\(upload.open.address)")
  }

  func find(_ address: String) async throws(HTTPError) -> OpenUpload? { try await pending(address)?.open }

  /// The caller's upload; nil if there is none.
  func pending(_ address: String) async throws(HTTPError) -> PendingUpload? {
    guard RandomID.accepts(address) else { return nil }
    let (guest, album) = (caller.guest.id, caller.album.id)
    let found = try await services.hub.read { database throws(StoreError) in
      try database.pendingUpload(address, of: guest)
    }
    return found?.album == album ? found : nil
  }

  func demandDisk(_ bytes: Int) throws(HTTPError) { try services.quota.demandDisk(bytes) }

  /// Others may have taken the room since this began, or a host has removed the guest.
  func demandRoom() async throws(HTTPError) {
    let (guest, album) = (caller.guest.id, caller.album.id)
    let found = try await services.hub.read { database throws(StoreError) in
      (try database.guest(guest), try database.album(album), try database.receivedBytes(ofAlbum: album))
    }
    guard let guest = found.0, let album = found.1 else { throw HTTPError.noSuchAlbum }
    guard guest.state.isHere else { throw AlbumAccess.gone(guest) }
    try services.quota.demand(0, in: album, of: guest, unfinished: found.2)
  }

  func finish(_ upload: OpenUpload, _ finished: FinishedUpload) async throws(HTTPError) -> String {
    // Its preview may have come while the last bytes did.
    guard let latest = try await pending(upload.address) else { throw UploadCodes.ofAlbums.refusal(.gone) }
    let preview = try await blob(of: latest.preview)
    let quota = services.quota
    do throws(HTTPError) {
      return try await hub.commit(as: caller.principal) { [services] change in
        services.picturesCome(in: change)
        return try UploadChange.finish(latest, finished, preview: preview, quota: quota, in: change)
      }
    } catch {
      // It will never be wanted; else it would count as unfinished, and clients of tus would try it again.
      if error.code == .removedByHost { try await end(upload.address) }
      throw error
    }
  }

  private func blob(of preview: SentPreview?) async throws(HTTPError) -> NewPicture.Preview? {
    guard let preview else { return nil }
    let blob = try await hub.stored { () throws(StoreError) in try await hub.store.blobs.keep(preview.bytes) }
    return NewPicture.Preview(
      blob: blob, width: preview.width, height: preview.height, placeholder: preview.placeholder)
  }

  func end(_ address: String) async throws(HTTPError) {
    try await hub.commit(as: caller.principal) { change in try UploadTables.rows.end(address, change.database) }
  }
}
