import EventLoop
import Glibc
import Hub
import Settings
import Store

/// `eightbells token create`.
enum TokenCommand {
  private static let options = [
    Option("data", "DIR", help: "the hub's data folder"),
    Option("name", "NAME", help: "what the token is for, such as \"door phone\""),
    Option("role", "ROLE", help: "owner, keykeeper, member, reader or sensor"),
  ]
  private static let usage = "eightbells token create --data DIR --name NAME --role ROLE"

  static func run(_ words: [String]) throws(CommandError) {
    let help = helpText(
      "Makes a token and prints it; it is shown this once. The hub may be running.", usage: usage, options: options)
    let arguments = try parse(words, options, help: help)
    guard arguments.words == ["create"] else { throw CommandError(usage: "Usage: \(usage)") }
    guard let path = arguments["data"] ?? environment()["EIGHTBELLS_DATA"] else {
      throw CommandError(usage: "--data is missing: the hub's data folder.")
    }
    guard let name = arguments["name"], (1...Tokens.longestName).contains(name.count) else {
      throw CommandError(usage: "--name is missing or too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    guard let role = arguments["role"].flatMap(Role.init(rawValue:)) else {
      let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(usage: "--role \(arguments["role"] ?? "is missing"): one of \(roles) is accepted.")
    }
    let folder = try DataFolder(path)
    // Before the first start this is meant; after a slip of the finger it explains why the hub knows no such token.
    if access(folder.database, F_OK) != 0 { printError("There was no hub's data in \(folder.path); it begins now.") }
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

  /// Beside a hub the store is as that hub needs it. Where none is running, this may be the first start.
  static func open(_ folder: DataFolder, _ loop: EventLoop) async throws(StoreError) -> Store {
    do throws(StoreError) {
      return try await ServeCommand.openStore(folder, time: loop.time, access: .guest)
    } catch {
      guard error.code == .outdated, (try? folder.lock()) != nil else { throw error }
      return try await ServeCommand.openStore(folder, time: loop.time)
    }
  }
}
