import Server

/// This room's errors. Those of uploads are in UploadErrors.
extension ErrorCode {
  static let noAlbumToken = Self(40165)
  static let unknownAlbumToken = Self(40166)
  static let passphraseNeeded = Self(40365)
  static let passphraseWrong = Self(40366)
  static let notInYet = Self(40367)
  static let hostsOnly = Self(40368)
  static let notYours = Self(40369)
  static let makersOnly = Self(40370)
  static let noSuchAlbum = Self(40465)
  static let noSuchPicture = Self(40466)
  static let noSuchAlbumGuest = Self(40467)
  static let noSuchAlbumLink = Self(40468)
  static let eventHasAlbum = Self(40964)
  static let tooManyAlbums = Self(40965)
  static let tooManyGuests = Self(40966)
  static let tooManyPictures = Self(40967)
  static let lastHost = Self(40968)
  static let notRemoved = Self(40969)
  static let albumClosed = Self(41065)
  static let albumLeft = Self(41066)
  static let albumIsFull = Self(41365)
  static let guestIsFull = Self(41366)
  static let tooManyWrong = Self(42965)
  static let passphrasesBusy = Self(50365)
  static let diskNearlyFull = Self(50765)

  /// All codes of the room but those of uploads.
  static let ofAlbums: [ErrorCode] = [
    .noAlbumToken, .unknownAlbumToken, .passphraseNeeded, .passphraseWrong, .notInYet, .hostsOnly, .notYours,
    .makersOnly, .noSuchAlbum, .noSuchPicture, .noSuchAlbumGuest, .noSuchAlbumLink, .eventHasAlbum, .tooManyAlbums,
    .tooManyGuests, .tooManyPictures, .lastHost, .notRemoved, .albumClosed, .albumLeft, .albumIsFull, .guestIsFull,
    .tooManyWrong, .passphrasesBusy, .diskNearlyFull,
  ]
}

extension HTTPError {
  static let noSuchAlbum = HTTPError(
    .noSuchAlbum, "There is no such album, or you are not in it.", help: "Open its link, or scan its code again.")
  static let noSuchPicture = HTTPError(
    .noSuchPicture, "There is no such picture.", help: "It may have been removed. Fetch the list again.")
  static let noSuchAlbumGuest = HTTPError(
    .noSuchAlbumGuest, "There is no such guest in this album.", help: "GET /api/v1/albums/ID/people lists them.")
  static let hostsOnly = HTTPError(
    .hostsOnly, "Only hosts of the album may do this.", help: "Ask a host; they can make you one too.")
  static let notInYet = HTTPError(
    .notInYet, "A host has not let you in yet.", help: "Wait a moment, or tell one of the hosts that you are here.")
  static let albumClosed = HTTPError(
    .albumClosed, "The album is closed.", help: "Who is in can still look at it. A host can open it again.")
  static let tooManyPictures = HTTPError(
    .tooManyPictures, "The album has no room for more pictures.",
    help: "An album takes \(AlbumLimits.pictures), each guest \(AlbumLimits.picturesOfGuest). What is removed counts "
      + "until it is gone for good, after \(Int(AlbumLimits.keptDays)) days.")
}
