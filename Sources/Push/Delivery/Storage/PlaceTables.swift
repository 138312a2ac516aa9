public import Store
public import Wire

/// Notifications that wait for somebody to come to a place, or to leave it. The caller judges where people are; only on
/// which side of a circle somebody's reporter was is kept here, and no position.
enum PlaceTables {
  /// - `push_places` has a row for each that waits, besides its row of `push_scheduled`.
  /// - `push_inside` has the reporters that were inside of its circle at their last report. One without a row was
  ///   outside, if it has reported since `made_at`.
  /// - `push_place_rung` has the persons for whom one that does not repeat has rung.
  static let migration = Migration(
    room: "pushplaces", number: 1,
    sql: """
      CREATE TABLE push_places (
        id INTEGER PRIMARY KEY REFERENCES push_scheduled ON DELETE CASCADE, made_at REAL NOT NULL);
      CREATE TABLE push_inside (
        place INTEGER NOT NULL REFERENCES push_places ON DELETE CASCADE, reporter INTEGER NOT NULL,
        PRIMARY KEY (place, reporter));
      CREATE INDEX push_inside_reporter ON push_inside (reporter);
      CREATE TABLE push_place_rung (
        place INTEGER NOT NULL REFERENCES push_places ON DELETE CASCADE, person INTEGER NOT NULL,
        PRIMARY KEY (place, person))
      """)
}

/// A notification that waits for a place.
public struct PlacedNotification: Sendable {
  public let id: Int
  /// Seconds since 1970.
  public let madeAt: Double
  /// As `Submission.place`.
  public let trigger: JSON
  /// The reporters that are inside.
  public let inside: [Int]
}

extension Database {
  func wait(_ submission: Submission, id: Int, now: Double) throws(StoreError) {
    try schedule(submission, id: id, at: submission.expiresAt ?? now + DeliveryLimits.seriesLifetime)
    try run("INSERT INTO push_places (id, made_at) VALUES (?, ?)", .int(id), .double(now))
  }

  public func placesCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_places", read: { $0.int(0) }) ?? 0
  }

  /// Those that wait for a place, the oldest first.
  public func placedNotifications() throws(StoreError) -> [PlacedNotification] {
    let found = try rows("SELECT id, made_at FROM push_places ORDER BY id", read: { ($0.int(0), $0.double(1)) })
    var all: [PlacedNotification] = []
    for (id, madeAt) in found {
      guard let trigger = try scheduled(id)?.place else { continue }
      let inside = try rows("SELECT reporter FROM push_inside WHERE place = ?", .int(id), read: { $0.int(0) })
      all.append(PlacedNotification(id: id, madeAt: madeAt, trigger: trigger, inside: inside))
    }
    return all
  }

  /// Takes back what a room has waiting for a place under a collapse id of its own: something newer takes its place.
  public func withdrawPlaced(by sender: String, collapseID: String, now: Double) throws(StoreError) {
    let found = try rows(
      "SELECT s.id FROM push_places p JOIN push_scheduled s ON s.id = p.id WHERE s.sender = ?", .text(sender),
      read: { $0.int(0) })
    for id in found {
      // A row of an older hub does not name the room.
      let kept = try scheduled(id)?.collapseID
      if RoomCollapse.read(kept)?.own ?? kept == collapseID { _ = try withdraw(notification: id, now: now) }
    }
  }

  /// Keeps on which side of a circle a reporter is now.
  /// - Returns: false if it was kept so already, or the notification waits no more.
  public func crossed(place id: Int, reporter: Int, isInside: Bool) throws(StoreError) -> Bool {
    guard try first("SELECT 1 FROM push_places WHERE id = ?", .int(id), read: { _ in true }) != nil else {
      return false
    }
    let change =
      isInside
      ? "INSERT INTO push_inside (place, reporter) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1"
      : "DELETE FROM push_inside WHERE place = ? AND reporter = ? RETURNING 1"
    return try first(change, .int(id), .int(reporter), read: { _ in true }) ?? false
  }

  /// Forgets a reporter that is removed: its number may be another's one day.
  public func forgetPlaces(ofReporter reporter: Int) throws(StoreError) {
    try run("DELETE FROM push_inside WHERE reporter = ?", .int(reporter))
  }

  /// The recipients of a notification that are a person, or belong to them: the person, or single devices of theirs.
  /// - Parameter members: the persons of a role.
  public func recipients(
    of submission: Submission, among person: Int, _ members: RoleMembers
  ) throws(StoreError) -> [Recipient] {
    func isTheirs(_ device: Int) throws(StoreError) -> Bool { try pushDevice(device)?.person == person }
    var theirs: [Recipient] = []
    for recipient in submission.to {
      switch recipient {
      case .person(let id): if id == person { theirs.append(recipient) }
      case .device(let id): if try isTheirs(id) { theirs.append(recipient) }
      case .role(let role): if try members(self, role).contains(person) { theirs.append(.person(person)) }
      case .topic(let topic):
        for subscriber in try subscribers(of: topic) {
          switch subscriber {
          case .person(let id): if id == person { theirs.append(.person(id)) }
          case .device(let id): if try isTheirs(id) { theirs.append(.device(id)) }
          }
        }
      }
    }
    return theirs
  }

  /// Sends what has waited for a place to a person who has come there, or left it. One that does not repeat rings once
  /// for each person, and is over once there is nobody else it is for.
  /// - Returns: nil if they are not among its recipients, or it has rung for them.
  public func sendAtPlace(
    _ id: Int, person: Int, repeats: Bool, now: Double, _ members: RoleMembers
  ) throws(StoreError) -> Submitted? {
    guard var submission = try scheduled(id), submission.place != nil, submission.expiresAt ?? .infinity > now else {
      return nil
    }
    let isTheirsAlone = submission.to == [.person(person)]
    submission.to = try recipients(of: submission, among: person, members)
    guard !submission.to.isEmpty else { return nil }
    submission.place = nil
    submission.expiresAt = min(submission.expiresAt ?? .infinity, now + DeliveryLimits.seriesLifetime)
    if repeats {
      // The newest time that somebody came is what counts on a screen.
      submission.collapseID = submission.collapseID ?? "place.\(id)"
    } else if isTheirsAlone {
      try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
      return try send(submission, id: id, now: now)
    } else {
      let isNew = try first(
        "INSERT INTO push_place_rung (place, person) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1", .int(id),
        .int(person), read: { _ in true })
      guard isNew != nil else { return nil }
    }
    return try send(submission, id: try nextNotification(now), now: now)
  }
}
