/// The history of the database server as a hub knows it, to notice that another server has taken its place, such as a
/// replica that was made the server before the last changes had come there, or that it goes on from an earlier moment,
/// such as that of a snapshot.
package struct ServerHistory: Sendable {
  /// The number above which changes go on: above all that anybody has been told, so that nobody takes what is there now
  /// for something older. Others have begun at their clocks' microseconds (`Commits`), and clocks differ by a little.
  /// - Parameters:
  ///   - known: numbers that this hub knows.
  ///   - now: seconds since 1970.
  package static func beginning(above known: Int..., now: Double) -> Int {
    max(known.max() ?? 0, Int(now * 1_000_000)) + 1_000_000
  }

  package init() {}

  /// Empty until it is known.
  package var timeline = ""
  /// The name of the newest row of news that was taken over or written; nil until one is known.
  package var newest: String?
  /// The last loss since this hub was started.
  var lost: LostChanges?
  /// True until the owners were told of it.
  var isToTell = false

  /// Notes what is not known yet; false if the timeline is another one, or the newest row is not there.
  /// - Parameters:
  ///   - found: the timeline.
  ///   - before: the newest row that is not behind the last known change (`News.before`).
  package mutating func isSame(_ found: String, before: String?) -> Bool {
    if newest == nil { newest = before }
    if lacks(before: before) { return false }
    // A replica has none: it is not written to.
    if found.isEmpty || found == timeline { return true }
    if !timeline.isEmpty { return false }
    timeline = found
    return true
  }

  /// True if the newest row that was known is not there. Numbers do not show it where another hub has noticed it first,
  /// and has gone on above all of them.
  func lacks(before: String?) -> Bool { before != nil && before != newest }
}

/// Changes that were acknowledged, and that the database lacks.
struct LostChanges: Equatable, Sendable {
  /// The time at which it was noticed, in seconds since 1970.
  var at: Double
  /// The numbers of the last change that was known, and of the last that is there.
  var last, found: Int
}

extension Hub {
  /// Rings the owners.
  func tellOwnersOfLostChanges() async throws {
    try await ringOwners(
      "hub.database",
      title: Bell.Words("The database has lost changes", german: "Die Datenbank hat Änderungen verloren"),
      body: Bell.Words(
        "Another server has taken its place, and lacks the last changes, although they were acknowledged. "
          + "Look through what was done just before.",
        german: "Ein anderer Server hat übernommen, dem die letzten Änderungen fehlen, obwohl sie bestätigt waren. "
          + "Sieh nach, was kurz davor getan wurde."))
  }
}
