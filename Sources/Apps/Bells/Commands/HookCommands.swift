import Hub
import Server
import Settings
import Store
import Terminal
import Webhooks
import Wire

/// `eightbells webhook create|list|delete|test` and `eightbells hook create|list|delete`: other programs that get
/// notifications, and such that make some. All but delete print JSON.
enum HookCommands {
  static let all = webhooks + hooks

  private static let webhooks = [
    RoomCommand(
      onData: "webhook create", usage: "--name NAME --url URL --topic TOPIC…",
      options: [
        Option("name", "NAME", help: "what people call it, such as \"screen at the door\""),
        Option("url", "URL", help: "where notifications are posted: https://host/path"),
        Option("topic", "TOPIC", help: "a topic whose notifications it gets; repeatable"),
        Verb.json,
      ],
      summary: """
        Has notifications posted to a server, and prints JSON with the webhook's id and its secret, by which the \
        server checks signatures (Standard Webhooks); it is shown this once.
        """
    ) { hub, arguments in
      let body = request(
        [("name", arguments["name"]), ("url", arguments["url"])],
        [("topics", .array(arguments.all("topic").map(JSON.string)))])
      let wish = try CommandError.usage(WebhookWish(body, listed: hub.reachable))
      let hooks = hooks(of: hub)
      print(try await hub.commit(as: .commandLine) { change in try hooks.make(wish, in: change) }.text)
    },
    RoomCommand(
      onData: "webhook list", options: [Verb.json], summary: "Lists the webhooks, and whether they work, as JSON."
    ) { hub, _ in
      print(try await hub.store.read { database throws(StoreError) in try Hooks.list(database) }.text)
    },
    RoomCommand(
      onData: "webhook delete", operands: ["ID"], summary: "Removes a webhook: nothing is posted to it any more."
    ) { hub, arguments in
      let (hooks, id) = try (hooks(of: hub), PushCommands.id(arguments.words[0], source: "webhook list shows"))
      let name = try await hub.commit(as: .commandLine) { change in try hooks.removeWebhook(id, in: change) }
      print(Layout.plain("Removed \(name)."))
    },
    RoomCommand(
      onData: "webhook test", operands: ["ID"], options: [Verb.json],
      summary: "Has the running hub post a test to a webhook, and prints JSON with its id: eightbells push trace ID."
    ) { hub, arguments in
      let (hooks, id) = try (hooks(of: hub), PushCommands.id(arguments.words[0], source: "webhook list shows"))
      print(try await hub.commit(as: .commandLine) { change in try hooks.test(id, in: change) }.text)
    },
  ]

  private static let hooks = [
    RoomCommand(
      onData: "hook create", usage: "--name NAME --to WHOM… --title TEXT [--body TEXT] [OPTIONS]",
      options: [
        Option("name", "NAME", help: "what people call it, such as GitHub"),
        Option("to", "WHOM", help: "topic:ID, person:ID, device:ID or role:NAME; repeatable"),
        Option("title", "TEXT", help: "with places for values of the JSON, such as {{repository.full_name}}"),
        Verb.json,
      ]
        + members.map { Option($0.option, "TEXT", help: $0.help) },
      summary: """
        Makes an address at which another program posts any JSON, which becomes a notification, and prints JSON with \
        its id and url. The address is a secret and is shown this once.
        """
    ) { hub, arguments in
      let texts = [("title", arguments["title"])] + members.map { ($0.member, arguments[$0.option]) }
      let targets = try arguments.all("to").map { word throws(CommandError) in try PushRequest.target(word) }
      let body = request([("name", arguments["name"])], [("to", .array(targets)), ("template", request(texts, []))])
      let wish = try CommandError.usage(HookWish(body))
      let hooks = hooks(of: hub)
      let address = try await hub.links.hubAddress() ?? hub.publicURL ?? "http://localhost:8080"
      print(try await hub.commit(as: .commandLine) { change in try hooks.make(wish, at: address, in: change) }.text)
    },
    RoomCommand(onData: "hook list", options: [Verb.json], summary: "Lists the hooks as JSON.") { hub, _ in
      let all = try await hub.store.read { database throws(StoreError) in try database.hooks() }
      print(JSON.array(all.map(\.json)).text)
    },
    RoomCommand(
      onData: "hook delete", operands: ["ID"], summary: "Removes a hook: what is posted to its address is refused."
    ) { hub, arguments in
      let id = try PushCommands.id(arguments.words[0], source: "hook list shows")
      let name = try await hub.commit(as: .commandLine) { change in try Hooks.removeHook(id, in: change) }
      print(Layout.plain("Removed \(name)."))
    },
  ]

  /// The further texts of a template.
  private static let members: [(option: String, member: String, help: String)] = [
    ("subtitle", "subtitle", "below the title"), ("body", "body", "its text"),
    ("url", "url", "what opens when it is pressed"), ("thread", "thread", "what it is shown together with"),
    ("category", "category", "its kind"),
    ("level", "interruption_level", "passive, active, time-sensitive or critical"),
    ("collapse-id", "collapse_id", "a newer one with the same one takes its place"),
  ]

  private static func request(_ texts: [(String, String?)], _ others: [(String, JSON)]) -> JSON {
    let given = texts.compactMap { name, text in text.map { JSON.Member(name, .string($0)) } }
    return .object(given + others.map { JSON.Member($0.0, $0.1) })
  }

  private static func hooks(of hub: Hub) -> Hooks {
    Hooks(sender: BellSender(hub: hub, delivery: PushCommands.idle(hub)))
  }
}
