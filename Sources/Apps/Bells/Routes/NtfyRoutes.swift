import CivilTime
import Delivery
import Hub
import Lifecycle
import Ntfy
import Server
import Store
import Wire

/// Topics in ntfy's manner, for scripts and apps that exist: `POST /topic` publishes, `GET /topic/json` subscribes.
/// `/t/topic` is the same, also for names that mean something else right behind the first slash.
struct NtfyRoutes: Sendable {
  let hub: Hub
  let sender: BellSender
  let feed: NtfyFeed

  func add(to router: inout Router) {
    let fallback = router.fallbackHandler
    router.on(
      .post, "/", bodyLimit: NtfyLimits.bodyBytes, admit: { request throws(HTTPError) in try await admitAny(request) },
      rate: BellsLimits.publishing, dialect: NtfyDialect.usual,
      .task(publishJSON))
    router.on(.options, "/", .immediate { _ throws(HTTPError) in .ntfyPreflight })
    let reserved = NtfyNames.reserved(of: hub)
    add("/{topic}", to: &router, fallback) { TopicNames.areAtRoot($0["topic"] ?? "", reserved: reserved) }
    add("/t/{topic}", to: &router, fallback, nil)
    addAccount(to: &router, fallback)
  }

  /// What clients ask ntfy's own API before they let somebody in. There are no accounts: a token is one, by its name.
  private func addAccount(to router: inout Router, _ fallback: Handler?) {
    router.on(.get, "/v1/health", .immediate { _ throws(HTTPError) in Response(json: ["healthy": true]).forAnyone })
    router.on(
      .get, "/v1/account", rate: .questions, dialect: NtfyDialect.usual,
      .task { [feed] request throws(HTTPError) in
        let caller = try await feed.caller(request)
        let account: JSON = [
          "username": .string(caller?.name ?? "*"), "role": .string(caller == nil ? "anonymous" : "user"),
          "stats": Self.noStats,
        ]
        return Response(json: account).forAnyone.notStored()
      })
    router.on(
      .post, "/v1/account/token", admit: hub.needs(.enter), dialect: NtfyDialect.usual,
      .task { request throws(HTTPError) in
        // The one that came, which the caller has as a password and goes on with as a bearer token.
        guard let token = request.head.fields["authorization"]?.split(separator: " ").last else {
          throw NtfyFault.forbidden("a token is needed; it is sent as a password").error
        }
        return Response(json: ["token": .string(String(token))]).forAnyone.notStored()
      })
    guard case .immediate(let answer)? = fallback else { return }
    // Clients ask for more, and can read a refusal in ntfy's form alone.
    router.otherwise(
      .immediate { request throws(HTTPError) in
        if request.head.path.hasPrefix("/v1/") { throw NtfyFault.noPage.error }
        return try answer(request)
      })
  }

  /// Clients demand these numbers. Nothing is counted for an account.
  private static let noStats = JSON.object(
    ["messages", "emails", "calls", "reservations", "attachment_total_size"].flatMap { name in
      [JSON.Member(name, 0), JSON.Member("\(name)_remaining", 0)]
    })

  private func add(_ path: String, to router: inout Router, _ fallback: Handler?, _ fits: Fit?) {
    let sends: Admission = { request throws(HTTPError) in try await admit(request) }
    let listens: Admission = { request throws(HTTPError) in try await feed.admit(request) }
    // A browser that was led here finds what it finds at any address without a page.
    router.on(
      .get, path, where: fits,
      .immediate { request throws(HTTPError) in
        if request.ntfy.isOn("unifiedpush", "up") { return Response(json: ["unifiedpush": ["version": 1]]).forAnyone }
        guard case .immediate(let answer)? = fallback else {
          throw HTTPError(.noSuchPage, "There is no page of a topic.", help: "GET \(path)/json reads what is sent.")
        }
        return try answer(request)
      })
    for method in [Method.post, .put] {
      router.on(
        method, path, bodyLimit: BellsLimits.attachmentBytes, admit: sends, rate: BellsLimits.publishing,
        dialect: NtfyDialect.usual, where: fits, .streaming(publish))
    }
    for path in [path] + ["publish", "send", "trigger", "auth", "json", "sse", "raw"].map({ "\(path)/\($0)" }) {
      router.on(.options, path, where: fits, .immediate { _ throws(HTTPError) in .ntfyPreflight })
    }
    for word in ["publish", "send", "trigger"] {
      router.on(
        .get, "\(path)/\(word)", admit: sends, rate: BellsLimits.publishing, dialect: NtfyDialect.withoutCookie,
        where: fits, .task(publish))
    }
    router.on(
      .get, "\(path)/auth", admit: listens, rate: .questions, dialect: NtfyDialect.usual, where: fits,
      .task { _ throws(HTTPError) in Response(json: ["success": true]).forAnyone })
    for form in [NtfySubscriber.Form.json, .sse, .raw] {
      router.on(
        .get, "\(path)/\(form.rawValue)", admit: listens, rate: .questions, dialect: NtfyDialect.usual, where: fits,
        .eventStream { [feed] request throws(HTTPError) in try NtfySubscriber(form, request, feed) })
    }
    router.on(
      .get, "\(path)/ws", admit: listens, rate: .questions, dialect: NtfyDialect.usual, where: fits,
      .webSocket(NtfySubscriber.bounds) { [feed] request in NtfySubscriber(admitted: request, feed) })
  }

  // MARK: Who may publish

  /// Strangers may send to topics that an owner has opened; of all others the right is checked in the change.
  private func admit(_ request: Request) async throws(HTTPError) {
    guard try await feed.caller(request) == nil else { return }
    let name = request.ntfyTopic
    let topic = try await hub.look { database throws(StoreError) in try database.topic(name) }
    if topic?.senders != .everybody { _ = try await hub.authorise(request, .enter) }
  }

  /// The same where the topic is in the body: for a stranger one topic at least has to be open.
  private func admitAny(_ request: Request) async throws(HTTPError) {
    guard try await feed.caller(request) == nil else { return }
    let topics = try await hub.look { database throws(StoreError) in try database.topics() }
    if !topics.contains(where: { $0.senders == .everybody }) { _ = try await hub.authorise(request, .enter) }
  }

  // MARK: Publishing

  /// Publishes what was posted: a text, or a file, which is kept if somebody with a token sends it.
  private func publish(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    var begun: [UInt8] = []
    while begun.count <= NtfyLimits.messageBytes, let piece = try await body.next() { begun += piece }
    guard NtfyMessage.isFile(begun, request.ntfy), let principal = try await feed.caller(request) else {
      var whole = request
      whole.body = begun
      return try await publish(whole)
    }
    let (kept, digest) = try await AttachmentRoutes.take(body, after: begun, hint: nil, of: hub) {
      [hub] blob, type async throws(HTTPError) in
      let kept = try await hub.commit(as: principal) { change in
        try KeptAttachment.keep(blob, type: type, in: change)
      }
      return (kept, blob.digest.bytes)
    }
    return try await publish(try message(request, file: (kept.url, kept.type)), request, digest)
  }

  private func publish(_ request: Request) async throws(HTTPError) -> Response {
    try await publish(try message(request), request)
  }

  private func message(
    _ request: Request, file: (url: String, type: String)? = nil
  ) throws(HTTPError) -> NtfyMessage {
    try NtfyFault.told { () throws(NtfyFault) in
      let name = request.ntfyTopic
      guard TopicNames.isName(name) else { throw .topic(name) }
      return try NtfyMessage(
        topic: name, request.ntfy, body: request.body, file: file, contentType: request.head.fields["content-type"],
        now: hub.time.now, zone: hub.place.zone)
    }
  }

  private func publishJSON(_ request: Request) async throws(HTTPError) -> Response {
    let message = try NtfyFault.told { () throws(NtfyFault) in
      try NtfyMessage(json: request.body, request.ntfy, now: hub.time.now, zone: hub.place.zone)
    }
    return try await publish(message, request)
  }

  /// Sends it as every notification is sent; the answer comes when it is on the disk.
  /// - Parameter file: the digest of its file.
  private func publish(
    _ message: NtfyMessage, _ request: Request, _ file: [UInt8]? = nil
  ) async throws(HTTPError) -> Response {
    let principal = try await feed.caller(request)
    let asked = message.request { timestamp(EpochSeconds($0.rounded(.up)), in: .utc) }
    let sending = try FieldErrors.refused(help: "", Sending(asked, now: hub.time.now, zone: hub.place.zone))
    let isKeyed = request.head.fields["idempotency-key"] != nil
    // Strangers' keys, such as counters, may be the same by chance or on purpose: each network has its own.
    return try await hub.commit(
      once: request, content: isKeyed ? file ?? asked.bytes : nil,
      part: principal == nil ? Attempts.network(of: request.peer) : "", as: principal ?? .room(BellsRoom.id)
    ) { [hub, sender, feed] change in
      if principal?.sendsToAll == true { try Self.make(message.topic, hub, in: change) }
      if principal == nil, try change.database.topic(message.topic)?.senders == .everybody {
        try feed.countStranger(at: message.topic)
      }
      let submitted = try sender.send(sending, in: change, isStranger: principal == nil)
      if principal?.kind == .person { try change.audit("bell.sent", about: "topic:\(message.topic)") }
      let event = NtfyEvent(
        id: submitted.id, at: submitted.isScheduled ? sending.at ?? change.now : change.now, topic: message.topic,
        content: sending.content, collapseID: sending.collapseID, base: feed.base)
      return Response(json: event?.json ?? [:]).forAnyone
    }
  }

  /// Makes a topic that does not exist: for members, and for owners to send to. Only owners, and their programs, do so.
  private static func make(_ id: String, _ hub: Hub, in change: Change) throws {
    guard try change.database.topic(id) == nil else { return }
    let count = try change.database.topics().count
    guard count < BellsLimits.topics else { throw HTTPError.tooManyTopics(count) }
    try change.database.keep(Topic(id: id, name: id, subscribers: .members, senders: .right(Right.send.id)), hub)
    try change.audit("bell.topic-made", about: id)
  }
}

extension Response {
  /// The answer to a browser that asks beforehand whether a page of another site may send what ntfy's clients send.
  fileprivate static let ntfyPreflight = Response(
    status: 204, contentType: "text/plain", body: .bytes([]),
    fields: [
      .anyOrigin, .init("Access-Control-Allow-Methods", "GET, POST, PUT"),
      // The star does not stand for Authorization (Fetch Standard, section 3.3.3).
      .init("Access-Control-Allow-Headers", "*, Authorization"), .init("Access-Control-Max-Age", "86400"),
    ])

  /// The same, readable by pages of other sites, as ntfy's answers are: they are for who has the token.
  fileprivate var forAnyone: Response {
    var response = self
    response.fields.append(.anyOrigin)
    return response
  }
}
