import Hub
import Receiving
import Server
import Store
import Uploads

/// The changes of uploads. Each is called in one `hub.commit`.
enum UploadChange {
  /// Begins an upload, if it fits. Bytes that others of the same guest have announced count already.
  static func begin(
    _ creation: UploadCreation, _ details: SentDetails, by caller: AlbumCaller, quota: AlbumQuota, in change: Change
  ) throws -> PendingUpload {
    let caller = try AlbumChange.whoIsIn(caller, in: change)
    guard !caller.album.isClosed(at: change.now) else { throw HTTPError.albumClosed }
    let database = change.database
    let unfinished = try UploadTables.rows.unfinished("guest", caller.guest.id, database)
    guard unfinished.count < UploadLimits.ofGuest,
      try database.unfinishedCount(ofAlbum: caller.album.id) < UploadLimits.ofAlbum
    else { throw HTTPError.tooManyUploads }
    if let picture = details.soundOf {
      guard creation.length <= UploadLimits.soundBytes else { throw HTTPError.soundTooLarge }
      _ = try ownPicture(picture, of: caller.guest, in: caller.album, database)
    } else if let digest = details.digest, let known = try database.picture(digest: digest, ofGuest: caller.guest.id) {
      try AlbumChange.demandWanted(known)
    }
    let received = try database.receivedBytes(ofAlbum: caller.album.id)
    let announced = unfinished.reduce(creation.length) { $0 + $1.size }
    try quota.demand(announced, in: caller.album, of: caller.guest, unfinished: received)
    try quota.demandDisk(creation.length)
    let upload = PendingUpload(
      open: UploadTables.rows.begun(creation, digest: details.digest, now: change.now), album: caller.album.id,
      guest: caller.guest.id, details: details)
    try database.add(upload)
    try database.begin(upload.open, refusal: .tooManyUploads)
    return upload
  }

  /// Ends an upload that has come completely: it becomes a picture, or the sound of one.
  /// - Returns: the picture's id.
  static func finish(
    _ upload: PendingUpload, _ finished: FinishedUpload, preview: NewPicture.Preview?, quota: AlbumQuota,
    in change: Change
  ) throws -> String {
    guard try change.database.endUpload(upload.open.blob) else { throw UploadCodes.ofAlbums.refusal(.gone) }
    let picture: Picture
    if let sound = upload.details.soundOf {
      picture = try addSound(finished, to: sound, upload, quota: quota, in: change)
    } else {
      let kind = FileKind(finished.beginning)
      let details = upload.details
      picture = try AlbumChange.add(
        NewPicture(
          album: upload.album, guest: upload.guest, blob: finished.blob, crc32: finished.crc32, size: upload.open.size,
          name: details.name, type: kind.type, taken: details.taken, pair: details.pair, preview: preview),
        quota: quota, in: change)
    }
    try change.database.finishUpload(
      upload.open.address, picture: picture.address, expires: change.now + ReceivingLimits.toldSeconds)
    return picture.address
  }

  private static func ownPicture(
    _ address: String, of guest: Guest, in album: Album, _ database: Database
  ) throws -> Picture {
    guard let picture = try database.picture(address: address, of: album.id), picture.removedAt == nil,
      picture.guest == guest.id
    else { throw HTTPError.noSuchPicture }
    return picture
  }

  /// Keeps a recorded sound with its picture; a new one replaces the one before once it is made.
  private static func addSound(
    _ finished: FinishedUpload, to address: String, _ upload: PendingUpload, quota: AlbumQuota, in change: Change
  ) throws -> Picture {
    let database = change.database
    let (album, guest) = try AlbumChange.sender(upload.guest, to: upload.album, in: change)
    guard FileKind(finished.beginning).asSound != .unknown else { throw HTTPError.notASound }
    var picture = try ownPicture(address, of: guest, in: album, database)
    let more = finished.blob.size - picture.soundSize
    try quota.demand(max(0, more), in: album, of: guest)
    // It may hold names and places: nobody hears it before it is written anew.
    try database.name(finished.blob, as: Picture.blob(Picture.sentSound, address))
    try database.count(bytes: more, pictures: 0, album: album.id, guest: guest.id)
    picture.soundSize += more
    picture.wants.insert(.sound)
    try database.save(picture)
    try database.forgetTries(picture.id)
    return picture
  }

  /// Gives all unfinished uploads of a guest up, who is not in any more.
  static func endAll(ofGuest guest: Int, in change: Change) throws {
    let rows = UploadTables.rows
    for (address, _) in try rows.unfinished("guest", guest, change.database) { try rows.end(address, change.database) }
  }
}
