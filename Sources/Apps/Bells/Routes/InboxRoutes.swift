import CivilTime
import Delivery
import Hub
import Lifecycle
import Server
import Store
import Wire

/// A person's own notifications, their answers, and their quiet hours.
struct InboxRoutes: Sendable {
  let hub: Hub
  let sender: BellSender
  let answers: Answers

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/bells", .task { request throws(HTTPError) in try await list(request) })
    router.on(
      .post, "/api/v1/bells/{id}/response", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await respond(request) })
    router.on(
      .post, "/api/v1/bells/seen", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await see(request) })
    router.on(.get, "/api/v1/bells/settings", .task { request throws(HTTPError) in try await settings(request) })
    router.on(
      .put, "/api/v1/bells/settings", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await set(request) })
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let before = request.query["before"].flatMap(Int.init)
    let (commit, now) = (hub.commits.number, hub.time.now)
    let (items, list, unread) = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in
        let items = try database.inbox(ofPerson: person, before: before, limit: BellsLimits.page)
        return (
          items, try items.map { item throws(StoreError) in try item.json(database) },
          try database.unreadCount(ofPerson: person)
        )
      }
    }
    let ringing = items.filter { $0.isRinging(now: now) }.map { JSON(id: $0.notification.id) }
    return Response(
      json: [
        "items": .array(list), "unread": .int(unread), "ringing": .array(ringing),
        "commit": .int(commit),
      ]
    ).notStored().asOf(commit: commit)
  }

  private func respond(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.id ?? 0
    var body = try FieldCheck(request, known: ["action", "text"])
    let action = body.bytes("action", longest: DeliveryLimits.actionBytes) ?? Answer.tap
    let text = body.text("text", longest: DeliveryLimits.textBytes / 4)
    try body.finish(help: "Example: {\"action\": \"opening\"}")
    let taken = try await hub.commit(as: principal) { change in
      guard try change.database.inboxState(ofPerson: person, notification: id) != nil else {
        throw HTTPError.noSuchNotification(id)
      }
      let recorded = try change.database.answer(id, by: .person(person), action: action, text: text, now: change.now)
      sender.follow(recorded.changed, id, Answer.isForOne(action) ? "seen" : "acted", in: change)
      if let answer = recorded.answer { try answers.tell(answer, in: change) }
      return recorded.taken
    }
    return Response(json: ["id": JSON(id: id), "action": JSON(taken?.action)])
  }

  private func see(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["ids", "all"])
    let isAll = body.has("all") ? body.flag("all") ?? false : false
    let listed = body.has("ids") ? body.list("ids", of: "ids", atMost: BellsLimits.seenAtOnce) ?? [] : []
    let ids = listed.compactMap { $0.string.flatMap(Int.init) }
    if ids.count != listed.count { body.fail("ids", "ids of notifications are accepted, as text: [\"12\"].") }
    if !isAll, !body.has("ids") { body.fail("ids", "missing; a list of ids, or all: true, is needed.") }
    try body.finish(help: "Example: {\"ids\": [\"12\"]} or {\"all\": true}")
    let unread = try await hub.commit(as: principal) { change in
      if try change.database.markSeen(ofPerson: person, isAll ? nil : ids) {
        BellChannel.tell([person], isAll ? nil : ids.first, "seen", in: change)
      }
      return try change.database.unreadCount(ofPerson: person)
    }
    return Response(json: ["unread": .int(unread)])
  }

  // MARK: Quiet hours

  private func settings(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let quiet = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in try database.quietHours(ofPerson: person) }
    }
    return Response(json: ["quiet": quiet?.json ?? .null]).notStored()
  }

  private func set(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["quiet"])
    let quiet = body.quietHours("quiet", zone: hub.place.zone.name)
    try body.finish(help: "Example: {\"quiet\": {\"from\": \"23:00\", \"to\": \"07:00\"}}; null for none.")
    try await hub.commit(as: principal) { change in
      try change.database.setQuietHours(ofPerson: person, quiet)
      BellChannel.tell([person], nil, "settings", in: change)
    }
    return Response(json: ["quiet": quiet?.json ?? .null])
  }
}

extension Answer {
  /// True for a tap or a dismissal, after which others can still answer.
  static func isForOne(_ action: String) -> Bool { action == tap || action == dismiss }
}

extension InboxItem {
  /// True if it asks for an answer now: new, with actions, and not over.
  func isRinging(now: Double) -> Bool {
    guard state == .new, notification.state == .active, notification.expiresAt.map({ $0 > now }) ?? true,
      let content = try? JSON(parsing: notification.content)
    else { return false }
    return ["time-sensitive", "critical"].contains(content["interruption_level"]?.string ?? "")
  }

  func json(_ database: Database) throws(StoreError) -> JSON {
    var members: [JSON.Member] = [
      .init("id", JSON(id: notification.id)), .init("at", JSON(exact: notification.at)),
      .init("topic", JSON(notification.topic)), .init("room", JSON(notification.room)),
      .init("content", (try? JSON(parsing: notification.content)) ?? .null),
      .init("collapse_id", JSON(notification.collapseID)), .init("state", .string(state.name)),
    ]
    if let answer = notification.answer {
      let by = try answer.person.flatMap { id throws(StoreError) in try database.personName(id) }
      members.append(
        .init("acted", ["action": .string(answer.action), "by": JSON(by), "at": JSON(exact: answer.at)]))
    }
    return .object(members)
  }
}

extension QuietHours {
  var json: JSON { ["from": .string(Self.clock(from)), "to": .string(Self.clock(to))] }

  private static func clock(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }
}

extension FieldCheck {
  /// Quiet hours from one time of day to another; nil for null.
  fileprivate mutating func quietHours(_ field: String, zone: String) -> QuietHours? {
    guard let value = self[field] else {
      fail(field, "missing; {\"from\": \"23:00\", \"to\": \"07:00\"} or null is needed.")
      return nil
    }
    if value == .null { return nil }
    guard let from = Self.minute(value["from"]), let to = Self.minute(value["to"]) else {
      fail(field, "\(value.text.prefix(80)); two times of day such as 23:00 and 07:00 are accepted.")
      return nil
    }
    return QuietHours(from: from, to: to, zone: zone)
  }

  private static func minute(_ json: JSON?) -> Int? {
    guard let text = json?.string, text.utf8.count == 5 else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
