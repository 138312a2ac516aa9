import Hub
import Lifecycle
import Server
import Store
import Wire

/// The photographer's side: what was sent of a portfolio, what came back, and mails to clients.
struct SentRoutes: Sendable {
  private static let path = "\(PortfolioRoutes.path)/{id}/sent"
  private static let one = "\(path)/{sent}"
  private let hub: Hub
  /// Counts the mails of each person: one request may want twenty.
  private let mailed: TokenBuckets<Int>

  init(_ hub: Hub) {
    self.hub = hub
    mailed = TokenBuckets(most: SentLimits.mailers, for: SentLimits.mailSeconds, time: hub.time)
  }

  func add(to router: inout Router) {
    let needed = hub.needsPerson(.keepPortfolio)
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, admit: needed, .task(make))
    router.on(.get, Self.one, .task(details))
    router.on(.patch, Self.one, admit: needed, .task(change))
    router.on(.delete, Self.one, admit: needed, .task(withdraw))
    router.on(.get, "\(Self.one)/marks", .task(marks))
    router.on(.get, "\(Self.one)/names", .task(names))
    router.on(.post, "\(Self.one)/mail", admit: needed, rate: SentLimits.mails, .task(mail))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (number, address, now) = (hub.commits.number, hub.address(request), hub.time.now)
    let found = try await hub.readOwn(request, or: .noSuchPortfolio) { database, portfolio throws(StoreError) in
      try database.sent(of: portfolio.id).map { sent throws(StoreError) in
        try sent.json(database, now: now, isWhole: false, on: address)
      }
    }
    return Response(json: ["sent": .array(found)]).notStored().asOf(commit: number)
  }

  private func details(_ request: Request) async throws(HTTPError) -> Response {
    let (number, address, now) = (hub.commits.number, hub.address(request), hub.time.now)
    let told = try await hub.readSent(request) { database, sent throws(StoreError) in
      try sent.json(database, now: now, isWhole: true, on: address)
    }
    return Response(json: told).notStored().asOf(commit: number)
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let address = hub.address(request)
    let form = try SentForm(request, isNew: true, now: hub.time.now)
    return try await hub.changeOwn(once: request) { id, change in
      let sent = try SentChange.make(form, of: id, in: change)
      let told = try sent.json(change.database, now: change.now, isWhole: true, on: address)
      return Response(status: 201, json: told).notStored().asOf(commit: change.number)
    }
  }

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let link = request.parameters["sent"] ?? ""
    let form = try SentForm(request, isNew: false, now: hub.time.now)
    try await hub.changeOwn(request) { id, change in try SentChange.change(link, of: id, form, in: change) }
    return try await details(request)
  }

  private func withdraw(_ request: Request) async throws(HTTPError) -> Response {
    let link = request.parameters["sent"] ?? ""
    try await hub.changeOwn(request) { id, change in try SentChange.withdraw(link, of: id, in: change) }
    return .nothing()
  }

  private func marks(_ request: Request) async throws(HTTPError) -> Response {
    let number = hub.commits.number
    let rows = try await hub.readSent(request) { database, sent throws(StoreError) in
      try database.marks(sent: sent.id).map { one -> JSON in
        .object(
          (one.mark.json.members ?? []) + [
            .init("client", .int(one.client)), .init("name", JSON(one.name)), .init("file", .string(one.file)),
          ])
      }
    }
    return Response(json: ["marks": .array(rows)]).notStored().asOf(commit: number)
  }

  /// The names of marked files, one a line, each once: programs for pictures find them by it.
  private func names(_ request: Request) async throws(HTTPError) -> Response {
    let word = request.query["kind"]
    let kind = word.flatMap { ClientMark.Kind(rawValue: $0) }
    guard word == nil || kind != nil else {
      let kinds = ClientMark.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldErrors([FieldError("kind", "\(kinds) are accepted.")]).refusal(help: "All are listed without it.")
    }
    let files = try await hub.readSent(request) { database, sent throws(StoreError) in
      try database.marks(sent: sent.id).filter { kind == nil || $0.mark.kind == kind }.map(\.file)
    }
    var seen: Set<String> = []
    let lines = files.filter { !$0.isEmpty && seen.insert($0).inserted }
    return Response(
      contentType: "text/plain; charset=utf-8", body: .bytes(Array(lines.map { "\($0)\n" }.joined().utf8))
    ).notStored()
  }

  private func mail(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .keepPortfolio)
    return try await hub.answer(once: request, as: principal) { () throws(HTTPError) in
      try await send(request, principal, person)
    }
  }

  private func send(_ request: Request, _ principal: Principal, _ person: Int) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["to", "language"])
    let to = check.list("to", of: "addresses", atMost: SentLimits.addresses, isNeeded: true) ?? []
    let language = check.line("language", longest: 2)
    if to.isEmpty || to.contains(where: { $0.string == nil }) { check.fail("to", "e-mail addresses are accepted.") }
    try check.finish(help: "Example: {\"to\": [\"client@example.org\"], \"language\": \"de\"}")
    guard let mailer = hub.offers[.mailer] else { throw HTTPError.noMailer }
    let letter = try await hub.readSent(request) { database, sent throws(StoreError) in
      try SentLetter(database, sent, from: database.personName(person) ?? "")
    }
    guard letter.isOpen(at: hub.time.now) else { throw HTTPError.sentHasEnded }
    var mail = await letter.mail(hub, at: hub.address(request), isGerman: language == "de")
    mail.writer = person
    for address in to.compactMap(\.string) {
      try await hub.once(request, part: address, as: principal) { () throws(HTTPError) in
        if let seconds = mailed.take(person, SentLimits.mailRate) { throw HTTPError.tooManyMails(seconds) }
        var one = mail
        one.to = address
        try await mailer.send(one)
      }
    }
    let (id, link) = (request.parameters["id"] ?? "", request.parameters["sent"] ?? "")
    return try await hub.commit(once: request, as: principal) { change in
      let (sent, _) = try SentChange.own(link, of: id, in: change)
      try change.audit("portfolio.mailed", about: sent.title)
      return .nothing()
    }
  }
}
