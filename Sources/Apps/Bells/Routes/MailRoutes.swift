import Delivery
import Hub
import Lifecycle
import Mail
import Server
import Store
import Wire

/// A person's mailbox, and what the links in mails do.
struct MailRoutes: Sendable {
  let hub: Hub
  let taking: AnswerTaking
  /// Nil without a mail server.
  let mailing: Mailing?
  /// Counts confirmation mails: they go to addresses that may be somebody else's.
  private let asked: TokenBuckets<Int>

  private static let path = "/api/v1/bells/mail"

  init(hub: Hub, taking: AnswerTaking, mailing: Mailing?) {
    self.hub = hub
    self.taking = taking
    self.mailing = mailing
    asked = TokenBuckets(most: 1_000, for: BellsLimits.confirmationSeconds, time: hub.time)
  }

  func add(to router: inout Router) {
    router.on(.get, Self.path, admit: hub.needsPerson(), .task(get))
    router.on(.put, Self.path, admit: hub.needsPerson(), .task(set))
    router.on(.delete, Self.path, admit: hub.needsPerson(), .task(remove))
    router.on(
      .get, "\(Mailing.linkPath){token}", rate: .questions,
      .task { request throws(HTTPError) in try await follow(request, isPressed: false) })
    router.on(
      .post, "\(Mailing.linkPath){token}", rate: .questions,
      .task { request throws(HTTPError) in try await follow(request, isPressed: true) })
  }

  // MARK: The person's setting

  private func get(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let mailbox = try await hub.read { database throws(StoreError) in try database.mailbox(ofPerson: person) }
    return Response(json: json(mailbox)).notStored()
  }

  private func json(_ mailbox: Mailbox?) -> JSON {
    [
      "possible": .bool(mailing != nil), "address": JSON(mailbox?.address.text),
      "after_minutes": JSON(mailbox.map { Int($0.afterSeconds / 60) }),
      "confirmed": .bool(mailbox?.isConfirmed ?? false), "wanted": JSON(mailbox?.wanted?.text),
    ]
  }

  private func set(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var body = try FieldCheck(request, known: ["address", "after_minutes"])
    let text = body.text("address", longest: MailLimits.addressBytes, isNeeded: true) ?? ""
    let address = MailAddress(text)
    if address == nil, !text.isEmpty { body.fail("address", "not an e-mail address; ada@example.org is accepted.") }
    let minutes = body.int("after_minutes", in: MailLimits.minutes) ?? BellsLimits.mailMinutes
    try body.finish(help: "Example: {\"address\": \"ada@example.org\", \"after_minutes\": 10}")
    guard let mailing, let address else { throw HTTPError.noMailServer }
    let mailbox = try await hub.commit(as: principal) { change in
      let saved = try change.database.saveMailbox(
        of: person, address, afterSeconds: Double(minutes) * 60, language: request.isGerman ? "de" : "en",
        now: change.now)
      guard var saved else { throw HTTPError.tooManyDevices }
      if saved.unconfirmed != nil {
        // Before anything is kept: whoever has to wait finds all as it was.
        try limit(person)
        saved.askedAt = try change.database.askAgain(mailbox: saved.device, now: change.now)
      }
      try BellChannel.tell([person], nil, "devices", in: change)
      return saved
    }
    if let wanted = mailbox.unconfirmed { try await confirm(wanted, of: mailbox, by: mailing, request.isGerman) }
    return Response(json: json(mailbox)).notStored()
  }

  /// - Throws: if the person has asked for as many mails as they may.
  private func limit(_ person: Int) throws(HTTPError) {
    guard let seconds = asked.take(person, BellsLimits.confirmations) else { return }
    throw .tooOften("Too many confirmations were sent.", wait: seconds, "; look for the mails meanwhile.")
  }

  /// Sends the mail that asks whether the address is the person's.
  private func confirm(
    _ address: MailAddress, of mailbox: Mailbox, by mailing: Mailing, _ isGerman: Bool
  ) async throws(HTTPError) {
    let place = await Mailing.place(hub)
    let link = MailLinks.Link(
      purpose: .confirm(askedAt: mailbox.askedAt), device: mailbox.device,
      expiresAt: hub.time.now + MailLimits.confirmSeconds)
    let url = place.url + place.links + mailing.links.token(link)
    let words = MailWords(isGerman)
    try await OfferedMailer(hub: hub, sender: mailing.sender).send(
      RoomMail(
        to: address.text, title: words.confirmTitle, body: words.confirmBody(place.name),
        link: words.confirmButton, url: url, id: "confirm.\(mailbox.device).\(mailbox.askedAt)"))
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    try await hub.commit(as: principal) { change in
      _ = try change.database.removeMailbox(ofPerson: person, now: change.now)
      try BellChannel.tell([person], nil, "devices", in: change)
    }
    return .nothing()
  }

  // MARK: Links

  /// The page of a link. To open it changes nothing, so that programs which look at links press nothing; the button on
  /// it posts.
  private func follow(_ request: Request, isPressed: Bool) async throws(HTTPError) -> Response {
    let words = MailWords(request.isGerman)
    guard let link = mailing?.links.link(request.parameters["token"] ?? "") else {
      return PlainPage(words, title: words.unknown).response(of: hub, status: 404)
    }
    guard link.expiresAt > hub.time.now else {
      return PlainPage(words, title: words.expired).response(of: hub, status: 410)
    }
    switch link.purpose {
    case .confirm(let askedAt): return try await confirm(link.device, askedAt, isPressed: isPressed, words)
    case .act(let id, let place): return try await act(id, place, link.device, isPressed: isPressed, words)
    }
  }

  private func confirm(
    _ device: Int, _ askedAt: Int, isPressed: Bool, _ words: MailWords
  ) async throws(HTTPError) -> Response {
    let mailbox = try await hub.read { database throws(StoreError) in try database.mailbox(device: device) }
    guard let mailbox, mailbox.askedAt == askedAt else {
      return PlainPage(words, title: words.expired).response(of: hub, status: 410)
    }
    guard let address = mailbox.unconfirmed else { return PlainPage(words, title: words.confirmed).response(of: hub) }
    guard isPressed else {
      return PlainPage(words, title: words.confirmTitle, text: address.text, button: words.confirmButton)
        .response(of: hub)
    }
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      // It may have been changed just now.
      guard let now = try change.database.mailbox(device: device), now.askedAt == askedAt else { return }
      try change.database.confirmMailbox(device, now: change.now)
      try BellChannel.tell([now.person], nil, "devices", in: change)
    }
    return PlainPage(words, title: words.confirmed).response(of: hub)
  }

  private func act(
    _ id: Int, _ place: Int, _ device: Int, isPressed: Bool, _ words: MailWords
  ) async throws(HTTPError) -> Response {
    let found = try await hub.read { database throws(StoreError) in
      (try database.notification(id), try database.mailbox(device: device))
    }
    guard let notification = found.0, found.1 != nil, let content = try? JSON(parsing: notification.content),
      let actions = content["actions"]?.array, place < actions.count, let action = actions[place]["id"]?.string
    else { return PlainPage(words, title: words.expired).response(of: hub, status: 410) }
    let shown = MailContent.localized(content, words.language)
    let (title, body) = (shown["title"]?.string ?? "", shown["body"]?.string ?? "")
    // Whoever presses twice, or comes back to the page, has answered.
    if let answer = notification.answer, answer.device == device, answer.action == action {
      return PlainPage(words, title: words.done, text: title).response(of: hub)
    }
    guard notification.state == .active else {
      return PlainPage(words, title: words.over, text: title).response(of: hub, status: isPressed ? 409 : 200)
    }
    guard isPressed else {
      let button = MailContent.offered(in: content, words.language).first { $0.index == place }?.title
      return PlainPage(words, title: title, text: body, button: button ?? action).response(of: hub)
    }
    let receipt = Receipt(
      notification: id, version: notification.version, what: .acted(action: action, text: nil))
    let recorded = try await taking.take(receipt, of: device, by: .mail)
    guard recorded.taken?.counts == true else {
      return PlainPage(words, title: words.over, text: title).response(of: hub, status: 409)
    }
    return PlainPage(words, title: words.done, text: title).response(of: hub)
  }
}

extension HTTPError {
  static let noMailServer = HTTPError(
    .noMailServer, "This hub sends no e-mail.", help: "Its owner can set a mail server: the setting smtp.")
}
