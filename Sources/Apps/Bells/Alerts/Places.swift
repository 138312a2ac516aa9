import Delivery
import Hub
import Lifecycle
import Notifications
import Server
import Store
import Synchronization
import Wire

/// The notifications that wait for a place, in memory, since each report of each phone is compared with their circles.
/// Only what crosses one is written.
final class Places: Sendable {
  private struct Place {
    let madeAt: Double
    let circle: Circle
    let crossing: Trigger.Crossing
    let repeats: Bool
    /// True if it also rings those who are inside when it begins to wait, or when they are first heard.
    let ringsInside: Bool
    /// The reporters that are inside.
    var inside: Set<Int>
  }

  /// A circle on whose other side a reporter is now.
  private struct Crossed {
    let place: Int
    let isInside: Bool
    /// True if that is no news: the first report tells on which side it is.
    let isFirst: Bool
  }

  /// The last position of a reporter.
  private struct Whereabouts {
    var movement: Movement
    /// Seconds since 1970.
    var at: Double
  }

  private let all = Mutex<[Int: Place]>([:])
  /// By the reporters' numbers; in memory alone.
  private let last = Mutex<[Int: Whereabouts]>([:])

  /// Takes the place of what it knows; to be called on the writer's thread, or before anything is sent.
  func set(_ placed: [PlacedNotification]) {
    var found: [Int: Place] = [:]
    for one in placed { found[one.id] = Self.place(one.trigger, madeAt: one.madeAt, inside: one.inside) }
    all.withLock { [found] in $0 = found }
  }

  /// Another hub has added some, heard who is inside, or removed reporters.
  func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.places) { set(try database.placedNotifications()) }
    for reporter in touches.rows(.reporters) ?? [] { forget(reporter) }
  }

  func add(_ id: Int, _ trigger: JSON, now: Double) {
    let place = Self.place(trigger, madeAt: now)
    all.withLock { $0[id] = place }
  }

  private func remove(_ id: Int) { all.withLock { _ = $0.removeValue(forKey: id) } }

  private func note(_ id: Int, _ reporter: Int, isInside: Bool) {
    all.withLock {
      if isInside { $0[id]?.inside.insert(reporter) } else { $0[id]?.inside.remove(reporter) }
    }
  }

  private func forget(_ reporter: Int) {
    all.withLock { places in for id in Array(places.keys) { places[id]?.inside.remove(reporter) } }
    last.withLock { $0[reporter] = nil }
  }

  /// Notes where a reporter is.
  /// - Returns: when it was heard before, at whatever hub.
  @discardableResult
  private func note(_ movement: Movement, now: Double) -> Double? {
    last.withLock { all in
      let before = all[movement.reporter]?.at
      if all[movement.reporter] == nil, all.count >= BellsLimits.reporters {
        all = all.filter { now - $0.value.at <= BellsLimits.whereaboutsLast }
        guard all.count < BellsLimits.reporters else { return before }
      }
      all[movement.reporter] = Whereabouts(movement: movement, at: max(now, before ?? now))
      return before
    }
  }

  // MARK: Other hubs

  private static let topic = "bells.places"

  /// Hears of positions that were told to other hubs.
  func hear(_ hub: Hub) {
    hub.hearOthers(Self.topic) { [self] told in
      if let movement = Movement(told), let at = told["at"]?.number { note(movement, now: at) }
    }
  }

  fileprivate func tell(_ movement: Movement, _ hub: Hub) {
    hub.tellOthers(Self.topic, movement.json(at: hub.time.now))
  }

  /// The reporters that are in a circle, as far as they were heard of late.
  private func inside(_ circle: Circle, now: Double) -> [Movement] {
    let fresh = last.withLock { all in
      all.values.filter { now - $0.at <= BellsLimits.whereaboutsLast }.map(\.movement)
    }
    return fresh.filter { circle.contains(Fix($0), wasInside: nil) }.sorted { $0.reporter < $1.reporter }
  }

  private static func place(_ trigger: JSON, madeAt: Double, inside: [Int] = []) -> Place? {
    guard case .success(.location(let circle, let crossing, let repeats)) = LocationTrigger.check(trigger) else {
      return nil
    }
    return Place(
      madeAt: madeAt, circle: circle, crossing: crossing, repeats: repeats,
      ringsInside: trigger["inside"]?.bool == true, inside: Set(inside))
  }

  private func crossed(_ movement: Movement) -> [Crossed] {
    let fix = Fix(movement)
    return all.withLock { places in
      var crossed: [Crossed] = []
      for (id, place) in places {
        var was: Bool?
        if place.inside.contains(movement.reporter) {
          was = true
        } else if let before = movement.before, before >= place.madeAt {
          was = false
        }
        let isInside = place.circle.contains(fix, wasInside: was)
        // A place with the device inside has a row, and one with it outside has none.
        if isInside != (was ?? false) {
          crossed.append(Crossed(place: id, isInside: isInside, isFirst: was == nil && !place.ringsInside))
        }
      }
      return crossed.sorted { $0.place < $1.place }
    }
  }

  private subscript(_ id: Int) -> (crossing: Trigger.Crossing, repeats: Bool)? {
    all.withLock { $0[id].map { ($0.crossing, $0.repeats) } }
  }

  // MARK: Ringing

  /// The location triggers, for rooms that know people's positions.
  struct Ringing: LocationTriggers {
    let sender: BellSender
    private var places: Places { sender.places }

    func moved(_ movement: Movement) async throws(HTTPError) {
      var movement = movement
      if let before = places.note(movement, now: sender.hub.time.now) {
        movement.before = max(movement.before ?? before, before)
      }
      places.tell(movement, sender.hub)
      let crossed = places.crossed(movement)
      guard !crossed.isEmpty else { return }
      let told = movement
      try await sender.hub.commit(as: .room(BellsRoom.id)) { change in
        for one in crossed { try cross(one, told, in: change) }
      }
    }

    private func cross(_ one: Crossed, _ movement: Movement, in change: Change) throws {
      let database = change.database
      // Another report of the same phone may have been faster.
      guard try database.crossed(place: one.place, reporter: movement.reporter, isInside: one.isInside) else {
        if try database.scheduled(one.place) == nil { change.then { [places] in places.remove(one.place) } }
        return
      }
      database.touch(.places, one.place)
      change.then { [places] in places.note(one.place, movement.reporter, isInside: one.isInside) }
      guard !one.isFirst, let place = places[one.place],
        place.crossing == .both || (place.crossing == .enter) == one.isInside
      else { return }
      try ring(one.place, movement.person, repeats: place.repeats, in: change)
    }

    /// Rings those who are at the place of a notification already when it begins to wait, if it is for them too.
    func ringInside(_ id: Int, _ trigger: JSON, in change: Change) throws {
      guard let place = Places.place(trigger, madeAt: change.now), place.ringsInside, place.crossing != .leave else {
        return
      }
      for movement in places.inside(place.circle, now: change.now) {
        guard try change.database.crossed(place: id, reporter: movement.reporter, isInside: true) else { continue }
        change.database.touch(.places, id)
        change.then { [places] in places.note(id, movement.reporter, isInside: true) }
        try ring(id, movement.person, repeats: place.repeats, in: change)
      }
    }

    private func ring(_ id: Int, _ person: Int, repeats: Bool, in change: Change) throws {
      let submitted = try change.database.sendAtPlace(
        id, person: person, repeats: repeats, now: sender.delivery.time.now, BellSender.members)
      guard let submitted else { return }
      if submitted.id == id { change.then { [places] in places.remove(id) } }
      sender.delivery.announce([submitted], after: change.database)
      try change.database.keepAttachments(ofSent: submitted.id, now: change.now)
      try BellChannel.tell(ofDue: submitted, in: change)
    }

    func reporterRemoved(_ id: Int, in change: Change) throws {
      try change.database.forgetPlaces(ofReporter: id)
      change.database.touch(.places)
      change.database.touch(.reporters, id)
      change.then { [places] in places.forget(id) }
    }
  }
}

extension Touch {
  /// Notifications that wait for a place.
  static let places = Touch("bells.places")
  /// Those that told positions, and were removed.
  static let reporters = Touch("bells.reporters")
}

/// A trigger as somebody sends it, checked by the rules of devices.
enum LocationTrigger {
  static func check(_ json: JSON) -> Result<Trigger, Refusal> {
    let request: JSON = ["id": "place", "content": ["title": "place"], "trigger": json]
    return Request.check(request.bytes).map { $0.trigger ?? .push }
  }

  /// Rings whoever is in a circle, or comes there.
  static func inside(_ circle: Bell.Circle) -> JSON {
    [
      "type": "location", "latitude": .double(circle.latitude), "longitude": .double(circle.longitude),
      "radius": .int(circle.radius), "on": "enter", "inside": true,
    ]
  }
}

extension Movement {
  fileprivate func json(at time: Double) -> JSON {
    [
      "reporter": .int(reporter), "person": .int(person), "lat": .double(latitude), "lon": .double(longitude),
      "accuracy": .double(accuracy), "at": .double(time),
    ]
  }

  /// Nil for what no hub has told.
  fileprivate init?(_ json: JSON) {
    guard let reporter = json["reporter"]?.int, let person = json["person"]?.int, let latitude = json["lat"]?.number,
      let longitude = json["lon"]?.number
    else { return nil }
    self.init(
      reporter: reporter, person: person, before: nil, latitude: latitude, longitude: longitude,
      accuracy: json["accuracy"]?.number ?? 0)
  }
}

extension Fix {
  fileprivate init(_ movement: Movement) {
    self.init(latitude: movement.latitude, longitude: movement.longitude, accuracy: movement.accuracy)
  }
}
