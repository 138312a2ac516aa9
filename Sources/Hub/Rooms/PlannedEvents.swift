public import CivilTime
public import Server

/// The planned events, as provided by a room.
public protocol PlannedEvents: Sendable {
  /// The path of a calendar feed; nil while there is none.
  var feedPath: String? { get }

  /// The times of events on the days from `from` up to but not including `to`.
  /// - Parameter request: the request on whose behalf the room works.
  /// - Returns: nil if there are more events than one answer may hold.
  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes?
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
