import Glibc
import Hub
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells portfolio add|sync|list|export|remove`.
enum PortfolioCommands {
  static let all = [add, sync, list, ExportCommand.command, remove]

  private static let add = RoomCommand(
    onData: "portfolio add",
    usage: "--source SOURCE [--name N] [--for NAME] [--user NAME] [--password-file FILE]",
    options: [
      Option("source", "SOURCE", help: "folder:PATH, webdav:URL, albums:, uploads:, or flickr:USER"),
      Option("name", "N", help: "what the portfolio is called; the source's name if not given"),
      Option("for", "NAME", help: "the member whose it is; the hub's first owner if not given"),
      Option("user", "NAME", help: "the user at the WebDAV server; the password is asked for, or read from a file"),
      Option("password-file", "FILE", help: "a file with the password alone; - reads it from standard input"),
      Verb.json,
    ] + FlickrOptions.all.map(\.option),
    summary: "Adds a portfolio, and prints JSON with its id."
  ) { hub, arguments in
    guard let source = arguments["source"] else {
      throw CommandError(usage: "--source is missing: folder:PATH, webdav:URL, albums:, uploads: or flickr:USER.")
    }
    var name: String?
    if let given = arguments["name"] {
      guard let line = FieldCheck.line(given) else {
        throw CommandError(usage: "--name: 1 to \(RequestLimits.name) characters are accepted.")
      }
      name = line
    }
    var credentials = SourceCredentials()
    if let user = arguments["user"] {
      credentials["user"] = user
      credentials["password"] = try SecretInput.password(file: arguments["password-file"], of: user)
    }
    let sources = PortfolioSources(hub, arguments)
    var wish: PortfolioChange.Wish
    if let named = SourceName(source), named.kind == .flickr {
      wish = try await FlickrQuestion.wish(named.of, name: name, sources.flickr)
    } else {
      wish = try sources.wish(SourceName.absolute(source), name: name, credentials)
    }
    wish.person = try await person(arguments["for"], in: hub)
    guard wish.source.kind != .albums || wish.person != nil else {
      throw CommandError("albums: is for albums that a member is in: --for NAME is needed, while the hub has no owner.")
    }
    wish.delay = PortfolioLimits.commandSeconds
    let made = try await hub.commit(as: .commandLine) { [wish] change in
      try hub.show(PortfolioRoom.id, in: change)
      return try PortfolioChange.make(wish, in: change)
    }
    let printed: JSON = [
      "id": .string(made.address), "name": .string(made.name),
      "source": ["kind": .string(made.source.kind.rawValue), "of": .string(made.source.of)],
    ]
    print(printed.text)
    let words = made.source.kind == .folder ? hub.wordsOfHome(made.source.of) : ""
    if !words.isEmpty { printError("eightbells: \(made.source.of) is taken\(words).") }
  }

  private static let sync = RoomCommand(
    onData: "portfolio sync", operands: ["ID"], usage: "[--may-lose] [--json]",
    options: [
      Option("may-lose", help: "pictures that are gone from the source may go, however many"), Verb.json,
    ] + FlickrOptions.all.map(\.option),
    summary: "Brings a portfolio up to date, and says what was new. Cut off, it goes on where it was."
  ) { hub, arguments in
    let id = arguments.words[0]
    guard let portfolio = try await hub.store.read({ database throws(StoreError) in try database.portfolio(id) }) else {
      throw missing(id)
    }
    let report = try await PortfolioWatch(hub, PortfolioSources(hub, arguments)).syncNow(
      portfolio.id, mayLose: arguments.has("may-lose"))
    if arguments.has("json") { return print(report.json.text) }
    let photos = "\(report.photos) \(report.photos == 1 ? "photo" : "photos")"
    print("\(photos): \(report.new) new, \(report.changed) changed, \(report.gone) gone.")
    if report.missing > 0 { print("\(report.missing) missing: they go if the next look does not find them either.") }
    for one in report.failed { print(Layout.plain("\(one.gallery) / \(one.title): \(one.why.text)")) }
  }

  private static let list = RoomCommand(
    onData: "portfolio list", usage: "[--json]", options: [Verb.json], summary: "Lists the portfolios."
  ) { hub, arguments in
    let rows = try await hub.store.read { database throws(StoreError) in
      var rows: [(told: PortfolioAnswer, owner: String?)] = []
      for portfolio in try database.portfolios() {
        var owner: String?
        if let person = portfolio.person { owner = try database.personName(person) }
        rows.append((try PortfolioAnswer(database, portfolio, isRunning: false), owner))
      }
      return rows
    }
    if arguments.has("json") {
      return print(JSON.array(rows.map { .object($0.told.members + [.init("for", JSON($0.owner))]) }).text)
    }
    if rows.isEmpty { print("There is no portfolio yet.") }
    for (told, owner) in rows {
      let (portfolio, counts) = (told.portfolio, told.counts)
      let fault = portfolio.fault.map { "; \($0.text)" } ?? ""
      let pictures = "\(counts.pictures) \(counts.pictures == 1 ? "picture" : "pictures")"
      let galleries = "\(counts.galleries) \(counts.galleries == 1 ? "gallery" : "galleries")"
      print(
        Layout.plain(
          "\(portfolio.address)  \(portfolio.name) (\(owner ?? "the owners")): \(pictures) in \(galleries), "
            + "\(portfolio.source.text)\(fault)"))
    }
  }

  private static let remove = RoomCommand(
    onData: "portfolio remove", operands: ["ID"],
    summary: "Removes a portfolio from the hub; nothing happens to its source."
  ) { hub, arguments in
    let id = arguments.words[0]
    let name = try await hub.commit(as: .commandLine) { change in
      guard let portfolio = try change.database.portfolio(id) else { throw missing(id) }
      try PortfolioChange.delete(portfolio, in: change)
      return portfolio.name
    }
    print(Layout.plain("Removed \(name)."))
  }

  /// The key of the member with a name, or of the first owner; nil if there is none yet.
  private static func person(_ name: String?, in hub: Hub) async throws -> Int? {
    let found = try await hub.store.read { database throws(StoreError) in
      if let name { return try database.personIDs(named: name) }
      return Array(try database.personIDs(with: .keepCommonPortfolios).prefix(1))
    }
    guard let name, found.count != 1 else { return found.first }
    guard found.isEmpty else {
      throw CommandError(
        "--for: more than one of this hub is called \"\(name)\"; person:ID of eightbells people list says who.")
    }
    throw CommandError("--for: nobody of this hub is called \"\(name)\".")
  }

  static func missing(_ id: String) -> HTTPError {
    HTTPError(.noSuchPortfolio, "There is no portfolio \(id.prefix(40)).", help: "eightbells portfolio list shows all.")
  }
}

extension SourceName {
  /// A source as it is typed, with a folder's path from the root: the hub runs elsewhere.
  static func absolute(_ text: String) -> String {
    guard let source = SourceName(text), source.kind == .folder, !source.of.isEmpty, let path = realpath(source.of, nil)
    else { return text }
    defer { free(path) }
    return "folder:\(String(cString: path))"
  }
}
