import Calendar
import CivilTime
import Crypto
import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// A person's favourites: merged from all their devices, with the current state of their events, and as a calendar feed
/// at a secret address.
struct FavouriteRoutes: Sendable {
  let hub: Hub
  let programme: ProgrammeWatch
  let alerts: ProgrammeAlerts

  private static let path = "/api/v1/space/favourites"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, bodyLimit: ProgrammeLimits.favouriteBytes, admit: hub.needsPerson(), .task(merge))
    router.on(.get, "\(Self.path)/reminder", .task(reminder))
    router.on(.put, "\(Self.path)/reminder", admit: hub.needsPerson(), .task(saveReminder))
    router.on(.get, "\(Self.path)/subscription", .task(subscription))
    router.on(.post, "\(Self.path)/subscription", admit: hub.needsPerson(), .task(subscribe))
    router.on(.delete, "\(Self.path)/subscription", admit: hub.needsPerson(), .task(unsubscribe))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let commit = hub.commits.number
    let kept = try await hub.read { database throws(StoreError) in try database.favourites(of: person) }
    let found = try await programme.asked(by: request, principal).find(kept.filter(\.kept).map(\.event))
    return answer(kept, found).asOf(commit: commit)
  }

  private func merge(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let time = hub.time.now
    let now = Int(time)
    let json = try request.json()
    let sent: [Favourite]
    do throws(FieldError) {
      sent = try Favourite.list(json, now: Int(time * 1000))
    } catch {
      throw error.refusal(
        help: "Nothing was taken. Each entry has event, kept, at, and seen as /api/openapi.yaml describes it.")
    }
    var ends: [String: Int] = [:]
    let asked = programme.asked(by: request, principal)
    for (id, found) in try await asked.find(sent.map(\.event)) {
      if case .event(let event) = found { ends[id] = event.end }
    }
    let known = ends
    let merged = try await hub.commit(ifNew: request, as: principal) { change in
      guard let merged = try change.database.merge(sent, of: person, ends: known, now: now) else {
        throw Self.tooMany
      }
      if merged.hasChanged {
        change.publish(ProgrammeChannel.favourites, on: .person(person), [:])
        alerts.wake(in: change)
      }
      return merged.favourites
    }
    guard let favourites = merged else { return try await list(request) }
    // They are saved: that the programme's queue is full now must not look like a failure.
    return answer(favourites, (try? await asked.find(favourites.filter(\.kept).map(\.event))) ?? [:])
  }

  private static let tooMany = HTTPError(
    .tooManyFavourites, "With these there would be more than \(ProgrammeLimits.favourites) favourites.",
    help: "Nothing was taken. Removed ones count for a year after the event; remove others from the list first.")

  /// The whole list, with the current state of the events.
  private func answer(_ favourites: [Favourite], _ found: [String: FoundEvent]) -> Response {
    let (zone, now) = (hub.place.zone, Int(hub.time.now))
    let list = favourites.map { $0.json(found[$0.event], zone: zone, now: now) }
    return Response(json: ["favourites": .array(list)]).notStored()
  }

  // MARK: Reminders

  private func reminder(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let minutes = try await hub.read { database throws(StoreError) in try database.reminder(of: person) }
    return Response(json: ["minutes": JSON(minutes)]).notStored()
  }

  private func saveReminder(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["minutes"])
    let isNever = body["minutes"] == .null
    let minutes = isNever ? nil : body.int("minutes", in: ProgrammeLimits.reminderMinutes, isNeeded: true)
    try body.finish(help: "Example: {\"minutes\": 60}; null for no reminders.")
    try await hub.commit(as: principal) { change in
      try change.database.save(reminder: minutes, of: person)
      alerts.wake(in: change)
    }
    return Response(json: ["minutes": JSON(minutes)]).notStored()
  }

  // MARK: The feed

  private func subscription(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let (secret, isNoted) = try await hub.read { database throws(StoreError) in
      (try database.subscription(of: person), try database.knowsSubscription(device: principal.device ?? 0))
    }
    if secret != nil, !isNoted {
      try await hub.stored { () throws(StoreError) in
        try await hub.store.write { database throws(StoreError) in try database.noteSubscription(knownOn: principal) }
      }
    }
    return addresses(of: secret, request)
  }

  private func subscribe(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let secret = Digest.base64URL(Digest.random(24))
    return try await hub.commit(once: request, as: principal) { change in
      try change.database.save(subscription: secret, of: person, now: Int(change.now))
      try change.database.noteSubscription(knownOn: principal)
      try change.audit("favourites.subscribed")
      return addresses(of: secret, request)
    }
  }

  private func unsubscribe(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    try await hub.commit(as: principal) { change in
      try change.database.removeSubscription(of: person)
      try change.audit("favourites.unsubscribed")
    }
    return .nothing()
  }

  private func addresses(of secret: String?, _ request: Request) -> Response {
    let url = secret.map { "\(hub.address(request))/space/favourites/\($0).ics" }
    return Response(json: ["url": JSON(url), "webcal": JSON(url.map(webcal))]).notStored()
  }
}

/// The same address with the scheme that calendar programs open.
func webcal(_ url: String) -> String {
  "webcal" + url.drop { $0 != ":" }
}

extension Favourite {
  fileprivate func json(_ found: FoundEvent?, zone: Zone, now: Int) -> JSON {
    var (glance, changed, isGone): (EventGlance?, [String], Bool) = (nil, [], false)
    switch found {
    case .event(let event):
      let current = EventGlance(event, zone: zone)
      glance = current
      changed = seen?.changes(to: current) ?? []
    // Past events may disappear from a calendar without being reported.
    case .gone: isGone = (seen?.ends ?? Int.max) > now
    case .unknown, nil: break
    }
    return [
      "event": .string(event), "kept": .bool(kept), "at": .string(timestamp(milliseconds: at)),
      "seen": seen?.json ?? .null, "now": glance?.json ?? .null, "changed": .array(changed.map { .string($0) }),
      "cancelled": .bool(glance?.status == EventStatus.cancelled.rawValue), "gone": .bool(isGone),
    ]
  }
}
