import EventLoop
import Hub
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells view add|list|delete`: apps' own views of their notifications.
enum ViewCommands {
  static let all = [
    RoomCommand(
      either: "view add", usage: "--name NAME --category CATEGORY… --file FILE",
      options: [
        Option("name", "NAME", help: "its name; one that is there is replaced"),
        Option("category", "CATEGORY", help: "the kind of notifications that it shows; repeatable"),
        Option("file", "FILE", help: "HTML with its script and its style, 256 KB at most; - is the standard input"),
        Verb.json,
      ],
      summary: "Registers a view of notifications, and prints it as JSON. It is shown in a frame without a network.",
      onData: { hub, arguments in
        let (name, body) = (try name(arguments), try request(arguments))
        let wish = try CommandError.usage(ViewWish(name, body))
        let views = Views(hub: hub)
        print(try await hub.commit(as: .commandLine) { change in try views.keep(wish, in: change) }.text)
      },
      alone: { loop, arguments async throws(CommandError) in
        let (name, body) = (try name(arguments), try request(arguments))
        print(try await remote("add", arguments, loop).ask("PUT", "\(ViewRoutes.path)/\(name)", body).text)
      }),
    RoomCommand(
      either: "view list", options: [Verb.json],
      summary: "Lists the views of notifications, those of rooms too, as JSON.",
      onData: { hub, _ in
        let views = Views(hub: hub)
        print(try await hub.store.read { database throws(StoreError) in try views.list(database) }.text)
      },
      alone: { loop, arguments async throws(CommandError) in
        print(try await remote("list", arguments, loop).ask("GET", ViewRoutes.path).text)
      }),
    RoomCommand(
      either: "view delete", operands: ["NAME"],
      summary: "Removes a view: its notifications are shown by their texts again.",
      onData: { hub, arguments in
        let (views, name) = (Views(hub: hub), arguments.words[0])
        try await hub.commit(as: .commandLine) { change in try views.remove(name, in: change) }
        print(Layout.plain("Removed \(name)."))
      },
      alone: { loop, arguments async throws(CommandError) in
        let name = try checked(arguments.words[0])
        _ = try await remote("delete", arguments, loop).ask("DELETE", "\(ViewRoutes.path)/\(name)")
        print("Removed \(name).")
      }),
  ]

  private static func remote(
    _ verb: String, _ arguments: Arguments, _ loop: EventLoop
  ) throws(CommandError) -> RemoteHub {
    try RemoteHub(
      arguments, verb: all.first { $0.verb.lastWord == verb }!.verb,
      needs: "an owner's (eightbells token create --role owner)", on: loop)
  }

  private static func name(_ arguments: Arguments) throws(CommandError) -> String {
    guard let name = arguments["name"] else { throw CommandError(usage: "--name is missing: the view's name.") }
    return try checked(name)
  }

  /// A name is part of an address.
  private static func checked(_ name: String) throws(CommandError) -> String {
    guard TokenTopics.isID(name) else { throw CommandError(usage: "The view \(name): \(TokenTopics.accepted)") }
    return name
  }

  private static func request(_ arguments: Arguments) throws(CommandError) -> JSON {
    guard let file = arguments["file"] else { throw CommandError(usage: "--file is missing: a file with HTML.") }
    let bytes = try PushRequest.bytes(of: file, limit: BellsLimits.viewBytes)
    guard let html = String(validating: bytes, as: UTF8.self) else {
      throw CommandError("\(file) is no text in UTF-8.")
    }
    return ["categories": .array(arguments.all("category").map(JSON.string)), "html": .string(html)]
  }
}
