import APNs
import APNsSender
import Delivery
import Gateway
import Hub
import Mail
import Notifications
import Ntfy
import Server
import WebPush
import Webhooks
import Wire

/// A notification that somebody wants to see before it is sent, checked: its content, and what else is written into
/// messages.
struct PreviewWish: Sendable {
  var content: JSON
  var collapseID: String?
  var priority: Priority
  /// The reader's language; nil for the words that are not in `localized`.
  var language: BellLanguage?

  static let help = "Example: {\"content\": {\"title\": \"Open\"}, \"language\": \"de\"}"

  /// Takes a request to send; of what is only about when and to whom, nothing is looked at.
  init(_ json: JSON) throws(FieldErrors) {
    var check = FieldCheck(json, known: Sending.fields + ["language"])
    content = check.content("content", isNeeded: true) ?? .object([])
    collapseID = check.bytes("collapse_id", longest: DeliveryLimits.collapseBytes)
    priority = check.priority("priority")
    language = check.choice("language", among: BellLanguage.allCases)
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
  }
}

/// How a notification will look on each kind of device, and how large it is on its way there. Nothing is sent: each
/// channel's own code writes the message that it would send.
struct PushPreview: Sendable {
  /// The kinds of devices and of channels, in the order in which they are shown.
  enum Platform: String, CaseIterable, Sendable {
    /// The hub's own list, which shows everything.
    case list
    case agent
    /// Browsers by Web Push: Chromium and Firefox on a computer, those on Android, and those on Apple's systems.
    case desktop, android, apple
    /// A native app that Apple's push service reaches.
    case app
    case ntfy, mail, webhook
  }
  /// Something that the sender should know.
  enum Note: String, CaseIterable, Sendable {
    case cut
    case tooLarge = "too_large"
    case showsNothing = "shows_nothing"
  }

  struct Look: Equatable, Sendable {
    var platform: Platform
    var title: String?
    var subtitle: String?
    var body: String?
    /// The actions that can be pressed there, and those that only the list has.
    var buttons: [String] = []
    var others: [String] = []
    /// Bytes of the message; nil where nothing is sent.
    var bytes: Int?
    /// How many the channel takes; nil where there is no limit but the content's.
    var limit: Int?
    var notes: [Note] = []
  }

  var looks: [Look]
  /// Bytes of the content.
  var bytes: Int
  var presentation: Presentation

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - address: the hub's, which mails name.
  init(_ wish: PreviewWish, now: Double, address: String) {
    let text = wish.content.text
    // It was checked with the wish.
    guard case .success(let whole) = Content.check(wish.content.bytes) else { preconditionFailure("not checked") }
    bytes = whole.text.count
    presentation = Presentation(whole, settings: DeviceSettings(authorization: .authorized), state: DeviceState())
    let message = Outgoing(
      id: Int(now * 1e6), version: 1, work: .show(content: text), collapseID: wish.collapseID,
      expiresAt: now + BellsLimits.lifetime, priority: wish.priority, sentAt: now, topic: "topic")
    func read(_ content: Content) -> Content {
      wish.language.map { content.localized(in: Array($0.rawValue.utf8)) } ?? content
    }
    let content = read(whole)
    let words = (try? JSON(parsing: content.text)) ?? wish.content
    let shows = !whole.isSilent
    looks = Platform.allCases.map { platform in
      var look = Look(platform: platform)
      switch platform {
      case .list: look.show(content, buttons: nil)
      case .agent:
        look.show(content, buttons: nil)
        look.bytes = message.gatewayText.count
      case .desktop, .android, .apple:
        let fitted = Self.webPush(message, wish.content)
        look.limit = WebPushLimits.plaintextBytes
        look.bytes = fitted?.bytes.count ?? text.utf8.count
        if fitted?.isCut ?? false { look.notes.append(.cut) }
        let came = fitted.flatMap { try? JSON(parsing: $0.bytes)["content"] }.flatMap { json in
          try? Content.check(json.bytes).get()
        }
        if let came {
          look.show(read(came), buttons: platform == .apple ? 0 : NotificationLimits.bannerActions)
        } else {
          look.notes.append(.tooLarge)
        }
      case .app:
        let push = ApplePush(message, unread: 1, isChange: false, now: now)
        look.limit = APNsLimits.payloadBytes
        look.bytes = push?.payload.count ?? text.utf8.count
        if push?.isCut ?? false { look.notes.append(.cut) }
        if let alert = push.flatMap({ try? JSON(parsing: $0.payload)["aps"]?["alert"] }) {
          (look.title, look.subtitle) = (alert["title"]?.string, alert["subtitle"]?.string)
          look.body = alert["body"]?.string
          // The app's own categories have the buttons.
          look.others = content.actions().map(\.title)
        } else if push == nil {
          look.notes.append(.tooLarge)
        }
      case .ntfy:
        let event = NtfyEvent(
          id: message.id, at: now, topic: "topic", content: wish.content, collapseID: wish.collapseID, base: address)
        (look.title, look.body) = (event?.title, event?.message)
        look.others = content.actions().map(\.title)
        look.bytes = event?.line.count
      case .mail:
        let offered = MailContent.offered(in: words).map(\.title)
        let mail = Self.mail(words, offered, now: now, address: address, in: wish.language?.rawValue)
        (look.title, look.body) = (mail.subject, mail.plain)
        look.buttons = offered
        look.others = content.actions().map(\.title).filter { !offered.contains($0) }
        look.bytes = mail.bytes
      case .webhook: look.bytes = WebhookMessage.body(message).bytes.count
      }
      let isEmpty =
        switch platform {
        case .list, .agent, .webhook: false
        case .desktop, .android, .apple: !PushAttempt.isShown(wish.content)
        case .mail: !wish.content.isVisible
        case .app, .ntfy: [look.title, look.subtitle, look.body].allSatisfy { $0 ?? "" == "" }
        }
      if platform != .webhook, !look.notes.contains(.tooLarge), !shows || isEmpty {
        look = Look(platform: platform, bytes: platform == .agent ? look.bytes : nil, notes: [.showsNothing])
      }
      return look
    }
  }

  private static func webPush(_ message: Outgoing, _ content: JSON) -> PushPayload.Fitted? {
    // All receipts have the same length.
    let receipts = PushReceipts(key: Array(repeating: 0, count: PushReceipts.keyBytes))
    return PushPayload.show(
      id: message.id, version: message.version, receipt: receipts.receipt(notification: message.id, device: 1),
      content: content, collapseID: message.collapseID, unread: 1, sentAt: message.sentAt)
  }

  /// The words of a mail to somebody, with short links, and its bytes, for which all tokens have the same length.
  private static func mail(
    _ content: JSON, _ actions: [String], now: Double, address: String, in language: String?
  ) -> (subject: String, plain: String, bytes: Int) {
    func words(_ token: String) -> MailContent {
      let links = actions.map { (title: $0, url: address + Mailing.linkPath + token) }
      return MailContent([.init(content: content, links: links)], hub: address, page: "/bells", language: language)
    }
    let links = MailLinks(key: Array(repeating: 0, count: MailLinks.keyBytes))
    let whole = words(links.token(.init(purpose: .act(notification: 1, action: 1), device: 1, expiresAt: now)))
    let somebody = MailAddress("somebody@example.org")!
    let mail = MailText(
      from: somebody, fromName: "Eightbells", to: somebody, subject: whole.subject, plain: whole.plain,
      html: whole.html, id: "1", thread: "thread", date: now)
    return (whole.subject, words("…").plain, mail.bytes.count)
  }

  var json: JSON {
    [
      "bytes": .int(bytes), "limit": .int(NotificationLimits.contentBytes), "rings": .bool(presentation.rings),
      "stays": .bool(presentation.stays), "sound": .bool(presentation.sound), "badge": .bool(presentation.badge),
      "platforms": .array(looks.map(\.json)),
    ]
  }
}

extension PushPreview.Look {
  /// - Parameter buttons: how many actions there is room for; nil for all.
  fileprivate mutating func show(_ content: Content, buttons room: Int?) {
    (title, subtitle, body) = (content.title, content.subtitle, content.body)
    let titles = content.actions().map(\.title)
    buttons = Array(titles.prefix(room ?? titles.count))
    others = Array(titles.dropFirst(buttons.count))
  }

  var json: JSON {
    [
      "platform": .string(platform.rawValue), "title": JSON(title), "subtitle": JSON(subtitle), "body": JSON(body),
      "buttons": .array(buttons.map(JSON.string)), "others": .array(others.map(JSON.string)),
      "bytes": JSON(bytes), "limit": JSON(limit), "notes": .array(notes.map { .string($0.rawValue) }),
    ]
  }
}
