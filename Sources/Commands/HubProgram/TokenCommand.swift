import EventLoop
import Hub
import Settings
import Store
import Terminal

/// `eightbells token create`.
struct TokenCommand {
  let rooms: RoomList

  private var verb: Verb {
    Verb(
      "token create", usage: "--data DIR --name NAME --role ROLE [--topic TOPIC]…",
      options: [
        Verb.data,
        Option("name", "NAME", help: "what the token is for, such as \"door phone\""),
        Role.option(among: Role.allCases),
        Option("topic", "TOPIC", help: "it may send notifications to this topic, and to no others; repeatable"),
      ],
      summary: "Makes a token and prints it; it is shown this once. The hub may be running.",
      terms: Role.terms(Role.allCases, in: rooms))
  }

  func run(_ words: [String]) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(among: [verb], words, summary: verb.summary)
    let path = try verb.dataPath(arguments)
    guard let name = arguments["name"], (1...Tokens.longestName).contains(name.count) else {
      throw verb.misused("--name is missing or too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    let role = try verb.role(arguments, among: Role.allCases)
    let topics = arguments.has("topic") ? arguments.all("topic") : nil
    if let wrong = topics?.first(where: { !TokenTopics.isID($0) }) {
      throw verb.misused("--topic \(wrong): \(TokenTopics.accepted)")
    }
    let folder = try DataFolder(ofHub: path)
    let token = try runOnLoop { loop async throws(CommandError) in
      do throws(StoreError) {
        let store = try await folder.openStoreBesideHub(rooms, time: loop.time)
        return try await Tokens(store: store, time: loop.time).create(name: name, role: role, topics: topics)
      } catch {
        throw CommandError(storeError: error)
      }
    }
    print(token)
  }
}
