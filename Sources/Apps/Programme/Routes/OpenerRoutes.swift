import Calendar
import CivilTime
import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// Openers of events: members request one, keykeepers volunteer, everyone sees who it is.
struct OpenerRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch

  private static let path = "/api/v1/space/openers"

  func add(to router: inout Router) {
    router.on(.get, Self.path, rate: .questions, .task(list))
    router.on(.put, "\(Self.path)/{event}", admit: hub.needs(.wantOpener), .task(ask))
    router.on(
      .post, "\(Self.path)/{event}/me", admit: hub.needsPerson(.openFor),
      .task { request throws(HTTPError) in try await open(request, true) })
    router.on(
      .delete, "\(Self.path)/{event}/me", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await open(request, false) })
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let today = hub.place.zone.wall(at: Int(hub.time.now)).date
    let (from, to) = try request.days(usual: ProgrammeLimits.usualDays, today: today)
    let zone = hub.place.zone
    let start = zone.start(of: from)
    let end = zone.start(of: to)
    let visitor = await hub.visitor(request)
    // Strangers do not learn people's habits over months.
    let first = visitor?.may(.listen) == true ? start : max(start, Int(hub.time.now))
    let commit = hub.commits.number
    let all = try await hub.read { database throws(StoreError) in try database.openings() }
    // The current time of an event, not that when somebody volunteered.
    let found = try await programme.asked(by: request, visitor).find(all.map(\.event))
    let openings = all.compactMap { opening -> (Int, JSON)? in
      guard case .event(let event) = found[opening.event], event.start < end,
        event.end > first || event.start >= first
      else { return nil }
      return (event.start, opening.json(me: visitor?.person))
    }
    return Response(
      json: ["openers": .array(openings.sorted { $0.0 < $1.0 }.map(\.1))], fields: visitor == nil ? [.anyOrigin] : []
    ).asOf(commit: commit)
  }

  private func ask(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .wantOpener)
    let event = try await event(request, principal)
    let json = try request.json()
    guard let wanted = json["wanted"]?.bool, json.members?.count == 1 else {
      throw HTTPError(
        .invalidField, "wanted: \(json["wanted"]?.kind ?? "missing"); true or false is needed, and nothing else.",
        help: "Example: {\"wanted\": true}")
    }
    let what = wanted ? "opener.wanted" : "opener.unwanted"
    let asker = principal.asker
    return try await change(event, principal, request, what, takesPlace: { wanted && !$0.isWanted }) {
      database, _ throws(StoreError) in
      try database.save(wanted: wanted, event: event.id, ends: event.end, asker: asker)
    }
  }

  private func open(_ request: Request, _ opens: Bool) async throws(HTTPError) -> Response {
    // A former keykeeper may still take their own name off the list.
    let (principal, person) = try await hub.person(request, opens ? .openFor : .keep)
    let event = try await event(request, principal)
    let what = opens ? "opener.volunteered" : "opener.withdrew"
    return try await change(
      event, principal, request, what, takesPlace: { opens && !$0.openers.contains { $0.person == person } }
    ) { database, now throws(StoreError) in
      try database.save(opens: opens, event: event.id, person: person, ends: event.end, now: now)
    }
  }

  /// The requested event, unless it is over.
  private func event(_ request: Request, _ principal: Principal) async throws(HTTPError) -> Occurrence {
    let event = try await programme.asked(by: request, principal).event(id: request.parameters["event"] ?? "")
    guard max(event.end, event.start + 1) > Int(hub.time.now) else {
      throw HTTPError(
        .eventIsOver, "\"\(event.title)\" is over since \(timestamp(event.end, in: hub.place.zone)).",
        help: "Who opens can be said until an event ends.")
    }
    return event
  }

  private static let tooMany = HTTPError(
    .tooManyOpenings, "There are \(ProgrammeLimits.openings) events with somebody who opens or is wanted already.",
    help: "What is over is forgotten where there is no room.")
  private static let tooManyOfOne = HTTPError(
    .tooManyOpenings, "You open, or have asked for somebody, for \(ProgrammeLimits.openingsOfOne) events already.",
    help: "Take one of them back, or wait until one is over.")

  /// - Parameter takesPlace: true if the change adds a request or an opener.
  private func change(
    _ event: Occurrence, _ principal: Principal, _ request: Request, _ what: String,
    takesPlace: @escaping @Sendable (Opening) -> Bool,
    _ work: @escaping @Sendable (Database, Int) throws(StoreError) -> Bool
  ) async throws(HTTPError) -> Response {
    let about = Opening.about(event.title, event.start, in: hub.place.zone)
    return try await hub.commit(once: request, as: principal) { change in
      func answer(_ opening: Opening) -> Response { Response(json: opening.json(me: principal.person)).notStored() }
      let (database, now) = (change.database, Int(change.now))
      let before = try database.opening(of: event.id)
      if takesPlace(before),
        try database.openings(of: principal, beside: event.id, now: now) >= ProgrammeLimits.openingsOfOne
      {
        throw Self.tooManyOfOne
      }
      let isNew = !before.isWanted && before.openers.isEmpty
      if isNew, try database.countOpenings(now: now) >= ProgrammeLimits.openings { throw Self.tooMany }
      guard try work(database, now) else { return answer(before) }
      try change.audit(what, about: about)
      let opening = try database.opening(of: event.id)
      change.publish(ProgrammeChannel.openers, on: ProgrammeChannel.channel, opening.news)
      return answer(opening)
    }
  }
}

extension Change {
  /// Tells pages who opens for these events now.
  func tellOpeners(of events: [String]) throws(StoreError) {
    for event in events {
      let opening = try database.opening(of: event)
      publish(ProgrammeChannel.openers, on: ProgrammeChannel.channel, opening.news)
    }
  }
}

extension Opening {
  /// The event as the audit names it, whose pages have words for the time.
  static func about(_ title: String, _ start: Int, in zone: Zone) -> String {
    "\(shortened(title, bytes: 200)), \(timestamp(start, in: zone))"
  }

  var news: JSON {
    [
      "event": .string(event), "wanted": .bool(isWanted), "people": .array(openers.map { .string($0.name) }),
    ]
  }

  fileprivate func json(me: Int?) -> JSON {
    [
      "event": .string(event), "wanted": .bool(isWanted),
      "people": .array(openers.map { ["name": .string($0.name), "me": .bool($0.person == me)] }),
    ]
  }
}
