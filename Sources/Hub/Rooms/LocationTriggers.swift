public import Server

/// A report of where somebody is, by a phone or another reporter of theirs.
public struct Movement: Sendable {
  /// The reporter's number, which is that of no other reporter.
  public var reporter: Int
  /// The person whose reporter it is.
  public var person: Int
  /// The time of its report before this one, in seconds since 1970; nil for its first.
  public var before: Double?
  /// Degrees north and east.
  public var latitude, longitude: Double
  /// Metres by which it may be wrong; 0 if nobody knows.
  public var accuracy: Double

  public init(
    reporter: Int, person: Int, before: Double?, latitude: Double, longitude: Double, accuracy: Double = 0
  ) {
    (self.reporter, self.person, self.before) = (reporter, person, before)
    (self.latitude, self.longitude, self.accuracy) = (latitude, longitude, accuracy)
  }
}

/// The notifications that wait for a place; offered by the room that sends notifications, for those that know where
/// people are. Positions are compared, and not kept.
public protocol LocationTriggers: Sendable {
  /// Rings what waits for this person at the places that they have come to, or left, since the report before.
  func moved(_ movement: Movement) async throws(HTTPError)

  /// A reporter is removed in this change.
  func reporterRemoved(_ id: Int, in change: Change) throws
}

extension Offer where Value == any LocationTriggers {
  public static var locationTriggers: Self { Self("location-triggers") }
}
