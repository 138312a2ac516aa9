public import CivilTime

/// Decides what a clock that is woken now and then has still to say: each announcement once, none that is over.
///
/// It is told by itself (its own settings), and by others (a hub that wakes it): the same instant is spoken once.
public struct DueAnnouncements: Sendable {
  /// Seconds after its instant within which an announcement is still begun. A clock that says a quarter two seconds
  /// late is right; one that says it twenty seconds late is not.
  public static let grace: EpochSeconds = 2
  /// Seconds by which the machine's clock may be behind the last announcement without having been set. Beyond, what was
  /// said then says nothing about now.
  public static let setBack: EpochSeconds = 60
  /// Announcements of others that are kept.
  static let mostTold = 16

  /// The instant of the last announcement that was begun, or that was to be left out.
  public private(set) var last: EpochSeconds?
  private var told: [Announcement] = []

  /// - Parameter last: as it was when the program ended; nil if it never spoke.
  public init(last: EpochSeconds? = nil) { self.last = last }

  /// Somebody else says that an announcement is due. One that is over, or that was begun, changes nothing.
  public mutating func told(_ announcement: Announcement, now: EpochSeconds) {
    told.removeAll { $0.at == announcement.at || $0.at < now - Self.grace }
    told.append(announcement)
    told.sort { $0.at < $1.at }
    if told.count > Self.mostTold { told.removeLast() }
  }

  /// The next announcement that is to be spoken: it may be due now, or up to `grace` seconds ago.
  public mutating func next(_ settings: ClockSettings, now: EpochSeconds, offset: ZoneOffset) -> Announcement? {
    if let last, last > now + Self.setBack { self.last = nil }
    let over = now - Self.grace - 1
    let after = last.map { max($0, over) } ?? over
    let own = settings.next(after: after, offset: offset)
    let others = told.first { $0.at > after }
    guard let own, let others else { return own ?? others }
    return others.at < own.at ? others : own
  }

  /// It is begun, or left out for a reason (an alarm rings, it is muted): it will not come again.
  public mutating func begun(_ announcement: Announcement) {
    last = announcement.at
    told.removeAll { $0.at <= announcement.at }
  }
}
