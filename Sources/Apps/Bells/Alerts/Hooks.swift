import Delivery
import Hub
import Server
import Store
import Webhooks
import Wire

/// Webhooks to other programs, and hooks for them: what routes and commands do alike.
struct Hooks: Sendable {
  let sender: BellSender

  // MARK: Webhooks

  /// - Returns: the webhook's id, and its secret, which is told this once.
  func make(_ wish: WebhookWish, in change: Change) throws -> JSON {
    let (database, hub) = (change.database, sender.hub)
    for id in wish.topics {
      guard let topic = try database.topic(id),
        change.principal.may(.manage) || TopicRoutes.mayTake(topic, change.principal, hub)
      else { throw HTTPError.noSuchTopic(id) }
    }
    let secret = WebhookSecret()
    guard
      let id = try database.addWebhook(
        wish.name, url: wish.url, secret: secret, topics: wish.topics, by: change.principal.caller, now: change.now)
    else { throw HTTPError.tooManyHooks(WebhookLimits.webhooks) }
    try database.note(rung: id, madeOn: change.principal.device)
    try change.audit("bell.webhook-made", about: wish.name)
    return ["id": JSON(id: id), "secret": .string(secret.text)]
  }

  /// - Returns: its name.
  @discardableResult
  func removeWebhook(_ id: Int, in change: Change) throws -> String {
    let webhook = try Self.webhook(id, in: change.database)
    _ = try change.database.removeWebhook(id, now: change.now)
    try change.audit("bell.webhook-removed", about: webhook.name)
    return webhook.name
  }

  /// Sends a notification to a webhook alone. One that wanted no more gets all again from now on, until it says so once
  /// more.
  /// - Returns: its id, for its trace.
  func test(_ id: Int, in change: Change) throws -> JSON {
    let webhook = try Self.webhook(id, in: change.database)
    if webhook.state == .ended { try change.database.reviveWebhook(id, now: change.now) }
    let content: JSON = [
      "title": "It rings", "body": .string("A test of the webhook \"\(webhook.name)\"."), "category": "test",
    ]
    let submission = Submission(
      to: [.device(id)], content: content, expiresAt: change.now + BellsLimits.testSeconds,
      sender: change.principal.caller)
    return ["id": JSON(id: try sender.submit(submission, in: change).id)]
  }

  static func list(_ database: Database) throws(StoreError) -> JSON {
    .array(
      try database.webhooks().map { webhook throws(StoreError) in
        let topics = try database.subscriptions(of: .device(webhook.device)).sorted().map(JSON.string)
        return .object((webhook.json.members ?? []) + [.init("topics", .array(topics))])
      })
  }

  private static func webhook(_ id: Int, in database: Database) throws -> Webhook {
    guard let webhook = try database.webhook(id) else {
      throw HTTPError(
        .noSuchWebhook, "There is no webhook \(id).", help: "GET /api/v1/bells/webhooks lists those there are.")
    }
    return webhook
  }

  // MARK: Hooks

  /// - Parameter address: the hub's.
  /// - Returns: the hook's id, and its address, which has the secret in it and is told this once.
  func make(_ wish: HookWish, at address: String, in change: Change) throws -> JSON {
    for target in wish.to {
      try sender.allow(change.principal, target, in: change.database)
      _ = try BellSender.recipients(target, isLater: false, in: change.database)
    }
    guard let template = wish.template else { preconditionFailure("a wish without a template was accepted") }
    let secret = IncomingHook.newSecret()
    guard
      let id = try change.database.addHook(
        wish.name, secret: secret, to: wish.recipients, template: template, by: change.principal.caller,
        now: change.now)
    else { throw HTTPError.tooManyHooks(WebhookLimits.hooks) }
    try change.database.note(hook: id, madeOn: change.principal.device)
    try change.audit("bell.hook-made", about: wish.name)
    return ["id": JSON(id: id), "url": .string(address + IncomingHook.path + secret)]
  }

  /// - Returns: its name.
  @discardableResult
  static func removeHook(_ id: Int, in change: Change) throws -> String {
    guard let hook = try change.database.hook(id), try change.database.removeHook(id) else {
      throw HTTPError(.noSuchHook, "There is no hook \(id).", help: "GET /api/v1/bells/hooks lists those there are.")
    }
    try change.audit("bell.hook-removed", about: hook.name)
    return hook.name
  }

  /// Makes a notification of what was posted to a hook.
  func take(_ json: JSON, by hook: IncomingHook, in change: Change) throws -> JSON {
    let made = hook.template.make(of: json, name: hook.name)
    var check = FieldCheck(["content": made.content], known: ["content"])
    _ = check.content("content", isNeeded: true)
    try check.finish(help: "The hook's template makes no content that can be sent of it.")
    let targets = Sending.Target.list(hook.to)
    // One that is gone, such as somebody who has left, must not keep it from the others.
    var recipients: [Recipient] = []
    var topics: [String] = []
    var missing: [HTTPError] = []
    for target in targets {
      do {
        recipients += try BellSender.recipients(target, isLater: false, in: change.database)
        if let topic = target.topicID { topics.append(topic) }
      } catch let error as HTTPError {
        missing.append(error)
      }
    }
    if missing.count == targets.count, let first = missing.first { throw first }
    let submitted = try sender.submit(
      Submission(
        to: recipients, content: made.content, collapseID: made.collapseID,
        expiresAt: change.now + BellsLimits.lifetime, sender: change.principal.caller,
        topic: targets.count == 1 ? topics.first : nil, topics: topics), in: change)
    try change.database.noteHook(hook.id, usedAt: change.now)
    return ["id": JSON(id: submitted.id)]
  }
}

extension HTTPError {
  static func tooManyHooks(_ limit: Int) -> HTTPError {
    HTTPError(.tooManyHooks, "There are \(limit) already; there cannot be more.", help: "Remove one first.")
  }
}
