import Server

/// The limits of uploads, of what is downloaded, and of copies, each with its reason.
enum UploadLimits {
  /// Bytes of one file: an hour of a phone's video.
  static let fileBytes = 8 << 30
  /// Bytes of a sound beside a picture: a minute, as phones record it.
  static let soundBytes = 4 << 20
  /// Bytes of the sender's own preview.
  static let previewBytes = 40 << 10

  /// Unfinished uploads of one guest, and of one album: a phone begins what it sends next, and what was cut waits.
  static let ofGuest = 50
  static let ofAlbum = 5_000
  /// Requests that add bytes at the same time, on the whole hub. More would wait for the same disk; each holds up to a
  /// quarter of a megabyte.
  static let atOnce = 64
  /// Those of one guest among them: a phone sends three, and slow ones must not take the places of others.
  static let atOnceOfGuest = 6
  /// Previews that are looked at at the same time, and those of one guest.
  static let previewsAtOnce = 8
  static let previewsOfGuest = 2
  /// Bytes after which it is asked again if the disk and the album have room, and if the guest is still in.
  static let checkedBytes = 64 << 20
  /// Requests that wait for their turn; none of their bytes is read before.
  static let waiting = 4_096
  /// Those of one guest among them.
  static let waitingOfGuest = 50
  /// Seconds in which a request lets go of an upload that another asks for: a sync of a slow disk.
  static let letGoSeconds = 20.0

  /// Seconds for which an upload that nobody continues is kept: the phone may be home only after the weekend.
  static let keptSeconds = 7 * 86_400.0
  /// Seconds for which one is kept of which nothing has come: it costs a place and has nothing to lose.
  static let begunSeconds = 3_600.0
  /// Seconds for which the outcome of a finished one is told, if the last answer was lost.
  static let toldSeconds = 86_400.0
  /// Uploads that one change ends, and the seconds between two looks for expired ones.
  static let endedAtOnce = 100
  static let lookSeconds = 300.0

  /// Characters of a file's name that are kept.
  static let name = 255
  /// Characters of the identifier that both halves of a live photo have.
  static let pair = 100

  /// Requests of one guest: 50 phones with three requests for each picture, all at once.
  static let rate = RouteRate(
    "album uploads", strangers: Rate(burst: 200, perSecond: 5), known: Rate(burst: 3_000, perSecond: 100))
  /// Zips that are sent at the same time: each reads the disk as fast as it can.
  static let zips = 8
  /// Bytes of memory for each file of a zip that is being sent: name, header, place.
  static let zipEntryBytes = 400

  /// Pictures that are looked up for copying at a time, and seconds until a folder that failed is tried again.
  static let copiedAtOnce = 50
  static let copyAgainSeconds = 60.0
}
