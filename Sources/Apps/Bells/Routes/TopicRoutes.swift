import Delivery
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The topics, and who has subscribed to them: a person with all their devices, or one browser or agent alone.
struct TopicRoutes: Sendable {
  let hub: Hub

  private static let path = "/api/v1/bells/topics"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    router.on(
      .put, "\(Self.path)/{id}", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await subscribe(request, isOn: true) })
    router.on(
      .delete, "\(Self.path)/{id}", admit: hub.needsPerson(),
      .task { request throws(HTTPError) in try await subscribe(request, isOn: false) })
  }

  /// The topics that the caller may subscribe to; strangers see the public ones.
  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = await hub.visitor(request)
    let now = hub.time.now
    let items: [JSON] = try await hub.read { [hub] database throws(StoreError) in
      let device = try principal?.device.flatMap { id throws(StoreError) in try database.pushDevice(browser: id)?.id }
      let mine = try principal?.person.map { id throws(StoreError) in
        try database.subscriptions(of: .person(id))
      }
      let here = try device.map { id throws(StoreError) in try database.subscriptions(of: .device(id)) }
      return try database.topics().filter { Self.mayTake($0, principal, hub) }.map { topic throws(StoreError) in
        var members: [JSON.Member] = [
          .init("id", .string(topic.id)), .init("name", .string(topic.name)), .init("names", Self.names(topic, hub)),
          .init("room", JSON(topic.room)), .init("public", .bool(topic.subscribers == .everybody)),
          .init(
            "subscribed",
            [
              "me": .bool(mine?.contains(topic.id) ?? false), "device": .bool(here?.contains(topic.id) ?? false),
            ]),
        ]
        // Strangers are not told how much is sent, and each count costs.
        if principal != nil {
          let count = try database.sentCount(toTopic: topic.id, since: now - BellsLimits.week)
          members.append(.init("last_week", .int(count)))
        }
        return .object(members)
      }
    }
    return Response(json: .array(items)).notStored()
  }

  /// A room's topic has names in both languages, one that an owner made has the one they gave it.
  private static func names(_ topic: Topic, _ hub: Hub) -> JSON {
    let plan = hub.roomList.plans.first { $0.id == topic.room }
    var words = plan?.topics.first { $0.id == topic.id }?.name
    if let numbered = plan?.numbered, let number = Int(topic.name.split(separator: " ").last ?? ""),
      topic.name == "\(numbered.english) \(number)"
    {
      words = Bell.Words(topic.name, german: "\(numbered.german) \(number)")
    }
    return [
      "en": .string(words?.english ?? topic.name), "de": .string(words?.german ?? topic.name),
    ]
  }

  static func mayTake(_ topic: Topic, _ principal: Principal?, _ hub: Hub) -> Bool {
    topic.subscribers == .everybody || principal?.isAmong(topic.subscribers, of: hub) ?? false
  }

  private func subscribe(_ request: Request, isOn: Bool) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.parameters["id"] ?? ""
    let whose = request.query["for"] ?? "me"
    try await hub.commit(as: principal) { [hub] change in
      let database = change.database
      let (subscriber, owner) = try Self.subscriber(whose, principal, person, in: database)
      guard let topic = try database.topic(id), try !isOn || database.mayTake(topic, subscriber, hub) else {
        throw HTTPError.noSuchTopic(id)
      }
      if isOn {
        try database.subscribe(subscriber, to: id)
      } else {
        try database.unsubscribe(subscriber, from: id)
      }
      if let owner { try BellChannel.tell([owner], nil, "topics", in: change) }
    }
    return .nothing()
  }

  /// The subscriber that a query names, and whose it is: "me", "device" for the caller's browser, or an agent's id.
  private static func subscriber(
    _ whose: String, _ principal: Principal, _ person: Int, in database: Database
  ) throws -> (Subscriber, owner: Int?) {
    switch whose {
    case "me": return (.person(person), person)
    case "device":
      guard let device = try principal.device.flatMap({ try database.pushDevice(browser: $0) }) else {
        throw HTTPError(
          .noSuchBellDevice, "This browser is not rung yet.", help: "PUT /api/v1/bells/webpush has it rung.")
      }
      return (.device(device.id), person)
    default:
      guard let id = Int(whose) else {
        throw HTTPError(
          .invalidQuery, "for: \"\(whose.prefix(40))\"; me, device or an agent's id is accepted.",
          help: "Example: ?for=device")
      }
      let agent = try BellDevices.agent(id, of: principal, in: database)
      return (.device(id), agent.person)
    }
  }
}
