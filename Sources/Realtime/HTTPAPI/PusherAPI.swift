public import Lifecycle
public import Server
import Wire

/// Pusher's HTTP API: a program that knows an app's secret triggers events, and asks who listens.
///
/// A caller is known by the signature in the query, before the body is read.
public struct PusherAPI: Sendable {
  private let channels: Channels
  private let appOfID: @Sendable (_ id: String) async -> RealtimeApp?
  private let appOfKey: @Sendable (_ key: String) async -> RealtimeApp?
  private let time: any TimeSource

  public init(
    channels: Channels, time: any TimeSource, appOfID: @escaping @Sendable (_ id: String) async -> RealtimeApp?,
    appOfKey: @escaping @Sendable (_ key: String) async -> RealtimeApp?
  ) {
    self.channels = channels
    self.time = time
    self.appOfID = appOfID
    self.appOfKey = appOfKey
  }

  public func addRoutes(to router: inout Router) {
    on(&router, .post, "/apps/{app}/events", bodyLimit: RealtimeLimits.requestBytes, publishes: true, trigger)
    on(&router, .post, "/apps/{app}/batch_events", bodyLimit: RealtimeLimits.batchBytes, publishes: true, triggerAll)
    on(&router, .post, "/apps/{app}/channels/{channel}/events", publishes: true, triggerData)
    on(&router, .get, "/apps/{app}/channels", occupied)
    on(&router, .get, "/apps/{app}/channels/{channel}", channel)
    on(&router, .get, "/apps/{app}/channels/{channel}/users", users)
    on(&router, .post, "/apps/{app}/users/{user}/terminate_connections", terminate)
    // PyPI's pusher 3.3.4 leaves the app out; its key tells.
    on(&router, .post, "/users/{user}/terminate_connections", terminate)
  }

  /// A request whose signature is right, with the app that it is for.
  private struct Call {
    let app: RealtimeApp
    let request: Request
    let signature: PusherSignature
  }
  private typealias Answer = @Sendable (Call) throws(HTTPError) -> Response

  private func on(
    _ router: inout Router, _ method: Method, _ path: String, bodyLimit: Int = ServerLimits.bodyBytes,
    publishes: Bool = false, _ answer: @escaping Answer
  ) {
    router.on(
      method, path, bodyLimit: bodyLimit,
      admit: { [self] request throws(HTTPError) in
        let signature = PusherSignature(request)
        let app = try await app(of: request, signature)
        try signature.check(key: app.key, secrets: app.secrets, now: time.now)
        try Self.check(app, publishes: publishes)
        request.noteCaller("app \(app.id)")
      },
      rate: RealtimeLimits.requests,
      .task { [self] request throws(HTTPError) in
        let signature = PusherSignature(request)
        let app = try await app(of: request, signature)
        try signature.check(body: request.body)
        return try answer(Call(app: app, request: request, signature: signature))
      })
  }

  /// The app that a request names.
  /// - Throws: 404 for an id of no app, 401 for a key of none.
  private func app(of request: Request, _ signature: PusherSignature) async throws(HTTPError) -> RealtimeApp {
    if let id = request.parameters["app"] {
      guard let app = await appOfID(id) else {
        throw HTTPError(.unknownApp, "There is no app \(id.prefix(40)).", help: "Apps have a page with their ids.")
      }
      return app
    }
    guard let app = await appOfKey(signature["auth_key"] ?? "") else {
      throw PusherSignature.refusal("The query lacks the auth_key of an app.")
    }
    return app
  }

  private static func check(_ app: RealtimeApp, publishes: Bool) throws(HTTPError) {
    guard app.options.isEnabled else {
      throw HTTPError(.appDisabled, "The app \(app.id) is turned off.", help: "Its owner can turn it on.")
    }
    guard !publishes || !app.options.isOverQuota else {
      throw HTTPError(
        .appOverQuota, "The app \(app.id) has sent as much as it may today.",
        help: "Its owner can raise the quota on the app's page.")
    }
  }

  // MARK: Events

  private func trigger(_ call: Call) throws(HTTPError) -> Response {
    let fields = try Self.fields(call)
    let event = try PusherEvent { fields[$0] }
    send(event, of: call.app)
    if event.info.isEmpty { return Response(json: [:]) }
    let told = event.channels.map { name in
      JSON.Member(name, .object(channels.summary(of: name, in: call.app.id).json(event.info)))
    }
    return Response(json: ["channels": .object(told)])
  }

  private func triggerAll(_ call: Call) throws(HTTPError) -> Response {
    guard let batch = try Self.fields(call)["batch"]?.array,
      (1...RealtimeLimits.eventsOfBatch).contains(batch.count)
    else {
      throw PusherEvent.refusal("batch", "no list, or not of 1 to \(RealtimeLimits.eventsOfBatch) events")
    }
    // All are looked at before the first is sent.
    var events: [PusherEvent] = []
    for (index, fields) in batch.enumerated() {
      events.append(try PusherEvent("batch[\(index)].") { $0 == "channels" ? nil : fields[$0] })
    }
    for event in events { send(event, of: call.app) }
    if events.allSatisfy(\.info.isEmpty) { return Response(json: [:]) }
    let told = events.map { event -> JSON in
      if event.info.isEmpty { return [:] }
      return .object(channels.summary(of: event.channels[0], in: call.app.id).json(event.info))
    }
    return Response(json: ["batch": .array(told)])
  }

  /// The older way: the body is the event's data itself.
  private func triggerData(_ call: Call) throws(HTTPError) -> Response {
    guard let data = String(validating: call.request.body, as: UTF8.self) else {
      throw PusherEvent.refusal("body", "not in UTF-8; UTF-8 is accepted")
    }
    let channel = call.request.parameters["channel"]
    send(
      try PusherEvent { field in
        switch field {
        case "data": .string(data)
        case "channel": JSON(channel)
        case "name", "socket_id": call.signature[field].map { .string($0) }
        default: nil
        }
      }, of: call.app)
    return Response(status: 202, json: [:])
  }

  private func send(_ event: PusherEvent, of app: RealtimeApp) {
    channels.trigger(event.name, data: event.data, on: event.channels, of: app.id, except: event.except)
  }

  /// The fields of the body, or those of the query, which Pusher takes too.
  private static func fields(_ call: Call) throws(HTTPError) -> JSON {
    guard call.request.body.isEmpty else {
      let json = try call.request.json()
      guard json.members != nil else { throw PusherEvent.refusal("body", "\(json.kind); an object is accepted") }
      return json
    }
    var members = call.signature.parameters.map { JSON.Member($0.name, .string($0.value)) }
    let listed = call.signature.parameters.filter { $0.name == "channels[]" }.map { JSON.string($0.value) }
    if !listed.isEmpty { members.append(.init("channels", .array(listed))) }
    return .object(members)
  }

  // MARK: Questions

  private func occupied(_ call: Call) throws(HTTPError) -> Response {
    let attributes = try ChannelAttribute.list(call.signature["info"])
    let prefix = call.signature["filter_by_prefix"] ?? ""
    for attribute in attributes { try attribute.check(on: prefix) }
    let found = channels.occupied(in: call.app.id, prefix: prefix)
    return Response(json: ["channels": .object(found.map { JSON.Member($0.name, .object($0.json(attributes))) })])
  }

  private func channel(_ call: Call) throws(HTTPError) -> Response {
    let name = try PusherEvent.channel(call.request.parameters["channel"] ?? "", at: "channel")
    let attributes = try ChannelAttribute.list(call.signature["info"])
    for attribute in attributes { try attribute.check(on: name) }
    let summary = channels.summary(of: name, in: call.app.id)
    return Response(json: .object([.init("occupied", .bool(summary.subscriptions > 0))] + summary.json(attributes)))
  }

  private func users(_ call: Call) throws(HTTPError) -> Response {
    let name = try PusherEvent.channel(call.request.parameters["channel"] ?? "", at: "channel")
    try ChannelAttribute.userCount.check(on: name)
    let users = channels.users(of: name, in: call.app.id)
    return Response(json: ["users": .array(users.map { ["id": .string($0)] })])
  }

  private func terminate(_ call: Call) throws(HTTPError) -> Response {
    channels.terminate(user: call.request.parameters["user"] ?? "", in: call.app.id)
    return Response(json: [:])
  }
}
