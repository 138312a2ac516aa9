public import CivilTime
public import Server
public import Store

/// The planned events, as provided by a room.
public protocol PlannedEvents: Sendable {
  /// The path of a calendar feed; nil while there is none.
  var feedPath: String? { get }

  /// The times of events on the days from `from` up to but not including `to`.
  /// - Parameter request: the request on whose behalf the room works.
  /// - Returns: nil if there are more events than one answer may hold.
  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes?

  /// True if an event is still to begin, or has begun, at its start: it was neither cancelled nor moved. One of the
  /// same title is the same event, since some calendars write new identifiers each time.
  func takesPlace(_ event: PlannedEvent, in database: Database) throws(StoreError) -> Bool

  /// The people who have put themselves down as openers of an event, in their order.
  func openers(of event: String, in database: Database) throws(StoreError) -> [Int]

  /// When the next event begins, at a time of day, that somebody opens for; nil if there is none.
  func nextOpening(after now: Int, in database: Database) throws(StoreError) -> Int?

  /// Puts a person down as an opener.
  /// - Returns: false if they may not open.
  func putDown(opener person: Int, of event: PlannedEvent, in change: Change) throws -> Bool

  /// The album of an event has changed, such as its link: pages that show it are told.
  func albumChanged(of event: String, in change: Change)
}

/// One planned event at one time.
public struct PlannedEvent: Equatable, Sendable {
  public var id: String
  public var title: String
  /// Seconds since 1970.
  public var start: Int
  public var end: Int
  /// The identifier that all times of a recurring event share; nil for one that takes place once.
  public var series: String?

  public init(id: String, title: String, start: Int, end: Int, series: String? = nil) {
    self.id = id
    self.title = title
    self.start = start
    self.end = end
    self.series = series
  }
}

/// A room that wants to know when a planned event begins.
public protocol EventListener: Sendable {
  /// An event begins now, or has begun within the last half hour; told once, in the change that rings it.
  func eventBegins(_ event: PlannedEvent, in change: Change) throws
}

/// The times of planned events.
public struct PlannedTimes: Sendable {
  /// An entity tag, which changes whenever the times may have.
  public let tag: String
  /// The times of events that are not cancelled and not all-day, in seconds since 1970.
  public let all: @Sendable () -> [Range<Int>]

  public init(tag: String, all: @escaping @Sendable () -> [Range<Int>]) {
    self.tag = tag
    self.all = all
  }
}

extension Offer where Value == any PlannedEvents {
  /// The planned events of a room.
  public static var plannedEvents: Self { Self("planned-events") }
}

extension Offer where Value == any EventListener {
  public static var eventListener: Self { Self("event-listener") }
}
