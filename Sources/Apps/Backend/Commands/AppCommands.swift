import Hub
import Lifecycle
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells app create|list|rotate|delete`. What is shown once is printed as JSON.
enum AppCommands {

  static let all = [
    RoomCommand(
      onData: "app create", usage: "--name NAME",
      options: [Option("name", "NAME", help: "what people call it"), Verb.json],
      summary: """
        Makes an app, and prints JSON with app_id, key, secret, application_id, rest_key and master_key. The secret \
        and the master key are shown this once.
        """
    ) { hub, arguments in
      guard let name = FieldCheck.line(arguments["name"] ?? "") else {
        throw CommandError(usage: "--name: 1 to \(RequestLimits.name) characters are accepted.")
      }
      let made = try await hub.commit(as: .commandLine) { change in
        let (app, secrets) = try AppChange.make(name, in: change)
        return app.json(showing: secrets)
      }
      print(made.text)
    },
    RoomCommand(onData: "app list", usage: "[--json]", options: [Verb.json], summary: "Lists the apps and their keys.")
    {
      hub, arguments in
      let now = hub.time.now
      let apps = try await hub.store.read { database throws(StoreError) in try database.apps(now: now) }
      if arguments.has("json") { return print(JSON.array(apps.map(\.json)).text) }
      if apps.isEmpty { print("There is no app yet.") }
      for app in apps { print(Layout.plain("\(app.id)  \(app.name): key \(app.key)")) }
    },
    RoomCommand(
      onData: "app rotate", operands: ["ID"], usage: "[--now]",
      options: [Option("now", help: "end the old ones at once, and not in 24 hours"), Verb.json],
      summary: "Makes another secret and master key, and prints JSON with them; they are shown this once."
    ) { hub, arguments in
      let id = try id(arguments)
      let endsOld = arguments.has("now")
      let made = try await hub.commit(as: .commandLine) { change in
        let (app, secrets) = try AppChange.rotate(id, endsOld: endsOld, in: change)
        return app.json(showing: secrets)
      }
      print(made.text)
    },
    RoomCommand(
      onData: "app delete", operands: ["ID"], usage: "[--json]", options: [Verb.json],
      summary: "Removes an app with all that is of it; its connections end."
    ) { hub, arguments in
      let id = try id(arguments)
      let name = try await hub.commit(as: .commandLine) { change in try AppChange.remove(id, in: change) }
      if arguments.has("json") { return print((["app_id": JSON(id: id), "name": .string(name)] as JSON).text) }
      print(Layout.plain("Removed \(name)."))
    },
  ]

  static func id(_ arguments: Arguments) throws(CommandError) -> Int {
    let word = arguments.words[0]
    guard let id = Int(word), id > 0 else {
      throw CommandError(usage: "ID \(word): the app_id, digits, is accepted; eightbells app list shows them.")
    }
    return id
  }
}
