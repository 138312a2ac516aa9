import Delivery
import Hub
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells topic list|create|delete`: the topics to which people subscribe.
enum TopicCommands {
  private static let audiences = "everybody, members, or right:NAME such as right:space.turn"

  static let all = [
    RoomCommand(
      onData: "topic list", usage: "[--json]", options: [Verb.json],
      summary: "Lists the topics, who may subscribe to them, and who may send."
    ) { hub, arguments in
      let topics = try await hub.store.read { database throws(StoreError) in try database.topics() }
      arguments.print(topics, none: "There is no topic yet.", json: json) { line($0, hub.roomList.rights) }
    },
    RoomCommand(
      onData: "topic create", operands: ["ID"], usage: "[--name NAME] [--subscribers WHO] [--senders WHO] [--json]",
      options: [
        Option("name", "NAME", help: "what people read; its id if not given"),
        Option("subscribers", "WHO", help: "\(audiences); members if not given"),
        Option("senders", "WHO", help: "who may send beside owners and tokens made for it; nobody if not given"),
        Verb.json,
      ],
      summary: "Makes a topic, or changes one. Its id is part of addresses: topic:coffee."
    ) { hub, arguments in
      let topic = try topic(arguments, hub.roomList.rights)
      try await hub.commit(as: .commandLine) { change in
        try demandOwn(topic.id, in: change.database, hub, "another id is accepted")
        let known = try change.database.topics()
        guard known.count < BellsLimits.topics || known.contains(where: { $0.id == topic.id }) else {
          throw HTTPError.tooManyTopics(known.count)
        }
        try change.database.keep(topic, hub)
        try change.audit("bell.topic-made", about: topic.name)
      }
      print(arguments.has("json") ? json(topic).text : Layout.plain(line(topic, hub.roomList.rights)))
    },
    RoomCommand(
      onData: "topic delete", operands: ["ID"], summary: "Removes a topic with its subscriptions."
    ) { hub, arguments in
      let id = arguments.words[0]
      try await hub.commit(as: .commandLine) { change in
        guard let topic = try change.database.topic(id) else { throw HTTPError.noSuchTopic(id) }
        try demandOwn(id, in: change.database, hub, "it goes with that")
        try change.database.removeTopic(id)
        try change.audit("bell.topic-removed", about: topic.name)
      }
      print("Removed \(id).")
    },
  ]

  /// - Throws: if a room has made the topic, or makes it at its next start.
  private static func demandOwn(_ id: String, in database: Database, _ hub: Hub, _ accepted: String) throws {
    let planned = hub.roomList.plans.first { $0.topics.contains { $0.id == id } }?.id
    guard let room = try planned ?? database.topic(id)?.room else { return }
    let name = hub.roomList.plans.first { $0.id == room }?.name ?? room
    throw HTTPError(
      .invalidField, "The topic \(id) is the room \(name)'s; \(accepted).",
      help: "eightbells topic list shows those there are.")
  }

  private static func topic(_ arguments: Arguments, _ rights: [Right]) throws -> Topic {
    let id = arguments.words[0]
    guard TokenTopics.isID(id) else { throw CommandError(usage: "ID \(id): \(TokenTopics.accepted)") }
    guard let name = FieldCheck.line(arguments["name"] ?? id) else {
      throw CommandError(usage: "--name: 1 to \(RequestLimits.name) characters are accepted.")
    }
    func audience(_ option: String, _ usual: Audience) throws -> Audience {
      guard let text = arguments[option] else { return usual }
      guard let audience = Audience(text) else {
        throw CommandError(usage: "--\(option) \(text): \(audiences) is accepted.")
      }
      if case .right(let name) = audience, !rights.contains(where: { $0.id == name }) {
        let names = rights.map(\.id).sorted().joined(separator: ", ")
        throw CommandError(usage: "--\(option) \(text): there is no such right; of \(names) one is accepted.")
      }
      return audience
    }
    return Topic(
      id: id, name: name, subscribers: try audience("subscribers", .members),
      senders: try audience("senders", .right(Right.send.id)))
  }

  private static func json(_ topic: Topic) -> JSON {
    [
      "id": .string(topic.id), "name": .string(topic.name), "room": JSON(topic.room),
      "subscribers": .string(topic.subscribers.text), "senders": .string(topic.senders.text),
    ]
  }

  private static func line(_ topic: Topic, _ rights: [Right]) -> String {
    let (subscribers, senders) = (words(topic.subscribers, rights), words(topic.senders, rights))
    return "\(topic.id)  \(topic.name): \(subscribers) may subscribe, \(senders) may send"
  }

  /// An audience, with the roles of people in place of a right that they have: "owners and keykeepers".
  private static func words(_ audience: Audience, _ rights: [Right]) -> String {
    guard case .right(let id) = audience, let right = rights.first(where: { $0.id == id }) else { return audience.text }
    let roles = Role.ofPeople.filter { right.roles.contains($0) }
    return roles == Role.ofPeople ? "members" : roles.map { "\($0.rawValue)s" }.joined(separator: " and ")
  }
}
