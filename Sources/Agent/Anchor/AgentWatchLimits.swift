/// The limits of the agent's anchor watch.
enum AgentWatchLimits {
  /// Bytes of the file of its state: settings with a polygon of some hundred points.
  static let stateBytes = 256 << 10
  /// Bytes of the track log before a new one is begun; the one before stays. At a fix a second it takes two days.
  static let trackBytes = 12 << 20
  /// Bytes at the end of the track log from which the watch is restored: somewhat more than an hour of fixes, which is
  /// as far as the rules look back.
  static let restoredBytes = 512 << 10
  /// Seconds between two syncs of the track log. What was written before a kill is there in any case; this is for the
  /// moment when the machine loses its power, and seldom enough for a memory card.
  static let syncSeconds = 30.0
  /// Sources of positions.
  static let sources = 8
  /// Seconds after which a source that was silent is no longer the best one.
  static let staleSeconds = 10.0
  /// The factor by which another source's accuracy must be better to be preferred.
  static let betterAccuracy = 0.6
  /// The accuracy, in metres, of a source that tells none.
  static let usualAccuracy = 10.0
  /// The factor by which one fix may be less accurate than those before it: more counts as that much, since one absurd
  /// estimate would outweigh all good ones that follow.
  static let worseAtOnce = 5.0
  /// Fixes in a row whose time goes back until they are believed: the receiver's clock was set.
  static let clockWasSetFixes = 5
  /// Seconds that a receiver's time may differ from the machine's before the machine's is used for the records.
  static let apartSeconds = 3_600.0
  /// Seconds by which a clock must go elsewhere at once to have been set.
  static let clockSetSeconds = 30.0
  /// Metres beyond both accuracies at which two sources disagree, and seconds until that is told.
  static let disagreementMetres = 30.0
  static let disagreementSeconds = 60.0
  /// Seconds without a leap from which on a source is no longer torn between two places.
  static let tornSeconds = 10.0
  /// Seconds between two looks at the time without a fix, and at battery and charger.
  static let lookSeconds = 5.0
  /// Seconds between two checks from which on the sources are closed in between, and those before a check at which they
  /// are opened again: a receiver that was asleep needs some for its first fix.
  static let seldomSeconds = 8.0
  static let earlySeconds = 2.0
  /// Seconds after a fix in which the others may tell theirs before the sources are closed: most tell one a second.
  static let witnessSeconds = 2.0
  /// Seconds between two checks on battery while no anchor is watched.
  static let idleSeconds = 120.0
  /// The share of the way to the edge from which on nothing is seldom.
  static let nearEdge = 0.6
  /// Seconds between two lines of the flight recorder while nothing changes.
  static let flightSeconds = 60.0
  /// Metres after which the hub is told of a boat under way, and seconds between two such reports: an anchor is dropped
  /// where the hub knows the boat to be.
  static let movedMetres = 10.0
  static let movedSeconds = 10.0
  /// Fixes that wait for the hub; beyond them every second one goes.
  static let waitingFixes = 20_000
  /// Fixes and events in one report, as the hub takes them.
  static let reportedFixes = 500
  static let reportedEvents = 100
  /// Events that wait for the hub.
  static let waitingEvents = 200
  static let eventsBytes = 64 << 10
  /// Seconds until the next attempt to report.
  static let retrySeconds = 20.0
  /// Bytes of an order, and of its answer; connections that give orders, and seconds that one may take.
  static let orderBytes = 256 << 10
  static let orderConnections = 8
  static let orderSeconds = 10.0
  /// Bytes of a file of the kernel about batteries, and supplies that are looked at.
  static let powerBytes = 256
  static let powerSupplies = 16
  /// Seconds between two alarms on the loudspeaker, two warnings, and two reminders of an alarm that is over and that
  /// nobody has acted upon.
  static let alarmPause = 0.4
  static let warningPause = 20.0
  static let reminderPause = 30.0
  /// Alarms between two spoken sentences.
  static let alarmsPerSentence = 4
  /// Seconds until a loudspeaker that failed is tried again: soon at first, since another program may have it for a
  /// moment only, and after so many times less often.
  static let soundSoonSeconds = 1.0
  static let soonTries = 30
  static let soundRetrySeconds = 5.0
  /// Seconds until a source is connected again: twice as long each time, up to the longer one.
  static let reconnectSeconds = 1.0...15.0
  /// Seconds for which a connection may say nothing until it is made anew.
  static let silentSeconds = 30.0
  /// Bytes of a datagram.
  static let datagramBytes = 8_192
  /// Seconds since an order, at most, as the hub takes them.
  static let orderAge = 90.0 * 86_400
  /// Senders of datagrams whose begun lines are kept.
  static let datagramSenders = 16
  /// Seconds after which the same reason why a source is not connected is warned of again.
  static let warnAgainSeconds = 3_600.0
  /// Seconds for which depth, wind and a witness count as told: longer than a receiver sleeps on battery.
  static let instrumentSeconds = 180.0
  /// Seconds within which a position must have been told for an anchor to be dropped at it.
  static let dropSeconds = 120.0
  /// Seconds by which the hub's clock may be behind when somebody acts upon an alarm.
  static let acknowledgedSeconds = 30.0
  /// Seconds after which an alarm that somebody is on rings again, if the boat lies so many metres further out.
  static let againSeconds = 180.0
  static let againMetres = 5.0
  /// Seconds that a drill rings if nobody acts.
  static let drillSeconds = 30.0
  /// The levels of a battery at which it warns.
  static let batteryLevels = [0.2, 0.1]
}
