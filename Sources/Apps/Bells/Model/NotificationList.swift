import CivilTime
import Delivery
import Hub
import Lifecycle
import Server
import Store
import Webhooks
import Wire

/// The notifications as routes and commands list and change them.
enum NotificationList {
  /// The newest that were sent.
  /// - Parameter caller: only those of this sender; nil for all.
  static func sent(
    _ database: Database, _ hub: Hub, of caller: String?, before: Int? = nil
  ) throws(StoreError) -> [JSON] {
    try database.notifications(of: caller, before: before, limit: BellsLimits.page).map { one throws(StoreError) in
      .object(one.members(sender: try database.senderName(one.sender, hub), isTextShown: true))
    }
  }

  /// Those that wait for their time, the soonest first. Longer lists than a page are in the order in which they are
  /// looked at: those that go by the clocks of devices come when their day begins, wherever that is.
  /// - Parameter last: the id of the last one of the page before.
  /// - Returns: nil if `last` waits no more.
  static func scheduled(
    _ database: Database, _ hub: Hub, of caller: String?, after last: Int? = nil
  ) throws(StoreError) -> [JSON]? {
    guard let found = try database.scheduled(of: caller, after: last, limit: BellsLimits.page) else { return nil }
    var listed: [(at: Double, json: JSON)] = []
    for (id, submission) in found {
      let one = try database.withNextDay(submission, id: id, now: hub.time.now)
      let sender = try database.senderName(one.sender, hub)
      listed.append((one.time ?? .infinity, .object(one.members(id: id, sender: sender))))
    }
    // The last id of a page that goes on has to stay the last one.
    if last == nil, listed.count < BellsLimits.page { listed.sort { $0.at < $1.at } }
    return listed.map(\.json)
  }

  /// The trace of a notification: all of it for those who may send to everybody and for its sender, for others the way
  /// to their own devices, if it went to one or stands in their list.
  /// - Parameter principal: nil for a command beside the hub.
  /// - Returns: nil if there is none, or it is not for them.
  static func trace(
    _ id: Int, for principal: Principal?, _ database: Database, _ hub: Hub
  ) throws(StoreError) -> JSON? {
    let waiting = try database.scheduled(id).map { one throws(StoreError) in
      try database.withNextDay(one, id: id, now: hub.time.now)
    }
    func isAll(_ sender: String) -> Bool {
      principal.map { $0.sendsToAll || $0.caller == sender } ?? true
    }
    guard let trace = try database.trace(id) else {
      guard let waiting, isAll(waiting.sender) else { return nil }
      let members = waiting.members(id: id, sender: try database.senderName(waiting.sender, hub))
      return .object(members + [.init("devices", [])])
    }
    let one = trace.notification
    let person = isAll(one.sender) ? nil : principal?.person
    let devices = trace.devices.filter { person == nil || $0.person == person }
    if !isAll(one.sender) {
      guard let person else { return nil }
      // Their list may have it though no device of theirs rings: the page tells them so.
      if devices.isEmpty, try database.inboxState(ofPerson: person, notification: id) == nil { return nil }
    }
    // A typed answer is for who asked, not for all who were asked.
    let isTextShown = person == nil || one.answer?.person == person
    var members = one.members(sender: try database.senderName(one.sender, hub), isTextShown: isTextShown)
    if person == nil {
      // At local times it may have rung in one zone and wait in another.
      let repetition = if let waiting { waiting.repetition } else { try database.repetition(of: id) }
      members += Submission.plan(waiting?.local, one.state == .active ? repetition : nil)
    }
    return .object(members + [.init("devices", .array(devices.map(\.json)))])
  }

  /// A change that somebody asks for.
  struct Wish: Sendable {
    /// Members of the content to replace; null removes one.
    var content: JSON?
    /// Another time for one that waits: a local one, or an instant in seconds since 1970; neither for at once.
    var time: (at: Double?, local: LocalTime?)?

    init(_ request: Request, now: Double, zone: Zone) throws(HTTPError) {
      var body = try FieldCheck(request, known: ["content", "at"])
      content = body["content"]
      if let content, content.members == nil { body.fail("content", "\(content.kind); an object is accepted.") }
      if body.has("at") {
        let local = body.local("at", now: now, zone: zone)
        time = (body.schedule("at", now: now), local)
        if body["at"] == .null { body.fail("at", "null; a time, or a local time is accepted.") }
      }
      if content == nil, time == nil { body.fail("content", "missing; content, at or both are needed.") }
      try body.finish(help: "Example: {\"content\": {\"body\": \"Until 23:00\"}}; null removes a member.")
    }
  }

  /// Changes a notification on every device, or the time of one that waits.
  static func update(_ id: Int, _ wish: Wish, _ sender: BellSender, in change: Change) throws {
    if let (at, local) = wish.time { try reschedule(id, at: at, local: local, sender, in: change) }
    if let content = wish.content { try update(id, with: content, sender, in: change) }
  }

  private static func reschedule(
    _ id: Int, at: Double?, local: LocalTime?, _ sender: BellSender, in change: Change
  ) throws {
    let database = change.database
    if try database.scheduled(id)?.place != nil {
      throw HTTPError(
        .notificationIsOver, "The notification \(id) waits for a place, and has no time.",
        help: "Cancel it, and send another one.")
    }
    guard try database.reschedule(id, at: at, local: local, now: change.now) else {
      throw HTTPError(
        .notificationIsOver, "The notification \(id) waits no more: it was sent, or cancelled.",
        help: "Its time can be changed until then; what it says can be changed afterwards, too.")
    }
    sender.delivery.timesChanged(after: change.database)
  }

  /// - Parameter members: the members to replace; null removes one.
  private static func update(_ id: Int, with members: JSON, _ sender: BellSender, in change: Change) throws {
    let database = change.database
    let kept: JSON? =
      if let scheduled = try database.scheduled(id) { scheduled.content } else {
        try database.notification(id).flatMap { try? JSON(parsing: $0.content) }
      }
    guard let kept else { throw HTTPError.noSuchNotification(id) }
    var check = FieldCheck(["content": members], known: ["content"])
    let content = check.change("content", of: kept) ?? kept
    try check.finish(help: "Nothing was changed.")
    try change.database.demandGoodKey(of: members)
    let end = try database.scheduled(id)?.expiresAt ?? database.notification(id)?.expiresAt ?? 0
    let whole = try sender.keepAttachments(content, until: max(change.now + BellsLimits.lifetime, end), in: change)
    guard let changed = try database.update(notification: id, content: whole, now: change.now) else {
      throw HTTPError.isOver(id)
    }
    try sender.follow(changed, id, "new", in: change)
  }

  /// Takes a notification back from every device, or cancels a scheduled one.
  static func withdraw(_ id: Int, _ sender: BellSender, in change: Change) throws {
    if let changed = try change.database.withdraw(notification: id, now: change.now) {
      return try sender.follow(changed, id, "withdrawn", in: change)
    }
    guard let notification = try change.database.notification(id) else { throw HTTPError.noSuchNotification(id) }
    // Taken back already: a repeated request has nothing to do.
    if notification.state == .withdrawn { return }
    throw HTTPError.isOver(id)
  }
}

extension Submission {
  /// The instant at which it is sent to a device in the hub's zone; nil for one that waits for a place.
  fileprivate var time: Double? { at ?? local?.instant(deviceZone: nil) }

  /// The form in lists of one that waits for its time.
  /// - Parameter name: the sender's.
  func members(id: Int, sender name: String?) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("id", JSON(id: id)), .init("at", JSON(exact: time)),
      .init("state", "scheduled"),
      .init("to", .array(to.map(\.json))), .init("content", content), .init("collapse_id", JSON(collapseID)),
      .init("expires_at", JSON(instant: expiresAt)), .init("priority", .string(priority.name)), .init("version", 1),
      .init("sender", .string(sender)), .init("sender_name", JSON(name)), .init("room", JSON(room)),
      .init("topic", JSON(topic)),
    ]
    if let place { members.append(.init("trigger", place)) }
    members += Self.plan(local, repetition)
    return members
  }

  /// Members for the rings that are still to come: the schedule and the repetition.
  static func plan(_ local: LocalTime?, _ repetition: Repetition?) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let local { members.append(.init("schedule", local.json)) }
    if let repetition { members.append(.init("repeat", repetition.json)) }
    return members
  }
}

extension Recipient {
  var json: JSON {
    switch self {
    case .device(let id): ["device": JSON(id: id)]
    case .person(let id): ["person": JSON(id: id)]
    case .topic(let id): ["topic": .string(id)]
    case .role(let name): ["role": .string(name)]
    }
  }
}

extension Database {
  /// The name of a sender such as "person 7" or "room space"; nil if there is none any more.
  func senderName(_ sender: String, _ hub: Hub) throws(StoreError) -> String? {
    let words = sender.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "person": return try Int(words[1]).flatMap { id throws(StoreError) in try personName(id) }
    case "token": return try Int(words[1]).flatMap { id throws(StoreError) in try tokenName(id) }
    // The key's id, or the certificate's.
    case "provider": return words[1]
    case "guest":
      return try Int(words[1].split(separator: " ").last ?? "").flatMap { id throws(StoreError) in try hook(id)?.name }
    case "room": return hub.roomList.plans.first { $0.id == words[1] }?.name
    default: return nil
    }
  }
}

extension HTTPError {
  static func isOver(_ id: Int) -> HTTPError {
    HTTPError(
      .notificationIsOver, "The notification \(id) is over: it was answered, taken back, or its time is over.",
      help: "GET /api/v1/notifications/\(id) tells what became of it.")
  }
}
