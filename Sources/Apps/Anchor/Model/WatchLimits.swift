/// The limits of this room, each with its reason.
enum WatchLimits {
  // MARK: Reports

  /// Fixes, and events, in one report: what an agent sends after a while without a network, batch by batch.
  static let fixes = 500
  static let events = 100
  /// Bytes of a report: 500 fixes of some 60 bytes, and what stands beside them.
  static let reportBytes = 128 << 10
  /// Devices that report: more phones and receivers than a crew carries. Those that fell silent long ago make room.
  static let sources = 64
  /// Characters of a source's name, and of the words by which it tells its state.
  static let name = 80
  /// Seconds for which the name of a page's device is its own: longer than until a page is missed.
  static let pageName = 180.0
  /// Seconds that may be promised between two signs of life: a phone that moves little tells its position once an hour.
  static let interval = 1.0...7_200
  static let usualInterval = 60.0
  /// Seconds by which a device's clock may be ahead; a fix that is later counts as now.
  static let ahead = 30.0
  /// Seconds by which a fix may be old and still be judged; older ones are for the track alone.
  static let late = 600.0
  /// Seconds by which the boat's position may be old where an anchor is dropped; an agent with the boat under way tells
  /// it more often, one that saves its battery, and most phones, less.
  static let fresh = 120.0
  /// Seconds by which a device's newest position may be older than its report without a wrong clock.
  static let skewLeast = 60.0
  /// Seconds by which the error of a device's clock may change from one report to the next and still be the same error,
  /// the same of an error below `late`, reports that have to agree, and seconds between two of these, at least.
  static let skewDrift = 60.0
  static let smallSkewDrift = 10.0
  static let skewTrials = 3
  static let skewPause = 30.0
  /// Seconds by which a time that is told by its age may differ from one report to the next.
  static let orderTold = 5.0

  // MARK: Watching

  /// Seconds between two looks at an armed watch, and at one that is not.
  static let look = 5.0
  static let idleLook = 300.0
  /// A source is late, and lost, after so many seconds beside the promised interval, and twice that.
  static let slack = 15.0
  /// Instruments that a report may name; those of later agents are passed over.
  static let instruments = 20
  /// Metres beside both errors from which on two sources are not on one boat.
  static let otherBoat = 100.0
  /// Metres beside both errors by which two sources may disagree.
  static let disagreement = 30.0
  /// Metres of error of a source that tells none.
  static let usualAccuracy = 10.0
  /// Seconds for which fixes are read again after a start, so that the second watch knows what it knew.
  static let remembered = 3_600.0

  /// Seconds by which the wall clock may go ahead between two looks without having been set.
  static let clockJump = 30.0

  /// Seconds between two looks for the anchor's place in the swing's arc, and between the positions that are used.
  static let swing = 600.0
  static let swingStep = 10.0

  // MARK: Alarms

  /// Seconds from one ring of an alarm to the next, at first and after so many rings.
  static let ring = 30.0
  static let laterRing = 60.0
  static let rings = 20
  /// Rings after which the next person is rung as well.
  static let ringsOfOne = 3
  /// Seconds after which an alarm that somebody is on rings again, if the boat is so many metres further away.
  static let acknowledged = 180.0
  static let draggedOn = 5.0
  /// Seconds of rings of which a device must have had one, to count as reached by the alarm.
  static let reached = 300.0
  /// Persons who are rung.
  static let crew = 20
  /// Seconds for which an alarm, and other news, are worth being delivered.
  static let alarmLifetime = 900.0
  static let newsLifetime = 43_200.0
  /// Seconds between two notes of when somebody looked last.
  static let lookNoted = 60.0

  // MARK: Batteries

  /// Shares of a battery that ring: once each until it is charged again.
  static let low = 0.2
  static let empty = 0.1
  static let charged = 0.25
  /// Seconds of its history by which its slope is told, at least and at most; rows that are kept of one source.
  static let slopeSeconds = 2_700.0
  static let slopeHistory = 14_400.0
  static let slopeStep = 300.0
  /// Minutes after midnight at which the morning is.
  static let morning = 7 * 60

  // MARK: Keeping

  /// Fixes in an answer; a longer track is told with fewer of each minute.
  static let answered = 20_000
  /// Seconds for which the positions of a boat that is not anchored are kept, for a replay before arming.
  static let idleTrack = 43_200.0
  /// Metres beyond the zone at which a boat that has not dropped her anchor yet is on passage, and seconds from there
  /// until she lies at it.
  static let passage = 500.0
  static let arrival = 900.0
  static let keptDays = 90.0
  /// Fixes in all, some 60 bytes each: a month of nights at one a second.
  static let kept = 1_000_000
  static let removedPerCommit = 5_000
  static let tidy = 3_600.0
  static let anchorages = 500
  /// Bytes of a GPX file: a night at one fix a second has four.
  static let gpxBytes = 16 << 20
  /// Fixes of a file that is exported or brought: two days at one a second.
  static let exported = 172_800
  static let eventsKept = 10_000

  // MARK: Drill

  /// Hours for which the answers of a drill tell who would wake.
  static let drillHours = 24.0
}
