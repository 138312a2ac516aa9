import Hub
import Lifecycle
import Observe
import Receiving
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells album create|list|host|delete`. What is shown once is printed as JSON.
enum AlbumCommands {
  static let all = [
    RoomCommand(
      onData: "album create", usage: "--name NAME [--open | --family]",
      options: [
        Option("name", "NAME", help: "what people call it"), Option("open", help: "whoever has the link is in"),
        Option("family", help: "whoever has the link waits for a host's yes; the default"), Verb.json,
      ],
      summary: "Makes an album, and prints JSON with id, join_url and host_token, which is shown this once."
    ) { hub, arguments in
      guard let name = FieldCheck.line(arguments["name"] ?? "") else {
        throw CommandError(usage: "--name: 1 to \(RequestLimits.name) characters are accepted.")
      }
      guard !(arguments.has("open") && arguments.has("family")) else {
        throw CommandError(usage: "--open and --family: one of them is accepted.")
      }
      let options = AlbumOptions(mode: arguments.has("open") ? .open : .family)
      let address = try await address(of: hub)
      let made = try await hub.commit(as: .commandLine) { change in
        try hub.show(AlbumsRoom.id, in: change)
        return try AlbumChange.make(name, options, in: change)
      }
      show(made, on: address)
    },
    RoomCommand(onData: "album list", usage: "[--json]", options: [Verb.json], summary: "Lists the albums.") {
      hub, arguments in
      let address = try await address(of: hub)
      let now = hub.time.now
      let albums = try await hub.store.read { database throws(StoreError) in
        try database.albums().map { album throws(StoreError) in
          (album, shown: try database.pictureCounts(of: album.id, isForHosts: true).shown)
        }
      }
      if arguments.has("json") {
        let rows = albums.map { album, shown -> JSON in
          [
            "id": .string(album.address), "name": .string(album.name), "state": .string(album.state(at: now)),
            "mode": .string(album.options.mode.rawValue), "pictures": .int(shown),
            "bytes": .int(album.bytes), "join_url": .string(album.joinURL(on: address)),
          ]
        }
        return print(JSON.array(rows).text)
      }
      if albums.isEmpty { print("There is no album yet.") }
      for (album, shown) in albums {
        let pictures = "\(shown) \(shown == 1 ? "picture" : "pictures")"
        print(Layout.plain("\(album.address)  \(album.name): \(pictures), \(DiskShare.words(album.bytes))"))
      }
    },
    RoomCommand(
      onData: "album host", operands: ["ID"], options: [Verb.json],
      summary: "Makes another host of an album, and prints JSON with its host_token, which is shown this once."
    ) { hub, arguments in
      let (id, address) = (arguments.words[0], try await address(of: hub))
      let made = try await hub.commit(as: .commandLine) { change in
        guard let album = try change.database.album(address: id) else { throw missing(id) }
        return try AlbumChange.addHost(to: album, in: change)
      }
      show(made, on: address)
    },
    RoomCommand(
      onData: "album delete", operands: ["ID"], usage: "[--json]", options: [Verb.json],
      summary: "Deletes an album for everybody, with all its pictures."
    ) { hub, arguments in
      let id = arguments.words[0]
      let name = try await hub.commit(as: .commandLine) { change in
        guard let album = try change.database.album(address: id) else { throw missing(id) }
        try AlbumChange.delete(album, in: change)
        try AlbumChange.tellEvent(of: album, hub, in: change)
        return album.name
      }
      if arguments.has("json") { return print((["id": .string(id), "name": .string(name)] as JSON).text) }
      print(Layout.plain("Deleted \(name)."))
    },
  ]

  /// Prints what programs read, and for a person how to go on.
  private static func show(_ made: AlbumChange.Made, on address: String) {
    let json: JSON = [
      "id": .string(made.album.address), "join_url": .string(made.album.joinURL(on: address)),
      "host_token": .string(made.token),
    ]
    print(json.text)
    let page = made.album.hostURL(on: address, token: made.token)
    Log.standardError(Layout.plainLines("Its host's page, for one device of yours: \(page)") + "\n")
  }

  /// The hub's address, for links.
  private static func address(of hub: Hub) async throws -> String {
    if let url = hub.publicURL { return url }
    return try await hub.links.hubAddress() ?? "http://127.0.0.1:8080"
  }

  private static func missing(_ id: String) -> HTTPError {
    HTTPError(.noSuchAlbum, "There is no album \(id.prefix(40)).", help: "eightbells album list shows all.")
  }
}
