import Server

/// The limits of portfolios, each with its reason.
enum PortfolioLimits {
  /// Portfolios of one hub, and of one person: one for each place of theirs, and some friends'.
  static let portfolios = 500
  static let portfoliosOfPerson = 50
  /// Bytes of a source's name, which is mostly an address.
  static let source = 2_000
  /// Characters of a user's name and of a password at another server.
  static let credential = 500
  /// People who have been sent to Flickr for their permission, and how often one may be at a time.
  static let consents = 200
  static let consentsOfPerson = 3
  /// Seconds until they must be back.
  static let consentSeconds = 900.0
  /// How often one person has Flickr asked for somebody's name or a permission: it takes one call a second of the whole
  /// hub, and each that waits puts off the others. The seconds in which that is full again, and people who are counted.
  static let asked = Rate(burst: 60, perSecond: 0.25)
  static let askerSeconds = 240.0
  static let askers = 2_000
  /// Pictures in one answer.
  static let page = 2_000

  /// Long edges of what is made, in pixels: a tile of the wall, and a screen.
  static let sizes = [320, 2048]
  /// Pictures that are fetched and made at the same time: one is on the line while others are being made.
  static let underWay = 3
  /// Rows of pictures to be fetched that are read at a time.
  static let batch = 60
  /// Seconds in which the fetches of a batch begin: after it, others may have their turns.
  static let batchSeconds = 60.0
  /// Bytes of one file that is fetched, of a picture and of a video.
  static let pictureBytes = 400 << 20
  static let videoBytes = 4 << 30
  /// Bytes of a live photo's film, which lasts three seconds: a longer one is a film by itself.
  static let momentBytes = 30_000_000
  /// Syncs that try a failed picture, until its file changes or somebody asks.
  static let tries = 3
  /// Failed pictures that a portfolio's state names.
  static let failed = 100

  /// More pictures than these may not go at once without a word of their owner, if they are more than half.
  static let goneAtOnce = 20

  /// Seconds between two looks at a source: photographers expect a new gallery within the hour.
  static let lookSeconds = 3_600.0
  /// Seconds until the next look after one that has missed files: most are written anew within that.
  static let againSeconds = 60.0
  /// More seconds than a look is ever put off by; a busy source may ask for an hour, too.
  static let longestWait = 2 * lookSeconds
  /// Seconds after which an unreachable source, or one without room here, is tried again.
  static let retrySeconds = 300.0
  /// Seconds after which a busy source is asked again, if it does not say when.
  static let busySeconds = 60.0
  /// Seconds after which the hub looks itself at what a command has added: who types `portfolio add` mostly types
  /// `portfolio sync` next.
  static let commandSeconds = 20.0
  /// The database server's locks of portfolios that commands sync have this number and the portfolio's.
  static let lockOfServer = 85 << 32
  /// Seconds between two looks whether somebody else's sync has ended, or their turn.
  static let lockSeconds = 0.5
  /// Seconds between two live events about progress.
  static let newsSeconds = 0.5
  /// Seconds until the program for pictures must be ready.
  static let startSeconds = 30.0
  /// Rows that one change removes for good.
  static let removedAtOnce = 200

  /// Levels of folders below a gallery.
  static let depth = 8
  /// Entries of one folder.
  static let entries = 60_000
}
