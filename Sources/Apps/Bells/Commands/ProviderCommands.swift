import APNs
import CivilTime
import Crypto
import Hub
import Lifecycle
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells provider create|certificate|list|delete`: the programs that may send in the manner of APNs.
enum ProviderCommands {
  static let all = [
    RoomCommand(
      onData: "provider create", usage: "--team TEAM --topic BUNDLE-ID…", options: whom + [Verb.json],
      summary: """
        Makes a provider that signs tokens, as with a key from Apple, and prints JSON with its team, key_id and p8: \
        the file with its key, of which the hub keeps the public half alone.
        """
    ) { hub, arguments in
      print(try await create(hub, arguments).text)
    },
    RoomCommand(
      onData: "provider certificate", usage: "--team TEAM --topic BUNDLE-ID… [--days N]",
      options: whom + [
        Verb.json,
        Option("days", "N", help: "how long it is valid, 1 to \(longest) (\(APNsLimits.certificateDays))"),
      ],
      summary: """
        Makes a provider that shows a certificate of the hub's local authority, and prints JSON with its name, pem \
        (the file with the certificate and its key) and expires_at.
        """
    ) { hub, arguments in
      print(try await certify(hub, arguments).text)
    },
    RoomCommand(
      onData: "provider list", usage: "[--json]", options: [Verb.json],
      summary: "Lists the programs that may send in the manner of APNs."
    ) { hub, arguments in
      let providers = try await hub.store.read { database throws(StoreError) in try database.providers() }
      arguments.print(providers, none: "No provider may send yet.", json: \.json) { $0.line }
    },
    RoomCommand(
      onData: "provider delete", operands: ["KEY-ID"],
      summary: "Removes a provider, by its key_id or its certificate's name: it may not send any more."
    ) { hub, arguments in
      let name = arguments.words[0]
      let isGone = try await hub.commit(as: .commandLine) { change in
        guard let found = try change.database.providers().first(where: { $0.name == name }),
          try change.database.removeProvider(found.id)
        else { return false }
        change.database.touch(.providers)
        try change.audit("bell.provider-removed", about: "\(name) (\(found.team))")
        return true
      }
      guard isGone else {
        throw CommandError("There is no provider \(name); `eightbells provider list` shows those there are.")
      }
      print(Layout.plain("Removed \(name)."))
    },
  ]

  /// The most days of a certificate: ten years.
  private static let longest = 3_650

  private static let whom = [
    Option("team", "TEAM", help: "the id of its team, ten letters and digits"),
    Option("topic", "BUNDLE-ID", help: "an app that it may send to, such as org.example.app; repeatable"),
  ]

  private static func create(_ hub: Hub, _ arguments: Arguments) async throws -> JSON {
    let (team, topics) = try checked(arguments)
    let (key, keyID) = (P256PrivateKey(), Provider.newKeyID())
    let path = try file("AuthKey_\(keyID).p8", in: hub)
    try PrivateFile.write(path, Array(key.pem.utf8))
    let provider = Provider(
      team: team, credential: .key(id: keyID, key.publicKey), topics: topics, createdAt: hub.time.now)
    try await add(provider, to: hub)
    return [
      "team": .string(team), "key_id": .string(keyID), "topics": .array(topics.map(JSON.string)), "p8": .string(path),
    ]
  }

  private static func certify(_ hub: Hub, _ arguments: Arguments) async throws -> JSON {
    let (team, topics) = try checked(arguments)
    let days = arguments["days"].map { Int($0) ?? 0 } ?? APNsLimits.certificateDays
    guard (1...longest).contains(days) else {
      throw CommandError(usage: "--days \(arguments["days"] ?? ""): 1 to \(longest) are accepted.")
    }
    let authority = try LocalAuthority(in: hub.dataFolder, now: hub.time.now)
    let key = P256PrivateKey()
    let certificate = authority.makeClient(
      key.publicKey, commonName: String("Eightbells: \(topics[0])".prefix(64)), userID: topics[0], days: days,
      now: hub.time.now)
    let end = Double(certificate.end ?? 0)
    let provider = Provider(
      team: team, credential: .certificate(fingerprint: certificate.fingerprint, until: end), topics: topics,
      createdAt: hub.time.now)
    let path = try file("\(provider.name).pem", in: hub)
    try PrivateFile.write(path, Array((certificate.pem + key.pem).utf8))
    try await add(provider, to: hub)
    return [
      "team": .string(team), "name": .string(provider.name), "topics": .array(topics.map(JSON.string)),
      "pem": .string(path), "expires_at": JSON(instant: end),
    ]
  }

  private static func checked(_ arguments: Arguments) throws -> (team: String, topics: [String]) {
    let (team, topics) = (arguments["team"] ?? "", arguments.all("topic"))
    try check(team: team, topics: topics, most: APNsLimits.topics)
    var seen: Set<String> = []
    return (team, topics.filter { seen.insert($0).inserted })
  }

  /// - Parameter most: the number of topics that are accepted.
  static func check(team: String, topics: [String], most: Int) throws(CommandError) {
    guard ProviderToken.isID(team) else {
      throw CommandError(usage: "--team \(team): ten letters and digits are accepted, such as AB12CD34EF.")
    }
    guard (1...most).contains(topics.count) else {
      throw CommandError(usage: "--topic: \(topics.count) are given; 1 to \(most) are accepted.")
    }
    for topic in topics where !PushTopic.isName(topic) {
      throw CommandError(
        usage: "--topic \(topic): a bundle id is accepted, of letters, digits, dots, hyphens and underscores.")
    }
  }

  private static func file(_ name: String, in hub: Hub) throws -> String {
    let folder = "\(hub.dataFolder)/eightbells.providers"
    try PrivateFile.makeFolder(folder)
    return "\(folder)/\(name)"
  }

  private static func add(_ provider: Provider, to hub: Hub) async throws {
    let isAdded = try await hub.commit(as: .commandLine) { change in
      guard try change.database.addProvider(provider) != nil else { return false }
      try change.audit("bell.provider-made", about: "\(provider.name) (\(provider.team))")
      return true
    }
    guard isAdded else {
      throw CommandError("There are \(APNsLimits.providers) providers, and no more are possible. Remove one first.")
    }
  }
}

extension Provider {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init("name", .string(name)), .init("team", .string(team)), .init("topics", .array(topics.map(JSON.string))),
      .init("created_at", JSON(instant: createdAt)),
    ]
    if let end { members.append(.init("expires_at", JSON(instant: end))) }
    if case .key(let id, _) = credential { members.append(.init("key_id", .string(id))) }
    return .object(members)
  }

  fileprivate var line: String {
    let what = end.map { "certificate until \(timestamp(EpochSeconds($0), in: .utc))" } ?? "key"
    return "\(name)  team \(team)  \(what)  \(topics.joined(separator: ", "))"
  }
}
