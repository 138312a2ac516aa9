import EventLoop
import Glibc
import Hub
import Settings
import Store

/// `eightbells token create`.
enum TokenCommand {
  private static let verb = Verb(
    "token create", usage: "--data DIR --name NAME --role ROLE",
    options: [
      Verb.data,
      Option("name", "NAME", help: "what the token is for, such as \"door phone\""),
      Option("role", "ROLE", help: "owner, keykeeper, member, reader or sensor"),
    ],
    summary: "Makes a token and prints it; it is shown this once. The hub may be running.")

  static func run(_ words: [String]) throws(CommandError) {
    let (_, arguments) = try Verb.choose(among: [verb], words, summary: verb.summary)
    let path = try verb.dataPath(arguments)
    guard let name = arguments["name"], (1...Tokens.longestName).contains(name.count) else {
      throw verb.misused("--name is missing or too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    let role = try verb.role(arguments, among: Role.allCases)
    let folder = try DataFolder(ofHub: path)
    let token = try runOnLoop { loop async throws(CommandError) in
      do throws(StoreError) {
        let store = try await open(folder, loop)
        return try await Tokens(store: store, time: loop.time).create(name: name, role: role)
      } catch {
        throw CommandError("\(error.description).")
      }
    }
    print(token)
  }

  /// Beside a hub the store is as that hub needs it. Where none is running, this may be the first of a newer version.
  static func open(_ folder: DataFolder, _ loop: EventLoop) async throws(StoreError) -> Store {
    do throws(StoreError) {
      return try await ServeCommand.openStore(folder, time: loop.time, access: .guest)
    } catch {
      guard error.code == .outdated, (try? folder.lock()) != nil else { throw error }
      return try await ServeCommand.openStore(folder, time: loop.time)
    }
  }
}
