import Delivery
import Hub
import Server
import Store
import Wire

/// The notifications as routes and commands list and change them.
enum NotificationList {
  /// The newest that were sent.
  /// - Parameter caller: only those of this sender; nil for all.
  static func sent(_ database: Database, of caller: String?, before: Int? = nil) throws(StoreError) -> [JSON] {
    // A sender's own are few among many, and the list is bounded, so it is looked through.
    let limit = caller == nil ? BellsLimits.page : BellsLimits.searched
    let found = try database.notifications(before: before, limit: limit)
    return found.filter { caller == nil || $0.sender == caller }.prefix(BellsLimits.page).map { .object($0.members) }
  }

  /// Those that wait for their time, the soonest first.
  static func scheduled(_ database: Database, of caller: String?) throws(StoreError) -> [JSON] {
    try database.scheduled(limit: caller == nil ? BellsLimits.page : BellsLimits.searched)
      .filter { caller == nil || $0.submission.sender == caller }.prefix(BellsLimits.page)
      .map { .object($0.submission.members(id: $0.id)) }
  }

  /// Changes members of the content, on every device.
  /// - Parameter change: the members to replace; null removes one.
  static func update(_ id: Int, with members: JSON, _ sender: BellSender, in change: Change) throws {
    let database = change.database
    let kept: JSON? =
      if let scheduled = try database.scheduled(id) { scheduled.content } else {
        try database.notification(id).flatMap { try? JSON(parsing: $0.content) }
      }
    guard let kept else { throw HTTPError.noSuchNotification(id) }
    let content = merged(kept, members)
    var check = FieldCheck(["content": content], known: ["content"])
    _ = check.content("content", isNeeded: true)
    try check.finish(help: "Nothing was changed.")
    guard let changed = try database.update(notification: id, content: content, now: change.now) else {
      throw HTTPError.isOver(id)
    }
    sender.follow(changed, id, "new", in: change)
  }

  /// Takes a notification back from every device, or cancels a scheduled one.
  static func withdraw(_ id: Int, _ sender: BellSender, in change: Change) throws {
    if let changed = try change.database.withdraw(notification: id, now: change.now) {
      return sender.follow(changed, id, "withdrawn", in: change)
    }
    guard let notification = try change.database.notification(id) else { throw HTTPError.noSuchNotification(id) }
    // Taken back already: a repeated request has nothing to do.
    if notification.state == .withdrawn { return }
    throw HTTPError.isOver(id)
  }

  static func merged(_ kept: JSON, _ changes: JSON) -> JSON {
    var members = kept.members ?? []
    for change in changes.members ?? [] {
      if let place = members.firstIndex(where: { $0.name == change.name }) {
        if change.value == .null { members.remove(at: place) } else { members[place] = change }
      } else if change.value != .null {
        members.append(change)
      }
    }
    return .object(members)
  }
}

extension Submission {
  /// The form in lists of one that waits for its time.
  func members(id: Int) -> [JSON.Member] {
    [
      .init("id", JSON(id: id)), .init("at", JSON(exact: at)), .init("state", "scheduled"),
      .init("to", .array(to.map(\.json))), .init("content", content), .init("collapse_id", JSON(collapseID)),
      .init("expires_at", JSON(instant: expiresAt)), .init("priority", .string(priority.name)), .init("version", 1),
      .init("sender", .string(sender)), .init("room", JSON(room)), .init("topic", JSON(topic)),
    ]
  }
}

extension Recipient {
  fileprivate var json: JSON {
    switch self {
    case .device(let id): ["device": JSON(id: id)]
    case .person(let id): ["person": JSON(id: id)]
    case .topic(let id): ["topic": .string(id)]
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
