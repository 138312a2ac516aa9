public import Server
public import Store

/// Albums of planned events, as provided by a room: everybody's pictures of an evening. The room of the events says
/// what becomes of them (`follow`), and shows the way to the album where it shows the event.
public protocol EventAlbums: Sendable {
  func mayMake(_ principal: Principal) -> Bool

  /// - Throws: 403 for somebody who may not make albums.
  func demandMaker(_ principal: Principal) throws(HTTPError)

  /// The album of an event; nil while there is none.
  /// - Parameters:
  ///   - series: of the event; see `PlannedEvent.series`.
  ///   - person: the reader; nil for a stranger.
  ///   - now: seconds since 1970.
  func album(
    of event: String, series: String?, for person: Int?, now: Double, in database: Database
  ) throws(StoreError) -> EventAlbum?

  /// Makes an album for an event that has none; the person of the change is its host. For an event that has one, its
  /// host says only whether later times get one.
  /// - Parameters:
  ///   - isOpen: true if whoever has the link is in; false if a host says yes to each.
  ///   - everyTime: true to make one for each later time of the event.
  /// - Throws: 409 for an event with somebody else's album, and where there are too many albums.
  func make(for event: PlannedEvent, isOpen: Bool, everyTime: Bool, in change: Change) throws

  /// The event has no album any more, and later times get none. The album itself stays with its hosts.
  /// - Throws: 404 without an album, 403 for somebody who is neither its host nor an owner of the hub.
  func release(_ event: PlannedEvent, in change: Change) throws

  /// The events with an album that are not over, the soonest first.
  /// - Parameter now: seconds since 1970.
  func followed(now: Double, in database: Database) throws(StoreError) -> [String]

  /// Follows what has become of events: to be called after each look at the programme.
  /// - Parameters:
  ///   - known: events of `followed` as they are now, by their former identifiers; nil for one that does not take
  ///     place.
  ///   - coming: events that begin within `EventAlbum.secondsAhead`.
  /// - Returns: the events whose albums have changed.
  func follow(_ known: [String: PlannedEvent?], coming: [PlannedEvent], in change: Change) throws -> [String]
}

/// The album of a planned event, as a page shows it.
public struct EventAlbum: Equatable, Sendable {
  /// Seconds before a recurring event for which its album is made: time enough to print the code.
  public static let secondsAhead = 14 * 86_400

  public var name: String
  /// The path of its page, with the secret of its link.
  public var path: String
  /// The path of its wall, for a screen in the room.
  public var wallPath: String
  /// The path of its code, to be printed.
  public var cardPath: String
  /// The path of its hosts' page; nil for everybody else.
  public var hostPath: String?
  /// True if whoever has the link is in; false if a host says yes to each.
  public var isOpen: Bool
  /// True if nobody joins or sends any more.
  public var isClosed: Bool
  /// Seconds since 1970; nil if it does not close by itself.
  public var closesAt: Double?
  /// True if later times of the event get one, too.
  public var isForEveryTime: Bool

  public init(
    name: String, path: String, wallPath: String, cardPath: String, hostPath: String?, isOpen: Bool, isClosed: Bool,
    closesAt: Double?, isForEveryTime: Bool
  ) {
    self.name = name
    self.path = path
    self.wallPath = wallPath
    self.cardPath = cardPath
    self.hostPath = hostPath
    self.isOpen = isOpen
    self.isClosed = isClosed
    self.closesAt = closesAt
    self.isForEveryTime = isForEveryTime
  }
}

extension Offer where Value == any EventAlbums {
  public static var eventAlbums: Self { Self("event-albums") }
}
