import EventLoop
import Glibc
import Hub
import Settings
import Store

/// `eightbells link`: lets somebody in, from beside the hub.
enum LinkCommand {
  private static let options = [
    Option("data", "DIR", help: "the hub's data folder"),
    Option("role", "ROLE", help: "owner, keykeeper or member"),
    Option("name", "NAME", help: "whom it is for: somebody who is there already, or somebody new"),
    Option("hub", "URL", help: "the hub's address, if it is reached at another than it listens at"),
  ]
  private static let usage = "eightbells link --data DIR --role ROLE [--name NAME] [--hub URL]"

  static func run(_ words: [String]) throws(CommandError) {
    let help = helpText(
      """
      Makes a one-time link that signs a device in, and prints it. The hub may be running. Without --name, the role
      owner means the owner there is: so a locked-out owner comes back in.
      """, usage: usage, options: options)
    let arguments = try parse(words, options, help: help)
    guard arguments.words.isEmpty else { throw CommandError(usage: "Usage: \(usage)") }
    guard let path = arguments["data"] ?? environment()["EIGHTBELLS_DATA"] else {
      throw CommandError(usage: "--data is missing: the hub's data folder.")
    }
    guard let role = arguments["role"].flatMap(Role.init(rawValue:)), Role.ofPeople.contains(role) else {
      let roles = Role.ofPeople.map(\.rawValue).joined(separator: ", ")
      throw CommandError(usage: "--role \(arguments["role"] ?? "is missing"): one of \(roles) is accepted.")
    }
    let name = arguments["name"]
    guard name.map({ (1...Tokens.longestName).contains($0.count) }) ?? true else {
      throw CommandError(usage: "--name is too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    let folder = try DataFolder(path)
    if access(folder.database, F_OK) != 0 { printError("There was no hub's data in \(folder.path); it begins now.") }
    let given = arguments["hub"]
    let (made, hub) = try runOnLoop { loop async throws(CommandError) in
      try await make(folder, role, name, hub: given, loop)
    }
    let url = made.url(on: hub)
    print(url)
    print("Code: \(made.code)")
    // Everybody chooses their own name: it may not be who was meant.
    if let somebody = made.promoted {
      print(
        "\(somebody.name) is here already, as a \(somebody.role.rawValue): the link makes that person a "
          + "\(role.rawValue), on all their devices.")
    }
    print("Good for \(Links.minutes) minutes, and once. The code can be typed at \(hub)/join")
    if let code = QRCode(url) { print("\n" + code.terminalText(inColour: isatty(STDOUT_FILENO) == 1), terminator: "") }
  }

  private static func make(
    _ folder: DataFolder, _ role: Role, _ name: String?, hub: String?, _ loop: EventLoop
  ) async throws(CommandError) -> (Links.Made, String) {
    let result: Result<Links.Made, Links.Refusal>
    let url: String?
    do throws(StoreError) {
      let store = try await TokenCommand.open(folder, loop)
      let links = Links(store: store, time: loop.time)
      url = try await links.hubAddress()
      result = try await links.recovery(role: role, name: name)
      await store.close()
    } catch {
      throw CommandError("\(error.description).")
    }
    switch result {
    case .success(let made):
      return (made, hub.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? url ?? "http://localhost:8080")
    case .failure(.severalOwners(let names)):
      throw CommandError(
        usage: "There are several owners: --name says for whom it is: \(names.joined(separator: ", ")).")
    case .failure(.severalOfName):
      throw CommandError("There are several people of that name; an owner can give one of them another.")
    }
  }
}
