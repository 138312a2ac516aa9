public import Delivery
public import EventLoop
import Lifecycle
public import Observe
public import Store
import Synchronization
import Wire

/// Mail as a channel of `Delivery`: what a person has not seen after some minutes on any other way is mailed, those of
/// one thread together.
public final class MailChannel: WorkedChannel {
  private let store: Store
  private let sender: MailSender
  private let links: MailLinks
  private let loop: EventLoop
  private let log: Log
  public let worker: ChannelWorker
  private let silent = Mutex<Silence?>(nil)
  private let place: @Sendable () async -> Place

  /// The name and address of the hub, as mails have them.
  public struct Place: Sendable {
    /// The name of the sender.
    public var name: String
    /// The hub's address.
    public var url: String
    /// The path of the page with all notifications.
    public var page: String
    /// The beginning of the paths of links, which a token follows.
    public var links: String

    public init(name: String, url: String, page: String, links: String) {
      self.name = name
      self.url = url
      self.page = page
      self.links = links
    }
  }

  /// That the server takes no mails: the uptimes of the first and of the last that it has not taken, and why.
  public struct Silence: Sendable {
    var since: Double
    var last: Double
    public var reason: DeliveryReason
    public var detail: String?

    /// The seconds over which it was tried in vain.
    public var seconds: Double { last - since }
  }

  /// Nil while the server takes mails, or none was to be sent.
  public var silence: Silence? { silent.withLock { $0 } }

  public init(
    store: Store, sender: MailSender, links: MailLinks, loop: EventLoop, log: Log,
    place: @escaping @Sendable () async -> Place
  ) {
    self.store = store
    self.sender = sender
    self.links = links
    self.loop = loop
    self.log = log
    self.place = place
    worker = ChannelWorker(
      .mail, store: store, loop: loop, log: log, shares: DeviceShares(MailLimits.sending),
      table: "mail_boxes")
  }

  public func serve(_ device: Int) async throws {
    while true {
      let now = loop.time.now
      try await worker.hold(device, now: now)
      let (mailbox, due) = try await store.read { database throws(StoreError) in
        (
          try database.mailbox(device: device),
          try database.pending(device: device, channel: .mail, now: now, limit: MailLimits.read)
        )
      }
      if due.isEmpty { return }
      var threads: [String: [PendingDelivery]] = [:]
      var order: [String] = []
      for one in due {
        if let outcome = try await answer(without: one, mailbox, now: now) {
          try await write(outcome, of: [one])
          continue
        }
        let thread = Self.thread(one.message)
        if threads[thread] == nil { order.append(thread) }
        threads[thread, default: []].append(one)
      }
      guard let mailbox else { return }
      for thread in order {
        let group = Array((threads[thread] ?? []).prefix(MailLimits.gathered))
        let outcome = try await sender.send(try await mail(group, thread, to: mailbox))
        note(outcome)
        try await write(outcome, of: group)
        // The next mail would hardly fare better now.
        if case .retry = outcome { return }
      }
    }
  }

  /// The outcome of what needs no mail, or none yet; nil for what is to be mailed.
  private func answer(
    without pending: PendingDelivery, _ mailbox: Mailbox?, now: Double
  ) async throws(StoreError) -> Outcome? {
    guard let mailbox else { return .gone(.channelRemoved) }
    let message = pending.message
    // A mail that was sent cannot be changed.
    guard case .show(let content) = message.work, !pending.wasSent else { return .suppressed(.mailedBefore) }
    let words = (try? JSON(parsing: content)) ?? [:]
    guard words.isVisible else { return .suppressed(.silentNotSent) }
    let queuedAt = try await store.read { database throws(StoreError) in
      try database.queuedAt(message.id, device: pending.device, .mail)
    }
    // Recipients who are rung later than others, as nobody had acted or at their local time, have their minutes, too.
    let time = (queuedAt ?? message.sentAt) + mailbox.afterSeconds
    // A clock that was set back does not make it wait for longer.
    if time > now, time <= now + mailbox.afterSeconds { return .later(time) }
    let (id, person) = (message.id, mailbox.person)
    let isSeen = try await store.read { database throws(StoreError) in
      try database.hasSeen(notification: id, person: person)
    }
    return isSeen ? .suppressed(.shownElsewhere) : nil
  }

  private static func thread(_ message: Outgoing) -> String {
    guard case .show(let content) = message.work, let thread = (try? JSON(parsing: content))?["thread"]?.string else {
      return "id \(message.id)"
    }
    return "thread \(thread)"
  }

  private func mail(_ group: [PendingDelivery], _ thread: String, to mailbox: Mailbox) async throws -> MailText {
    let (now, place) = (loop.time.now, await place())
    let items = group.sorted { $0.message.id < $1.message.id }.map { one in
      guard case .show(let text) = one.message.work else { preconditionFailure("a withdrawal is not mailed") }
      let content = (try? JSON(parsing: text)) ?? [:]
      return MailContent.Item(
        content: MailContent.localized(content, mailbox.language),
        links: actions(of: content, one.message.id, mailbox, place, now: now))
    }
    let content = MailContent(items, hub: place.url, page: place.page, language: mailbox.language)
    return MailText(
      from: sender.from, fromName: place.name, to: mailbox.address, subject: content.subject, plain: content.plain,
      html: content.html, id: "\(group[0].message.id).\(mailbox.device)", thread: thread, date: now)
  }

  /// Links for the actions that a mail offers.
  private func actions(
    of content: JSON, _ id: Int, _ mailbox: Mailbox, _ place: Place, now: Double
  ) -> [(title: String, url: String)] {
    MailContent.offered(in: content, mailbox.language).map { index, title in
      let link = MailLinks.Link(
        purpose: .act(notification: id, action: index), device: mailbox.device, expiresAt: now + MailLimits.linkSeconds)
      return (title, place.url + place.links + links.token(link))
    }
  }

  private func note(_ outcome: Outcome) {
    worker.count(outcome)
    let now = loop.time.uptime
    switch outcome {
    case .sent:
      let was = silent.withLock { silent in
        defer { silent = nil }
        return silent
      }
      if was != nil { log.info("the mail server takes mails again") }
    case .retry(_, let reason, let detail):
      let was = silent.withLock { silent in
        defer { silent = Silence(since: silent?.since ?? now, last: now, reason: reason, detail: detail) }
        return silent
      }
      // The log says it once.
      if was == nil { log.warning("the mail server took no mail; it is tried again", ["reason": detail ?? ""]) }
    case .failed(_, let detail):
      log.warning("the mail server refused a mail; it is not tried again", ["reason": detail ?? ""])
    default: break
    }
  }

  private func write(_ outcome: Outcome, of group: [PendingDelivery]) async throws {
    try await worker.write { database, now, jitter throws(StoreError) in
      for one in group { try database.finish(one, channel: .mail, with: outcome, jitter: jitter, now: now) }
    }
  }
}
