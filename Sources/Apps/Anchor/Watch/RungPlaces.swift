import AnchorWatch
import Hub
import Server

/// Positions of whatever reports here, as the room of notifications is told them: what waits for its person at a place
/// rings there.
struct RungPlaces: Sendable {
  let hub: Hub

  /// The number of a source of the watch as a reporter: phones have the numbers above 0.
  static func reporter(source id: Int) -> Int { -id }

  /// - Parameter before: the time of the reporter's report before this one.
  func moved(
    _ fixes: [Fix], reporter: Int, person: Int, before: Double?, now: Double
  ) async throws(HTTPError) {
    guard let triggers = hub.offers[.locationTriggers], let last = fixes.indices.last else { return }
    var before = before
    for (index, fix) in fixes.enumerated() where index == last || fix.time > now - PhoneLimits.recent {
      try await triggers.moved(
        Movement(
          reporter: reporter, person: person, before: before, latitude: fix.position.latitude,
          longitude: fix.position.longitude, accuracy: fix.accuracy ?? 0))
      before = now
    }
  }

  func forget(source id: Int, in change: Change) throws {
    try hub.offers[.locationTriggers]?.reporterRemoved(Self.reporter(source: id), in: change)
  }
}
