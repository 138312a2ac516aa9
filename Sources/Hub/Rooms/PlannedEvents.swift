public import CivilTime
public import Server

/// The events of a room that knows what is planned.
public protocol PlannedEvents: Sendable {
  /// The path of a calendar to subscribe to; nil while there is none.
  var feedPath: String? { get }

  /// When something is on that touches the days from `from` up to but not including `to`.
  /// - Parameter request: whose share of the room's work it takes.
  /// - Returns: nil where there is more than one answer takes.
  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes?
}

/// When something is on.
public struct PlannedTimes: Sendable {
  /// Another one whenever the times may be others.
  public let tag: String
  /// Of each event that is not called off and does not last for whole days, in seconds since 1970.
  public let all: @Sendable () -> [Range<Int>]

  public init(tag: String, all: @escaping @Sendable () -> [Range<Int>]) {
    self.tag = tag
    self.all = all
  }
}

extension Offer where Value == any PlannedEvents {
  /// What is planned.
  public static var plannedEvents: Self { Self("planned-events") }
}
