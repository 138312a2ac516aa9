import Crypto
import Glibc
import Hub
import Sealed
import Settings
import Terminal
import Wire

/// `eightbells key create|rotate|add|list|link|forget|revoke`: the keys of private messages, in a file of the person
/// who sends. A hub has none, so no backup has any.
enum KeyCommands {
  private static let keyOption = Option("key", "FILE", help: "the file of keys (~/.config/eightbells/keys.json)")
  private static let ofLink = Option(
    "hub", "URL", help: "the hub's address in the link (http://127.0.0.1:8080); or EIGHTBELLS_HUB")

  static let all: [RoomCommand] = [
    alone(
      "create", usage: "[--hub URL]", options: [ofLink, Verb.json],
      summary: """
        Makes a key for private messages, and prints JSON with its id, a link that gives it to devices, and its file, \
        which only you may read.
        """
    ) { file, arguments throws(CommandError) in
      if let id = try read(file).currentID {
        throw CommandError(
          "\(file.path) has a key already: \(id). `eightbells key rotate` makes a new one, `key link` shows its link.")
      }
      try make(file, arguments)
    },
    alone(
      "rotate", usage: "[--hub URL]", options: [ofLink, Verb.json],
      summary: "Makes a new key to seal with, and prints it as `key create` does. The older ones still open what comes."
    ) { file, arguments throws(CommandError) in
      guard try !read(file).keys.isEmpty else {
        throw CommandError("\(file.path) has no key yet; `eightbells key create` makes one.")
      }
      try make(file, arguments)
    },
    alone(
      "add", operands: ["LINK"],
      summary: "Takes a key that was made elsewhere, as a link of the page /bells; - reads it from standard input."
    ) { file, arguments throws(CommandError) in
      let key = try sealed { () throws(SealedError) in try PrivateKey(argument: arguments.words[0]) }
      try change(file) { ring throws(SealedError) in try ring.add(key) }
      print("Added the key \(key.id).")
    },
    alone(
      "list", usage: "[--json]", options: [Verb.json],
      summary: "Lists the ids of keys: the current one, older ones, and those that were revoked."
    ) { file, arguments throws(CommandError) in
      let states = try read(file).states
      if arguments.has("json") {
        print(KeyRing.json(states).text)
      } else if states.isEmpty {
        print("There is no key yet.")
      } else {
        for (id, state) in states { print("\(id)  \(state.rawValue)") }
      }
    },
    alone(
      "link", usage: "[--hub URL] [--id ID] [--json]",
      options: [ofLink, Option("id", "ID", help: "another key than the current one"), Verb.json],
      summary: "Shows the link of a key again, on a terminal with a QR code for a phone's camera."
    ) { file, arguments throws(CommandError) in
      let ring = try read(file)
      guard let id = arguments["id"] ?? ring.currentID, let key = ring.key(id) else {
        throw CommandError("\(file.path) has no such key; `eightbells key list` shows those there are.")
      }
      let link = key.link(on: try address(arguments))
      if arguments.has("json") { return print((["id": .string(id), "link": .string(link)] as JSON).text) }
      print(link)
      if isatty(STDOUT_FILENO) == 1, let code = QRCode(link) {
        print("\n" + code.terminalText(inColour: true), terminator: "")
      }
    },
    alone(
      "forget", operands: ["ID"], summary: "Forgets a key in this file. Others that have it go on as before."
    ) { file, arguments throws(CommandError) in
      let key = try known(arguments.words[0], file)
      try change(file) { $0.forget(key.id) }
      print("Forgotten: \(key.id)")
    },
    RoomCommand(
      either: "key revoke", operands: ["ID"], usage: "[--key FILE]", options: [keyOption],
      summary: """
        Revokes a key, such as that of a lost phone: the hub takes nothing any more that is sealed with it, and it is \
        forgotten here.
        """,
      onData: { hub, arguments in
        let file = try file(arguments)
        let key = try known(arguments.words[0], file)
        _ = try await hub.commit(as: .commandLine) { change in
          try RevokedKeyRoutes.revoke(proof: key.proof, in: change)
        }
        try revoked(key, file)
      },
      alone: { loop, arguments async throws(CommandError) in
        let file = try file(arguments)
        let key = try known(arguments.words[0], file)
        let verb = all.first { $0.verb.lastWord == "revoke" }!.verb
        let hub = try RemoteHub(arguments, verb: verb, needs: "anybody's who is signed in", on: loop)
        _ = try await hub.ask("POST", RevokedKeyRoutes.path, ["proof": .string(Digest.base64URL(key.proof))])
        try revoked(key, file)
      }),
  ]

  private static func alone(
    _ name: String, operands: [String] = [], usage: String = "", options: [Option] = [], summary: String,
    _ work: @escaping @Sendable (KeyFile, Arguments) throws(CommandError) -> Void
  ) -> RoomCommand {
    let usage = usage.isEmpty ? "[--key FILE]" : "[--key FILE] \(usage)"
    return RoomCommand(
      alone: Verb("key \(name)", operands: operands, usage: usage, options: [keyOption] + options, summary: summary)
    ) { _, arguments async throws(CommandError) in try work(try file(arguments), arguments) }
  }

  private static func make(_ file: KeyFile, _ arguments: Arguments) throws(CommandError) {
    let (key, address) = (PrivateKey(), try address(arguments))
    try change(file) { ring throws(SealedError) in try ring.add(key) }
    let told: JSON = [
      "id": .string(key.id), "link": .string(key.link(on: address)), "file": .string(file.path),
    ]
    print(told.text)
  }

  private static func revoked(_ key: PrivateKey, _ file: KeyFile) throws(CommandError) {
    try change(file) { $0.revoke(key.id) }
    print("Revoked: \(key.id)")
  }

  private static func known(_ id: String, _ file: KeyFile) throws(CommandError) -> PrivateKey {
    guard let key = try read(file).key(id) else {
      throw CommandError("\(file.path) has no key \(Layout.plain(id)); `eightbells key list` shows those there are.")
    }
    return key
  }

  private static func address(_ arguments: Arguments) throws(CommandError) -> String {
    let hub = arguments["hub"] ?? environment()["EIGHTBELLS_HUB"] ?? "http://127.0.0.1:8080"
    return try Verb.baseAddress(hub, of: "hub")
  }

  // MARK: The file

  /// The file that --key names, or the person's own (XDG Base Directory Specification), whose folder is made.
  static func file(_ arguments: Arguments) throws(CommandError) -> KeyFile {
    if let path = arguments["key"] {
      guard !path.isEmpty else { throw CommandError(usage: "--key: \"\"; a file is accepted.") }
      return KeyFile(path)
    }
    let variables = environment()
    var folder = variables["XDG_CONFIG_HOME"] ?? ""
    if !folder.hasPrefix("/") {
      guard let home = variables["HOME"], home.hasPrefix("/") else {
        throw CommandError(usage: "--key is missing, and so is the variable HOME: a file for the keys is needed.")
      }
      folder = "\(home)/.config"
    }
    for path in [folder, "\(folder)/eightbells"] { mkdir(path, 0o700) }
    return KeyFile("\(folder)/eightbells/keys.json")
  }

  static func read(_ file: KeyFile) throws(CommandError) -> KeyRing {
    try sealed { () throws(SealedError) in try file.read() }
  }

  private static func change(
    _ file: KeyFile, _ body: (inout KeyRing) throws(SealedError) -> Void
  ) throws(CommandError) {
    try sealed { () throws(SealedError) in try file.change(body) }
  }

  private static func sealed<T>(_ work: () throws(SealedError) -> T) throws(CommandError) -> T {
    do throws(SealedError) {
      return try work()
    } catch {
      throw CommandError(error.message)
    }
  }
}
