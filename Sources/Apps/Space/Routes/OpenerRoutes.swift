import CivilTime
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// Who opens the space for an event: members ask, keykeepers put themselves down, everyone sees who it is.
struct OpenerRoutes: Sendable {
  let hub: Hub
  let board: Board
  let programme: Programme
  private let news = OpenerNews()

  private static let path = "/api/v1/space/openers"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task { request throws(HTTPError) in try await list(request) })
    router.on(.put, "\(Self.path)/{event}", .task { request throws(HTTPError) in try await ask(request) })
    router.on(
      .post, "\(Self.path)/{event}/me", .task { request throws(HTTPError) in try await open(request, true) })
    router.on(
      .delete, "\(Self.path)/{event}/me", .task { request throws(HTTPError) in try await open(request, false) })
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let today = board.zone.wall(at: Int(hub.time.now)).date
    let (from, to) = try request.days(usual: SpaceLimits.usualDays, today: today)
    let zone = board.zone
    let start = zone.instant(of: WallTime(date: from, secondOfDay: 0))
    let end = zone.instant(of: WallTime(date: to, secondOfDay: 0))
    let visitor = await hub.visitor(request)
    let all = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in try database.openings() }
    }
    // Where an event is now, not where it was when somebody put themselves down.
    let found = try await programme.asked(by: request, visitor).find(all.map(\.event))
    let openings = all.compactMap { opening -> (Int, JSON)? in
      guard case .event(let event) = found[opening.event], event.start < end,
        event.end > start || event.start >= start
      else { return nil }
      return (event.start, opening.json(me: visitor?.person))
    }
    return Response(
      contentType: "application/json",
      body: .bytes(
        JSON.object([.init("openers", .array(openings.sorted { $0.0 < $1.0 }.map(\.1)))]).bytes),
      fields: visitor == nil ? [.anyOrigin] : [])
  }

  private func ask(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, [.owner, .keykeeper, .member])
    let event = try await event(request, principal)
    let json = try request.json()
    guard let wanted = json["wanted"]?.bool, json.members?.count == 1 else {
      throw HTTPError(
        .invalidField, "wanted: \(json["wanted"]?.kind ?? "missing"); true or false is needed, and nothing else.",
        help: "Example: {\"wanted\": true}")
    }
    let what = wanted ? "opener.wanted" : "opener.unwanted"
    let asker = principal.asker
    return try await change(event, principal, what, takesPlace: { wanted && !$0.isWanted }) {
      database, _ throws(StoreError) in
      try database.save(wanted: wanted, event: event.id, ends: event.end, asker: asker)
    }
  }

  private func open(_ request: Request, _ opens: Bool) async throws(HTTPError) -> Response {
    // Whoever is no keykeeper any more may still take their own name off the list.
    let (principal, person) = try await hub.person(request, opens ? [.owner, .keykeeper] : Set(Role.ofPeople))
    let event = try await event(request, principal)
    let what = opens ? "opener.volunteered" : "opener.withdrew"
    return try await change(
      event, principal, what, takesPlace: { opens && !$0.openers.contains { $0.person == person } }
    ) { database, now throws(StoreError) in
      try database.save(opens: opens, event: event.id, person: person, ends: event.end, now: now)
    }
  }

  /// The event that is meant, if it is not over.
  private func event(_ request: Request, _ principal: Principal) async throws(HTTPError) -> Occurrence {
    let id = request.parameters["event"] ?? ""
    guard let event = try await programme.asked(by: request, principal).event(id: id) else {
      throw HTTPError(
        .noSuchEvent, "There is no event \"\(id)\".", help: "GET /api/v1/space/events lists those there are.")
    }
    guard max(event.end, event.start + 1) > Int(hub.time.now) else {
      throw HTTPError(
        .eventIsOver, "\"\(event.title)\" is over since \(timestamp(event.end, in: board.zone)).",
        help: "Who opens can be said until an event ends.")
    }
    return event
  }

  private static let tooMany = HTTPError(
    .tooManyOpenings, "There are \(SpaceLimits.openings) events with somebody who opens or is wanted already.",
    help: "What is over is forgotten where there is no room.")
  private static let tooManyOfOne = HTTPError(
    .tooManyOpenings, "You open, or have asked for somebody, for \(SpaceLimits.openingsOfOne) events already.",
    help: "Take one of them back, or wait until one is over.")

  /// - Parameter takesPlace: whether somebody is wanted, or comes forward, who was not before.
  private func change(
    _ event: Occurrence, _ principal: Principal, _ what: String,
    takesPlace: @escaping @Sendable (Opening) -> Bool,
    _ work: @escaping @Sendable (Database, Int) throws(StoreError) -> Bool
  ) async throws(HTTPError) -> Response {
    let about = "\(shortened(event.title, bytes: 200)), \(timestamp(event.start, in: board.zone))"
    let board = board
    let (opening, hasChanged, write) = try await hub.write(as: principal) {
      database, now throws(StoreError) -> Result<(Opening, Bool, Int), HTTPError> in
      let before = try database.opening(of: event.id)
      if takesPlace(before),
        try database.openings(of: principal, beside: event.id, now: Int(now)) >= SpaceLimits.openingsOfOne
      {
        return .failure(Self.tooManyOfOne)
      }
      let isNew = !before.isWanted && before.openers.isEmpty
      if isNew, try database.countOpenings(now: Int(now)) >= SpaceLimits.openings { return .failure(Self.tooMany) }
      let hasChanged = try work(database, Int(now))
      if hasChanged { try database.audit(principal, what, about: about, now: now) }
      return .success((try database.opening(of: event.id), hasChanged, board.numberWrite()))
    }
    if hasChanged {
      news.tell(of: opening.event, write: write) {
        let json: JSON = [
          "event": .string(opening.event), "wanted": .bool(opening.isWanted),
          "people": .array(opening.openers.map { .string($0.name) }),
        ]
        hub.channels.publish(SpaceChannel.openers, on: SpaceChannel.name, json)
      }
    }
    return Response(
      contentType: "application/json", body: .bytes(opening.json(me: principal.person).bytes), cacheControl: "no-store")
  }
}

/// Keeps the news of an event in the order of its writes: whoever listens is left with what is true.
private final class OpenerNews: Sendable {
  /// The last write that was told, of each event.
  private let told = Mutex<[String: Int]>([:])

  /// What comes late is left out: the newer news has all of it.
  func tell(of event: String, write: Int, _ announce: () -> Void) {
    told.withLock { told in
      guard write > told[event, default: 0] else { return }
      // Only those under way count.
      if told.count >= SpaceLimits.openings { told.removeAll() }
      told[event] = write
      announce()
    }
  }
}

extension Opening {
  fileprivate func json(me: Int?) -> JSON {
    [
      "event": .string(event), "wanted": .bool(isWanted),
      "people": .array(openers.map { ["name": .string($0.name), "me": .bool($0.person == me)] }),
    ]
  }
}
