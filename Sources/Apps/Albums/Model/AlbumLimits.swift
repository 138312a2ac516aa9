import Hub
import Server

/// The limits of albums, each with its reason. Those of uploads stand in UploadLimits.
enum AlbumLimits {
  /// Albums of one hub, and of one person: a club's parties of many years. Whoever wishes one for each time of two
  /// weekly events is the host of a thousand in ten years; all but the last ones are closed.
  static let albums = 2_000
  static let albumsOfPerson = 1_000
  static let openAlbumsOfPerson = 100
  /// Guests of one album who are in: a very large wedding.
  static let guests = 1_000
  /// Guests who wait for a host's yes: more than a host looks through in an evening.
  static let asked = 200
  /// Guests of one album in all, with those who have left and have pictures or hearts here.
  static let guestsKept = 5_000
  /// Tokens of one guest, the newest: their phone, and what it was joined with again after its storage was emptied.
  static let tokensOfGuest = 10
  /// Pictures of one album, those that were removed within the last days included.
  static let pictures = 50_000
  /// Pictures of one guest in one album: a day's work of somebody who photographs for others.
  static let picturesOfGuest = 10_000
  /// Pictures that are counted for a place in the queue; more are told as so many.
  static let countedAhead = 1_000
  /// Days for which what was removed can be restored, and for which it is known who has left or was removed.
  static let keptDays = 30.0
  /// Pictures in one answer, and those of an answer without a limit.
  static let page = 500
  static let usualPage = 200
  /// Digests in one question for what is there already.
  static let known = 500

  /// Characters of a passphrase: nobody types more at a table.
  static let passphrase = 100
  /// Characters of a piece of music's address and title.
  static let musicAddress = 500
  static let musicTitle = 200
  /// The furthest end of an album: a season.
  static let farthestEnd = 366 * 86_400.0

  /// Planned events with an album that are looked up after each look at the programme, the soonest.
  static let eventsFollowed = 200

  /// Bytes of a link's secret and of a token: 192 bits.
  static let secretBytes = 24

  /// Seconds for which a caller who was found is remembered, since a page asks for forty pictures at once.
  static let callerSeconds = 1.0
  /// Seconds for which a browser keeps the cookie of an album: as long as it keeps any.
  static let cookieSeconds = 400 * 86_400
  /// The most callers who are remembered; past it all are looked up again.
  static let callers = 2_048

  /// Bytes of an Idempotency-Key for joining: 22 of Base64 have 128 bits.
  static let joinKey = 22
  /// Joins from one address: all guests of a wedding have that of the room's network.
  static let joins = RouteRate(
    "album joins", strangers: Rate(burst: 300, perSecond: 5), known: Rate(burst: 60, perSecond: 1))
  /// Changes of oneself: each is a commit, and news for every page.
  static let ofOneself = RouteRate(
    "album guests", strangers: Rate(burst: 60, perSecond: 1), known: Rate(burst: 10, perSecond: 0.2))
  /// Wrong secrets, tokens and passphrases. Secrets cannot be guessed; a passphrase is three words perhaps, and ten
  /// guesses a minute get nobody anywhere. Of one album and address, which a whole party shares: more may type at once
  /// than wait for scrypt, since each counts until it was right.
  static let wrongSecrets = Rate(burst: 60, perSecond: 1)
  static let wrongPassphrases = Rate(burst: 30, perSecond: 10.0 / 60)
  static let wrongInAll = Rate(burst: 6_000, perSecond: 100)
  /// Those that wait for scrypt at the same time, and of one address.
  static let passphraseWork = PasswordWork.Limits(threads: 1, waiting: 64, ofAddress: 16)

  // MARK: What is made of pictures

  /// The long edges of what is made, in pixels: a tile of the gallery, and a screen.
  static let sizes = [320, 1600]
  /// Pictures that are being made at the same time: both workers have the next one waiting.
  static let underWay = 4
  /// Videos that are being looked at beside them: each takes seconds.
  static let looksUnderWay = 1
  /// Seconds after which a video gives way to those of others on whom less time was spent, and seconds between two
  /// looks whether there are any. What gives way begins anew, so that shorter turns would waste more.
  static let filmSeconds = 120.0
  static let filmLookSeconds = 30.0
  /// Tries of a picture whose program failed without a word about the picture, until the hub is started again.
  static let tries = 3
  /// Seconds until such a picture is tried again, and until it is looked whether the program is there now.
  static let retrySeconds = 20.0
  /// Seconds until its last try: a lack of memory, for which Linux ends the program, may last for minutes.
  static let lastRetrySeconds = 600.0
  /// Seconds after the start until that program is started, unless a picture comes before: to open its forty libraries
  /// would slow the first pages.
  static let restSeconds = 10.0
  /// Seconds until what needs a program that is not installed is looked at again.
  static let absentSeconds = 300.0
  /// Other halves of a live photo that one change concerns; a camera writes one.
  static let halves = 8
  /// Rows that one change removes for good.
  static let removedAtOnce = 100
  /// Seconds for which new pictures are gathered before they ring, and between two such rings of one album.
  static let gatherSeconds = 60.0
  static let ringSeconds = 900.0
  /// Seconds between two rings about those who ask.
  static let askedRingSeconds = 180.0
}
