import Glibc
import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells link`: makes a sign-in link, beside the hub.
struct LinkCommand {
  let rooms: RoomList

  var verb: Verb {
    Verb(
      "link", usage: "--data DIR --role ROLE [--name NAME] [--hub URL] [--json]",
      options: [
        Verb.data,
        Role.option(among: Role.ofPeople),
        Option("name", "NAME", help: "whom it is for: somebody who is there already, or person:ID, or somebody new"),
        Option("hub", "URL", help: "the hub's address, if it is reached at another than it listens at"),
        Verb.json,
      ],
      summary: """
        Makes a one-time link that signs a device in, and prints it; it is good for \(Links.minutes) minutes. The hub
        may be running. Without --name, the role owner means the owner there is: so a locked-out owner comes back in.
        """,
      terms: Role.terms(Role.ofPeople, in: rooms))
  }

  func run(_ words: [String]) throws(CommandError) {
    let verb = verb
    let arguments = try verb.parse(words)
    let path = try verb.dataPath(arguments)
    let role = try verb.role(arguments, among: Role.ofPeople)
    let name = arguments["name"]
    guard name.map({ (1...Tokens.longestName).contains($0.count) }) ?? true else {
      throw verb.misused("--name is empty or too long: 1 to \(Tokens.longestName) characters are accepted.")
    }
    let given = try arguments["hub"].map { text throws(CommandError) in try Verb.baseAddress(text, of: "hub") }
    let folder = try DataFolder(ofHub: path)
    let (made, hub) = try make(folder, role, name, hub: given)
    let url = made.url(on: hub)
    if arguments.has("json") {
      let told: JSON = [
        "url": .string(url), "code": .string(made.code), "role": .string(role.rawValue),
        "name": JSON(made.known?.name ?? name), "role_before": JSON(made.known?.role.rawValue),
        "expires_at": JSON(instant: made.expiresAt),
      ]
      return print(told.text)
    }
    print(url)
    print("Code: \(made.code)")
    print(Layout.wrapped(Layout.plain(whom(made, role, name))))
    print("Good until \(clock(made.expiresAt)), and once. The code can be typed at \(hub)/join")
    if let code = QRCode(url) { print("\n" + code.terminalText(inColour: isatty(STDOUT_FILENO) == 1), terminator: "") }
  }

  /// The person that a link is for, and the role it gives.
  private func whom(_ made: Links.Made, _ role: Role, _ name: String?) -> String {
    let wanted = withArticle(role)
    guard let known = made.known else {
      return "For \(name.map { "\($0), who is new here" } ?? "somebody new"), as \(wanted)."
    }
    guard known.role != role else { return "For \(known.name), who is here already: another device of \(wanted)." }
    // People choose their own names, so this may be somebody else.
    return "\(known.name) is here already, as \(withArticle(known.role)): the link makes that person \(wanted), on all "
      + "their devices."
  }

  private func withArticle(_ role: Role) -> String { "\(role == .owner ? "an" : "a") \(role.rawValue)" }

  /// A time of day on this machine, with its zone's name: "18:40 CET".
  private func clock(_ seconds: Double) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      strftime(text.baseAddress!, text.count, "%H:%M %Z", &parts) == 0 ? "" : String(cString: text.baseAddress!)
    }
  }

  private func make(
    _ folder: DataFolder, _ role: Role, _ name: String?, hub: String?
  ) throws(CommandError) -> (Links.Made, String) {
    let (url, result) = try StoreLook.run(folder, rooms) { store throws(StoreError) in
      let links = Links(store: store, time: SystemTime())
      return (try await links.hubAddress(), try await links.recovery(role: role, name: name))
    }
    switch result {
    case .success(let made):
      return (made, hub ?? url ?? "http://localhost:8080")
    case .failure(.severalOwners(let names)):
      throw verb.misused("There are several owners: --name says for whom it is: \(names.joined(separator: ", ")).")
    case .failure(.lastOwner(let name)):
      throw CommandError("\(name) is the last owner; somebody else has to be made one first.")
    case .failure(.severalOfName):
      throw CommandError("There are several people of that name; person:ID of eightbells people list says which.")
    case .failure(.nobody):
      throw CommandError("There is no \(Layout.plain(name ?? "")); eightbells people list says who there is.")
    }
  }
}
