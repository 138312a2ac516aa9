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
  let taking: AnswerTaking

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/bells", .task(list))
    router.on(.post, "/api/v1/bells/{id}/response", admit: hub.needsPerson(), .task(respond))
    router.on(.post, "/api/v1/bells/{id}/woken", admit: hub.needsPerson(), .task(woken))
    router.on(.post, "/api/v1/bells/seen", admit: hub.needsPerson(), .task(see))
    router.on(.get, "/api/v1/bells/settings", .task(settings))
    router.on(.put, "/api/v1/bells/settings", admit: hub.needsPerson(), .task(set))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let before = try request.before()
    let (commit, now, views) = (hub.commits.number, hub.time.now, Views(hub: hub))
    let (items, list, unread) = try await hub.read { database throws(StoreError) in
      let items = try database.inbox(ofPerson: person, before: before, limit: BellsLimits.page)
      let names = try views.byCategory(database)
      return (
        items, try items.map { item throws(StoreError) in try item.json(database, views: names, now: now) },
        try database.unreadCount(ofPerson: person)
      )
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
    let action = body.answerAction("action") ?? Answer.tap
    let text = body.answerText("text")
    try body.finish(help: "Example: {\"action\": \"opening\"}")
    let recorded = try await hub.commit(as: principal) { change in
      guard try change.database.inboxState(ofPerson: person, notification: id) != nil else {
        throw HTTPError.noSuchNotification(id)
      }
      let recorded = try change.database.answer(id, by: .person(person), action: action, text: text, now: change.now)
      try taking.follow(recorded, id, in: change)
      return recorded
    }
    try recorded.demandOpen(id)
    return Response(json: ["id": JSON(id: id), "action": JSON(recorded.taken?.action)])
  }

  /// Takes an open page's answer to a silent notification: it is noted where the page's browser was to be rung.
  private func woken(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, _) = try await hub.person(request)
    let id = request.id ?? 0
    var body = try FieldCheck(request, known: ["answer", "took"])
    let answer = body.choice("answer", among: WokenAnswer.allCases, isNeeded: true) ?? .noAnswer
    let took = body.number("took", in: 0...BellsLimits.wokenSeconds, isNeeded: false) ?? 0
    try body.finish(help: "Example: {\"answer\": \"new_data\", \"took\": 1.2}")
    let note = DeviceNote(
      "\(answer.code):\((took * 10).rounded() / 10)/\(BellsLimits.silentSeconds)")
    try await hub.commit(as: principal) { change in
      guard let browser = principal.device, let device = try change.database.pushDevice(browser: browser) else {
        return
      }
      let receipt = Receipt(
        notification: id, version: 1, what: answer == .failed ? .failed : .shown, note: note)
      _ = try change.database.record(receipt, device: device.id, channel: .webPush, now: change.now)
    }
    return .nothing()
  }

  private enum WokenAnswer: String, CaseIterable {
    case failed
    case newData = "new_data"
    case noData = "no_data"
    case noAnswer = "no_answer"

    /// The code of the trace's reason.
    var code: String { self == .failed ? DeliveryReason.workFailed.rawValue : rawValue }
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
    var left = ids[...]
    if isAll {
      let all = try await hub.read { database throws(StoreError) in try database.unread(ofPerson: person) }
      left = all[...]
    }
    // In parts, so that other writes come in between.
    var unread: Int
    repeat {
      let part = Array(left.prefix(BellsLimits.seenAtOnce))
      left = left.dropFirst(part.count)
      unread = try await hub.commit(as: principal) { change in
        if try change.database.markSeen(ofPerson: person, part) {
          try BellChannel.tell([person], isAll ? nil : part.first, "seen", in: change)
        }
        return try change.database.unreadCount(ofPerson: person)
      }
    } while !left.isEmpty
    return Response(json: ["unread": .int(unread)])
  }

  // MARK: Quiet hours

  private func settings(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let quiet = try await hub.read { database throws(StoreError) in try database.quietHours(ofPerson: person) }
    return Response(json: ["quiet": quiet?.json ?? .null]).notStored()
  }

  private func set(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["quiet"])
    let quiet = body.quietHours("quiet", zone: hub.place.zone.name)
    try body.finish(help: "Example: {\"quiet\": {\"from\": \"23:00\", \"to\": \"07:00\"}}; null for none.")
    try await hub.commit(as: principal) { change in
      try change.database.setQuietHours(ofPerson: person, quiet)
      try BellChannel.tell([person], nil, "settings", in: change)
    }
    return Response(json: ["quiet": quiet?.json ?? .null])
  }
}

extension Recorded {
  /// - Throws: 409 for an answer to what is over. One that came after another's is told that instead.
  func demandOpen(_ id: Int) throws(HTTPError) {
    if taken?.counts == false, refusal != .answeredElsewhere { throw HTTPError.isOver(id) }
  }
}

extension InboxItem {
  /// Why it cannot be answered any more; nil while it can.
  func over(now: Double) -> String? {
    switch (notification.state, state) {
    case (.acted, _): "answered"
    case (.withdrawn, _): "taken_back"
    case (.active, _) where notification.expiresAt ?? .infinity > now: state == .collapsed ? "collapsed" : nil
    default: "expired"
    }
  }

  /// True if it asks for an answer now: new, with actions, and not over.
  func isRinging(now: Double) -> Bool {
    guard state == .new, over(now: now) == nil,
      let content = try? JSON(parsing: notification.content)
    else { return false }
    return ["time-sensitive", "critical"].contains(content["interruption_level"]?.string ?? "")
  }

  /// - Parameter views: the name of the view of each category that has one.
  func json(_ database: Database, views: [String: String], now: Double) throws(StoreError) -> JSON {
    let content = (try? JSON(parsing: notification.content)) ?? .null
    var members: [JSON.Member] = [
      .init("id", JSON(id: notification.id)), .init("at", JSON(exact: notification.at)),
      .init("topic", JSON(notification.topic)), .init("room", JSON(notification.room)),
      .init("content", content),
      .init("collapse_id", JSON(notification.collapseID)),
      .init("view", JSON(content["category"]?.string.flatMap { views[$0] })),
      .init("state", .string(state == .collapsed ? "seen" : "\(state)")), .init("over", JSON(over(now: now))),
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
  var json: JSON { ["from": .string(ClockTime.text(from)), "to": .string(ClockTime.text(to))] }
}

extension FieldCheck {
  /// Quiet hours from one time of day to another; nil for null.
  fileprivate mutating func quietHours(_ field: String, zone: String) -> QuietHours? {
    guard let value = self[field] else {
      fail(field, "missing; {\"from\": \"23:00\", \"to\": \"07:00\"} or null is needed.")
      return nil
    }
    if value == .null { return nil }
    guard let from = ClockTime.minute(value["from"]), let to = ClockTime.minute(value["to"]) else {
      fail(field, "\(value.text.prefix(80)); two times of day such as 23:00 and 07:00 are accepted.")
      return nil
    }
    if from == to {
      fail(field, "both are \(ClockTime.text(from)), which is never quiet; two different times are accepted.")
    }
    return QuietHours(from: from, to: to, zone: zone)
  }
}
