import APNs
import CivilTime
import Delivery
import Hub
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells device create|list|topics|delete`: the agents, which are devices without a page.
enum DeviceCommands {
  static let all = [
    RoomCommand(
      onData: "device create", usage: "--name NAME [--topic TOPIC]… [--person NAME] [--app BUNDLE-ID] [--settings URL]",
      options: [
        Option("name", "NAME", help: "what people call it, such as \"bell in the workshop\""),
        Option("topic", "TOPIC", help: "a topic that rings it; repeatable"),
        Option("person", "NAME", help: "whose it is, or person:ID: it rings with all that rings this person"),
        Option("app", "BUNDLE-ID", help: "the app of its token, such as org.example.app, which APNs senders name"),
        Option(
          "settings", "URL",
          help: "prints the lines of the agent's eightbells-agent.conf instead, for a hub that it reaches there"),
        Verb.json,
      ],
      summary: """
        Makes a device that an agent connects as, and prints JSON with its id, device_token (by which senders may name \
        it) and secret, which is shown this once: eightbells agent --token SECRET. A hub watches the anchor of one \
        boat: the agent of another one needs a hub of her own.
        """
    ) { hub, arguments in
      let url = try arguments["settings"].map { text throws(CommandError) in
        try Verb.baseAddress(text, of: "settings")
      }
      let made = try await create(hub, arguments)
      guard let url else { return print(made.text) }
      print("EIGHTBELLS_HUB=\(url)\nEIGHTBELLS_TOKEN=\(made["secret"]?.string ?? "")")
    },
    RoomCommand(
      onData: "device list", usage: "[--json]", options: [Verb.json],
      summary: "Lists the devices that are rung."
    ) { hub, arguments in
      let (devices, apps) = try await hub.store.read { database throws(StoreError) in
        (try database.pushDevices(), try database.pushApps())
      }
      arguments.print(devices, none: "No device is rung yet.", json: { json($0, app: apps[$0.id]) }) {
        line($0, app: apps[$0.id])
      }
    },
    RoomCommand(
      onData: "device topics", operands: ["ID"], usage: "[--add TOPIC]… [--remove TOPIC]… [--json]",
      options: [
        Option("add", "TOPIC", help: "a topic that rings it from now on; repeatable"),
        Option("remove", "TOPIC", help: "a topic that rings it no more; repeatable"), Verb.json,
      ],
      summary: "Lists the topics that ring an agent, or changes them."
    ) { hub, arguments in
      let id = try PushCommands.id(arguments.words[0], source: "device list shows")
      let (added, removed) = (arguments.all("add"), arguments.all("remove"))
      let topics = try await hub.commit(as: .commandLine) { change in
        let database = change.database
        guard let device = try database.pushDevice(id), device.kind == .agent else {
          throw HTTPError.noSuchDevice("\(id)")
        }
        for topic in added {
          guard let known = try database.topic(topic) else { throw HTTPError.noSuchTopic(topic) }
          guard try database.mayTake(known, .device(id), hub) else {
            throw HTTPError(
              .topicNotAllowed, "The topic \(topic) is not for the person whose device it is.",
              help: "eightbells topic list says who may subscribe.")
          }
          try database.subscribe(.device(id), to: topic)
        }
        for topic in removed {
          guard try database.topic(topic) != nil else { throw HTTPError.noSuchTopic(topic) }
          try database.unsubscribe(.device(id), from: topic)
        }
        if !added.isEmpty || !removed.isEmpty { try change.audit("bell.device-topics", about: device.name) }
        return try database.subscriptions(of: .device(id)).sorted()
      }
      if arguments.has("json") { return print(JSON.array(topics.map(JSON.string)).text) }
      print(topics.isEmpty ? "No topic rings it." : topics.joined(separator: "\n"))
    },
    RoomCommand(
      onData: "device delete", operands: ["ID"], summary: "Removes a device: it is rung no more, its secret is void."
    ) { hub, arguments in
      let id = try PushCommands.id(arguments.words[0], source: "device list shows")
      let delivery = PushCommands.idle(hub)
      let name = try await hub.commit(as: .commandLine) { change in
        guard let device = try change.database.pushDevice(id) else { throw HTTPError.noSuchDevice("\(id)") }
        try BellDevices.remove(device, delivery, in: change)
        return device.name
      }
      print(Layout.plain("Removed \(name)."))
    },
  ]

  private static func create(_ hub: Hub, _ arguments: Arguments) async throws -> JSON {
    guard let name = arguments["name"].flatMap({ FieldCheck.line($0) }) else {
      throw CommandError(usage: "--name is missing or too long: 1 to \(RequestLimits.name) characters are accepted.")
    }
    let topics = arguments.all("topic")
    let (person, app) = (arguments["person"], arguments["app"])
    if let app, !PushTopic.isName(app) {
      throw CommandError(
        usage: "--app \(app): a bundle id is accepted, of letters, digits, dots, hyphens and underscores.")
    }
    return try await hub.commit(as: .commandLine) { change in
      let owner = try person.map { try Self.person($0, in: change.database) }
      return try BellDevices.make(name, of: owner, topics: topics, app: app, in: change)
    }
  }

  private static func person(_ name: String, in database: Database) throws -> Int {
    let found = try database.personIDs(named: name)
    guard found.count == 1 else {
      let each = try found.map { id -> String in
        let role = try database.personRole(id)
        return "person:\(id), \(role?.rawValue ?? "")"
      }
      throw HTTPError(
        .noSuchPerson,
        found.isEmpty
          ? "There is nobody called \(name)."
          : "There are \(found.count) people called \(name); --person takes one of: \(each.joined(separator: "; ")).",
        help: "eightbells people list shows those there are.")
    }
    return found[0]
  }

  private static func json(_ device: PushDevice, app: String?) -> JSON {
    [
      "id": JSON(id: device.id), "name": .string(device.name), "kind": .string(device.kind.rawValue),
      "person": JSON(id: device.person), "app": JSON(app),
      "channels": .array(device.channels.map(\.name).sorted().map(JSON.string)),
      "created_at": JSON(instant: device.createdAt),
      "seen_at": device.seenAt > device.createdAt ? JSON(instant: device.seenAt) : .null,
    ]
  }

  private static func line(_ device: PushDevice, app: String?) -> String {
    let seen =
      device.seenAt > device.createdAt
      ? "last seen \(timestamp(EpochSeconds(device.seenAt), in: .utc))" : "never seen"
    let channels = device.channels.map(\.name).sorted().joined(separator: ", ")
    let owned = app.map { ", \($0)" } ?? ""
    return "\(device.id)  \(device.name)  (\(device.kind.rawValue), \(channels)\(owned)), \(seen)"
  }
}
