import Hub
import Store

/// The albums that a member is in, for other rooms: all that the member sees, and originals where they may have them.
struct AlbumPictures: PictureSource {
  func galleries(of person: Int, in database: Database) throws(StoreError) -> [OfferedGallery] {
    var galleries: [OfferedGallery] = []
    for album in try database.albums(ofPerson: person) {
      guard try database.guest(person: person, of: album.id)?.state == .in else { continue }
      galleries.append(OfferedGallery(id: album.address, title: album.name))
    }
    return galleries
  }

  func pictures(of gallery: String, for person: Int, in database: Database) throws(StoreError) -> [OfferedPicture]? {
    guard let album = try database.album(address: gallery),
      let guest = try database.guest(person: person, of: album.id), guest.state == .in
    else { return nil }
    let caller = AlbumCaller(album: album, guest: guest, principal: .room(AlbumsRoom.id))
    var (question, offered): (PictureQuestion, [OfferedPicture]) = (PictureQuestion(limit: AlbumLimits.page), [])
    while true {
      let found = try database.pictures(question, for: caller)
      // A live photo is offered as its picture alone.
      let whole = found.prefix(question.limit).filter { $0.pair == nil || $0.picture.kind != .video }
      offered += whole.compactMap { Self.offered($0.picture, to: caller) }
      guard found.count > question.limit else { return offered }
      question.after = found[question.limit - 1].picture.address
    }
  }

  /// Nil for what is not made yet, and for what is nothing to be shown.
  private static func offered(_ picture: Picture, to caller: AlbumCaller) -> OfferedPicture? {
    guard picture.isForAll else { return nil }
    let file: String
    switch picture.kind {
    case .photo where caller.mayHaveOriginal(picture): file = "original"
    case .photo where picture.has.contains(.large): file = "1600"
    case .video where picture.has.contains(.video): file = "video"
    default: return nil
    }
    return OfferedPicture(
      id: picture.address, version: "\(file) \(picture.address)", isVideo: picture.kind == .video,
      taken: caller.isHost || caller.album.options.showsTaken ? picture.taken : nil,
      blob: Picture.blob(file, picture.address))
  }
}
