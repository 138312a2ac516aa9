import APNs
import APNsSender
import CivilTime
import Crypto
import Glibc
import Hub
import Lifecycle
import Settings
import Store
import Terminal
import Wire

/// `eightbells apple add|list|delete|send`: the keys and certificates with which the hub sends to Apple's push service.
enum AppleCommands {
  static let all = [
    RoomCommand(
      onData: "apple add",
      usage: "--team TEAM --key-id KEY-ID --key FILE.p8 --topic BUNDLE-ID… | --certificate FILE",
      options: options + [Verb.json],
      summary: """
        Lets the hub send to native apps by Apple's push service, with a key or a certificate from Apple, and prints \
        JSON with its id. The hub keeps a copy in its data folder.
        """
    ) { hub, arguments in
      let account = try AppleAccount(arguments, now: hub.time.now)
      let id = try await hub.commit(as: .commandLine) { change -> Int? in
        guard let id = try change.database.addAppleAccount(account) else { return nil }
        try change.audit("bell.apple-added", about: "\(account.name) (\(account.team))")
        return id
      }
      guard let id else {
        throw CommandError(
          "There are \(APNsSenderLimits.accounts) keys from Apple, and no more are possible. Remove one first.")
      }
      var added = account
      added.id = id
      print(KeptAppleAccount(account: added).json.text)
    },
    RoomCommand(
      onData: "apple list", usage: "[--json]", options: [Verb.json],
      summary: "Lists the keys and certificates from Apple, and what their service has against them."
    ) { hub, arguments in
      let all = try await hub.store.read { database throws(StoreError) in try database.appleAccounts() }
      arguments.print(all, none: "The hub has no key from Apple yet.", json: \.json) { $0.line }
    },
    RoomCommand(
      onData: "apple delete", operands: ["ID"],
      summary: "Removes a key or certificate from Apple, by its id in `apple list`."
    ) { hub, arguments in
      let word = arguments.words[0]
      let name = try await hub.commit(as: .commandLine) { change -> String? in
        guard let id = Int(word),
          let found = try change.database.appleAccounts().first(where: { $0.account.id == id }),
          try change.database.removeAppleAccount(id)
        else { return nil }
        let name = "\(found.account.name) (\(found.account.team))"
        try change.audit("bell.apple-removed", about: name)
        return name
      }
      guard let name else {
        throw CommandError("There is no key \(word) from Apple; `eightbells apple list` shows those there are.")
      }
      print(Layout.plain("Removed \(name)."))
    },
    AppleSendCommand.command,
  ]

  static let options = [
    Option("team", "TEAM", help: "the id of the team at Apple; a certificate names it itself"),
    Option("key-id", "KEY-ID", help: "the id of the key, ten letters and digits"),
    Option("key", "FILE", help: "the key, as Apple hands it out: AuthKey_….p8"),
    Option("certificate", "FILE", help: "instead of a key: a .p12 file, or PEM with certificate and key"),
    Option("passphrase-file", "FILE", help: "the passphrase of the certificate's file in its first line; - for stdin"),
    Option("topic", "BUNDLE-ID", help: "an app that it may send to; repeatable. A certificate names its own"),
    Option("sandbox", help: "for apps that run from Xcode; without it, for those of the App Store and TestFlight"),
    Option("host", "HOST:PORT", help: "another service that speaks as Apple's, such as a hub with --apns-listen"),
    Option("trust", "FILE", help: "the authorities (PEM) that vouch for that service, instead of the system's"),
  ]
}

extension AppleAccount {
  init(_ arguments: Arguments, now: Double) throws {
    let environment: AppleEnvironment = arguments.has("sandbox") ? .sandbox : .production
    let (proof, team, topics) =
      arguments.has("certificate")
      ? try Self.certificate(arguments, environment, now: now) : try Self.key(arguments)
    try ProviderCommands.check(team: team, topics: topics, most: APNsSenderLimits.topics)
    var (host, port): (String?, UInt16) = (nil, 443)
    if let text = arguments["host"] { (host, port) = try Self.address(text) }
    var authorities: [UInt8]?
    if let path = arguments["trust"] {
      let bytes = try Self.read(path)
      guard !Certificate.all(pem: bytes).isEmpty else {
        throw CommandError("Cannot use \(path): it has no certificate; PEM is accepted.")
      }
      authorities = bytes
    }
    self.init(
      team: team, proof: proof, topics: topics, environment: environment, host: host, port: port,
      authorities: authorities, createdAt: now)
  }

  private static func key(_ arguments: Arguments) throws -> (Proof, team: String, topics: [String]) {
    guard let path = arguments["key"], let id = arguments["key-id"] else {
      throw CommandError(usage: "--key-id and --key, or --certificate: one of them is needed.")
    }
    guard ProviderToken.isID(id) else {
      throw CommandError(usage: "--key-id \(id): ten letters and digits are accepted, as in AuthKey_AB12CD34EF.p8.")
    }
    guard let key = P256PrivateKey(pem: try read(path)) else {
      throw CommandError("Cannot use \(path): it has no key on P-256 in PEM; a .p8 file from Apple is accepted.")
    }
    return (.key(id: id, key.bytes), arguments["team"] ?? "", Array(Set(arguments.all("topic"))).sorted())
  }

  private static func certificate(
    _ arguments: Arguments, _ environment: AppleEnvironment, now: Double
  ) throws -> (Proof, team: String, topics: [String]) {
    let path = arguments["certificate"] ?? ""
    if arguments.has("key") || arguments.has("key-id") {
      throw CommandError(usage: "--certificate and --key: one of them is accepted.")
    }
    var passphrase: [UInt8] = []
    if let file = arguments["passphrase-file"] {
      let all = file == "-" ? try read("/dev/stdin") : try read(file)
      passphrase = Array(all.prefix { $0 != 10 && $0 != 13 })
    }
    let bytes = try read(path)
    let identity: ClientIdentity
    do throws(ClientIdentity.Fault) {
      identity = try ClientIdentity(bytes, passphrase: passphrase)
    } catch {
      throw CommandError("Cannot use \(path): \(error.words).")
    }
    let certificate = identity.certificate
    if let end = certificate.end, Double(end) <= now {
      throw CommandError("Cannot use \(path): it ended on \(timestamp(EpochSeconds(end), in: .utc).prefix(10)).")
    }
    // Apple marks for which environments a certificate is; those of other authorities have no such marks.
    let marks = (sandbox: "1.2.840.113635.100.6.3.1", production: "1.2.840.113635.100.6.3.2")
    let (own, other) =
      environment == .sandbox ? (marks.sandbox, marks.production) : (marks.production, marks.sandbox)
    if certificate.hasExtension(other), !certificate.hasExtension(own) {
      throw CommandError(
        "Cannot use \(path) for \(environment.rawValue): it is for the other environment; "
          + (environment == .sandbox ? "leave out --sandbox." : "add --sandbox."))
    }
    let team = arguments["team"] ?? certificate.unit ?? ""
    if let named = certificate.unit, ProviderToken.isID(named), named != team {
      throw CommandError(usage: "--team \(team): the certificate is of the team \(named).")
    }
    let given = arguments.all("topic")
    return (.certificate(identity), team, given.isEmpty ? [certificate.userID].compactMap { $0 } : given)
  }

  private static func address(_ text: String) throws -> (String, UInt16) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      throw CommandError(usage: "--host \(text): HOST:PORT is accepted, such as push.example:2197.")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    let isName = host.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }
    guard isName, (1...253).contains(host.utf8.count) else {
      throw CommandError(usage: "--host \(text): HOST:PORT is accepted, such as push.example:2197.")
    }
    return (String(host), port)
  }

  private static func read(_ path: String) throws(CommandError) -> [UInt8] {
    guard let bytes = try PrivateFile.read(path) else {
      throw CommandError("Cannot read \(path): there is no such file.")
    }
    return bytes
  }
}

extension KeptAppleAccount {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init("id", JSON(id: account.id)), .init("name", .string(account.name)), .init("team", .string(account.team)),
      .init("topics", .array(account.topics.map(JSON.string))),
      .init("environment", .string(account.environment.rawValue)),
      .init("host", .string("\(account.host):\(account.port)")), .init("created_at", JSON(instant: account.createdAt)),
    ]
    if let end = account.end { members.append(.init("expires_at", JSON(instant: end))) }
    if let failure { members.append(.init("failure", .string(failure))) }
    return .object(members)
  }

  fileprivate var line: String {
    let what = account.end.map { "certificate until \(timestamp(EpochSeconds($0), in: .utc))" } ?? "key"
    let words = [
      "\(account.id)", account.name, "team \(account.team)", what, account.environment.rawValue,
      account.topics.joined(separator: ", "),
    ]
    return (words + [failure].compactMap { $0.map { "failed: \($0)" } }).joined(separator: "  ")
  }
}
