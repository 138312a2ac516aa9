import Delivery
import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells token create|list`.
struct TokenCommand {
  let rooms: RoomList

  private var creation: Verb {
    Verb(
      "token create", usage: "--data DIR --name NAME --role ROLE [--topic TOPIC]… [--json]",
      options: [
        Verb.data,
        Option("name", "NAME", help: "what the token is for, such as \"door phone\""),
        Role.option(among: Role.allCases),
        Option("topic", "TOPIC", help: "it may send notifications to this topic, and to no others; repeatable"),
        Verb.json,
      ],
      summary: "Makes a token and prints it; it is shown this once. The hub may be running.",
      terms: Role.terms(Role.allCases, ofTokens: true, in: rooms))
  }

  private static let listing = Verb(
    "token list", usage: "--data DIR [--json]", options: [Verb.data, Verb.json],
    summary: "Lists the tokens with their last use, the newest first. What they are themselves is shown only once.")

  var verbs: [Verb] { [creation, Self.listing] }

  func run(_ words: [String]) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(
      among: verbs, words, summary: "Tokens, with which programs sign in.")
    let path = try verb.dataPath(arguments)
    if verb.name == Self.listing.name { return try list(DataFolder(ofHub: path), inJSON: arguments.has("json")) }
    try create(verb, arguments, path)
  }

  private func list(_ folder: DataFolder, inJSON: Bool) throws(CommandError) {
    let tokens = try StoreLook.run(folder, rooms) { store throws(StoreError) in
      try await Tokens(store: store, time: SystemTime()).list()
    }
    if inJSON { return print(JSON.array(tokens).text) }
    if tokens.isEmpty { print("There is no token.") }
    for token in tokens { print(Layout.plain(line(token))) }
  }

  /// "3  door contact: sensor, last used 2026-11-20 18:40 UTC".
  private func line(_ token: JSON) -> String {
    let topics = (token["topics"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
    let limit = topics.isEmpty ? "" : " (sends to \(topics) alone)"
    let used = StoreLook.time(token["last_used"]).map { "last used \($0)" } ?? "never used"
    let (id, name, role) = (token["id"]?.string, token["name"]?.string, token["role"]?.string)
    return "\(id ?? "")  \(name ?? ""): \(role ?? "")\(limit), \(used)"
  }

  private func create(_ verb: Verb, _ arguments: Arguments, _ path: String) throws(CommandError) {
    guard let name = arguments["name"], (1...Tokens.longestName).contains(name.count) else {
      throw verb.misused("--name is missing or too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    let role = try verb.role(arguments, among: Role.allCases)
    let topics = arguments.has("topic") ? arguments.all("topic") : nil
    if let wrong = topics?.first(where: { !TokenTopics.isID($0) }) {
      throw verb.misused("--topic \(wrong): \(TokenTopics.accepted)")
    }
    let folder = try DataFolder(ofHub: path)
    // Those of rooms are there from the hub's first start.
    let ofRooms = rooms.plans.flatMap(\.topics).map(\.id)
    let (missing, token) = try StoreLook.run(folder, rooms) { store throws(StoreError) in
      let made = try await store.read { database throws(StoreError) in try database.topics().map(\.id) }
      let missing = topics?.first { !ofRooms.contains($0) && !made.contains($0) }
      if missing != nil { return (missing, "") }
      let tokens = Tokens(store: store, time: SystemTime())
      return (missing, try await tokens.create(name: name, role: role, topics: topics))
    }
    if let missing {
      throw CommandError("There is no topic \"\(missing)\"; eightbells topic create \(missing) makes it.")
    }
    guard arguments.has("json") else { return print(token) }
    let told: JSON = [
      "name": .string(name), "role": .string(role.rawValue),
      "topics": topics.map { .array($0.map(JSON.string)) } ?? .null, "token": .string(token),
    ]
    print(told.text)
  }
}
