import Server

/// The limits of phones that report, each with its reason.
enum PhoneLimits {
  /// Phones of the hub, some 200 bytes of memory each, and of one person: a new secret for each try.
  static let phones = 20_000
  static let ofOne = 20
  /// Characters of a phone's name.
  static let name = 60
  /// The rate of one phone's reports: what has waited for a network comes at once, then several a second.
  static let rate = Rate(burst: 200, perSecond: 5)
  static let rateSeconds = 60.0
  /// The rate of reports from one address, before anything is known of them: a harbour's network, or a proxy with ten
  /// thousand phones at a report a minute behind it. Who knows no secret gets no further than a digest and a look.
  static let fromOne = Rate(burst: 1_000, perSecond: 250)
  /// Bytes of a report of the Traccar client, whose secret may stand in the body alone, so that anybody can send one.
  static let traccarBytes = 4_096
  /// Seconds between two writes of when each phone was heard last.
  static let flushSeconds = 60.0
  /// Seconds for which a position may be old and still ring at a place; the newest of a report always counts.
  static let recent = 600.0

  // MARK: Modes

  /// Seconds that are promised until the next report: of OwnTracks in its two modes, and of the others.
  static let moving = 90.0
  static let significant = 2_100.0
  static let overland = 900.0
  static let traccar = 300.0
  /// Seconds between two positions in OwnTracks' move mode, and metres.
  static let moveSeconds = 30
  static let moveMetres = 20
  /// The share of the way to the edge from which positions come continuously, whatever the battery says.
  static let nearEdge = 0.6
  /// Seconds after which a mode is asked for again, and the seconds and tries after which a phone counts as one that
  /// does not do what it is asked.
  static let askAgain = 60.0
  static let askSeldom = 3_600.0
  static let asks = 3
}
