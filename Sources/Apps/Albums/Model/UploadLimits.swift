import Server

/// The limits of uploads beside those of `ReceivingLimits`, of what is downloaded, and of copies, each with its reason.
enum UploadLimits {
  /// Bytes of one file: an hour of a phone's video.
  static let fileBytes = 8 << 30
  /// Bytes of a sound beside a picture: a minute, as phones record it.
  static let soundBytes = 4 << 20
  /// Bytes of what a share sheet sends to the hub, of which none are kept: some films of a phone.
  static let sharedBytes = 1 << 30
  /// Bytes of the sender's own preview.
  static let previewBytes = 40 << 10

  /// Unfinished uploads of one guest, and of one album: a phone begins what it sends next, and what was cut waits.
  static let ofGuest = 50
  static let ofAlbum = 5_000
  /// Previews that are looked at at the same time, and those of one guest.
  static let previewsAtOnce = 8
  static let previewsOfGuest = 2
  /// Characters of the identifier that both halves of a live photo have.
  static let pair = 100

  /// Requests of one guest: 50 phones with three requests for each picture, all at once.
  static let rate = RouteRate(
    "album uploads", strangers: Rate(burst: 200, perSecond: 5), known: Rate(burst: 3_000, perSecond: 100))
  /// Zips that are sent at the same time: each reads the disk as fast as it can; and those of one host, whose program
  /// for downloads may ask for many parts at once and take them slowly.
  static let zips = 8
  static let zipsOfHost = 4
  /// Bytes of memory for each file of a zip that is being sent: name, header, place.
  static let zipEntryBytes = 400

  /// Pictures that are looked up for copying at a time, and seconds until a folder that failed is tried again.
  static let copiedAtOnce = 50
  static let copyAgainSeconds = 60.0
  /// Seconds for which a copy waits until the program has found out when its picture was taken.
  static let unreadSeconds = 600.0
}
