import Galleries
import Glibc
import Hub
import Settings
import Store
import Terminal

/// `eightbells portfolio export`: galleries as one file for a stick or a download.
enum ExportCommand {
  static let command = RoomCommand(
    onData: "portfolio export", operands: ["ID"],
    usage: "--out FILE.html [--gallery NAME] [--passphrase WORDS] [--size PIXELS] [--title T] [--text T] [--shows L]",
    options: [
      Option("out", "FILE.html", help: "the file to write"),
      Option("gallery", "NAME", help: "a gallery by its name or id; may be given several times; all if not given"),
      Option("passphrase", "WORDS", help: "locks the file: \(ExportLimits.passphrase) characters or more"),
      Option("passphrase-file", "FILE", help: "a file with the passphrase alone; - reads it from standard input"),
      Option("size", "PIXELS", help: "the long edge of its pictures, 640 to 2048; 2048 if not given"),
      Option("title", "T", help: "the words on its cover; the portfolio's name if not given"),
      Option("text", "T", help: "a letter on its cover"),
      Option("shows", "L", help: "lines beneath pictures: title,caption,place,taken; title if not given"),
    ],
    summary: "Writes galleries as one HTML file that opens without any server. Private pictures are left out."
  ) { hub, arguments in
    guard let path = arguments["out"], !path.isEmpty else {
      throw CommandError(usage: "--out is missing: the file to write, such as --out portfolio.html.")
    }
    let passphrase = try readPassphrase(arguments)
    let edge = try readEdge(arguments["size"])
    let (index, left) = try await makeIndex(hub, arguments)
    guard !index.pictures.isEmpty else {
      throw CommandError("There are no pictures to write: \(left) private ones are left out.")
    }
    warn(index, edge: edge)
    let size = try await write(OneFile(hub, index, passphrase: passphrase, edge: edge), index, to: path)
    tell(index, left: left, path: path, size: size, isLocked: passphrase != nil)
  }

  /// - Returns: the file's bytes.
  private static func write(_ one: OneFile, _ index: OneFileIndex, to path: String) async throws -> Int {
    let file = try DraftFile(path)
    let count = index.pictures.count
    var written = 0
    do {
      try await one.write { piece in
        try file.write(piece)
        // Five pieces are not pictures, and each picture has a small and a large one.
        written += 1
        printProgress.show("Writing", min(count, max(0, written - 5 - count)), of: count)
      }
    } catch let error where error is CommandError || error is StoreError || error is OneFileEncoder.Unreadable {
      throw error is OneFileEncoder.Unreadable ? CommandError("\(error)") : error
    } catch {
      throw CommandError(
        "--size: the program that makes pictures smaller cannot be used: \(error). eightbells doctor says more; "
          + "without --size it is not needed.")
    }
    printProgress.finish()
    return try file.finish()
  }

  private static func readPassphrase(_ arguments: Arguments) throws -> String? {
    var words = arguments["passphrase"]
    if let file = arguments["passphrase-file"] {
      guard words == nil else { throw CommandError(usage: "--passphrase and --passphrase-file exclude each other.") }
      words = try SecretInput.firstLine(of: file, "--passphrase-file")
    }
    guard let words else { return nil }
    if let refusal = PassphraseCost(words).refusal { throw CommandError(usage: "--passphrase: \(refusal)") }
    return words
  }

  private static func readEdge(_ text: String?) throws(CommandError) -> Int {
    guard let text else { return ExportLimits.edges.upperBound }
    guard let edge = Int(text), ExportLimits.edges.contains(edge) else {
      let (least, most) = (ExportLimits.edges.lowerBound, ExportLimits.edges.upperBound)
      throw CommandError(usage: "--size: \(text.prefix(40)); pixels from \(least) to \(most) are accepted.")
    }
    return edge
  }

  private static func readShows(_ text: String?) throws(CommandError) -> Set<SentPortfolio.Shown> {
    guard let text else { return [.title] }
    let words = text.split(separator: ",")
    let wanted = words.compactMap { word in OneFileIndex.lines.first { $0.rawValue == word } }
    guard wanted.count == words.count else {
      let accepted = OneFileIndex.lines.map(\.rawValue).joined(separator: ",")
      throw CommandError(usage: "--shows: \(text.prefix(80)); \(accepted) are accepted.")
    }
    return Set(wanted)
  }

  /// The galleries that are meant, and the number of their private pictures, which are left out.
  private static func makeIndex(_ hub: Hub, _ arguments: Arguments) async throws -> (OneFileIndex, left: Int) {
    let id = arguments.words[0]
    let shows = try readShows(arguments["shows"])
    let wanted = arguments.all("gallery")
    for (name, limit) in [("title", RequestLimits.name), ("text", ExportLimits.text)] {
      guard (arguments[name]?.count ?? 0) <= limit else {
        throw CommandError(usage: "--\(name): at most \(limit) characters are accepted.")
      }
    }
    typealias Found = (portfolio: Portfolio, from: String?, galleries: [PortfolioGallery])
    let found = try await hub.store.read { database throws(StoreError) -> Found? in
      guard let portfolio = try database.portfolio(id) else { return nil }
      var from: String?
      if let person = portfolio.person { from = try database.personName(person) }
      return (portfolio, from, try database.galleries(of: portfolio.id))
    }
    guard let found else { throw PortfolioCommands.missing(id) }
    let all = found.galleries
    let chosen = try wanted.isEmpty ? all.filter { !$0.isHidden } : choose(wanted, among: all)
    let lists = try await hub.store.read { database throws(StoreError) in
      try chosen.map { gallery throws(StoreError) in
        try database.portfolioPictures(in: gallery.id, after: 0, limit: ExportLimits.pictures + 1)
      }
    }
    let left = Set(lists.joined().filter(\.source.isPrivate).map(\.id)).count
    let galleries = zip(chosen, lists).map { gallery, pictures in
      OneFileIndex.Gallery(
        address: gallery.address, title: gallery.title, pictures: pictures.filter { !$0.source.isPrivate })
    }
    guard galleries.reduce(0, { $0 + $1.pictures.count }) <= ExportLimits.pictures else {
      throw CommandError("One file has at most \(ExportLimits.pictures) pictures; --gallery chooses some.")
    }
    let name = found.portfolio.name
    let index = OneFileIndex(
      title: arguments["title"] ?? name, text: arguments["text"] ?? "", from: found.from ?? name,
      photographer: found.portfolio.photographer, shows: shows,
      galleries: galleries.filter { !$0.pictures.isEmpty })
    return (index, left)
  }

  private static func choose(
    _ wanted: [String], among all: [PortfolioGallery]
  ) throws(CommandError) -> [PortfolioGallery] {
    var chosen: [PortfolioGallery] = []
    for name in wanted {
      let found = all.filter { $0.address == name || $0.title == name }
      guard !found.isEmpty else {
        let names = all.map { "\"\($0.title)\"" }.joined(separator: ", ")
        throw CommandError("--gallery: there is none called \"\(name.prefix(80))\"; there are \(names).")
      }
      chosen += found.filter { one in !chosen.contains { $0.id == one.id } }
    }
    return chosen
  }

  /// Says before the work what a large file is in for.
  private static func warn(_ index: OneFileIndex, edge: Int) {
    let size = OneFile.estimate(index, edge: edge)
    guard size > ExportLimits.comfortable else { return }
    let smaller = ExportLimits.offered.filter { $0 < edge }.map {
      "--size \($0) about \(megabytes(OneFile.estimate(index, edge: $0)))"
    }
    printError(
      "This file will have about \(megabytes(size)): it opens slowly on phones, and mail and chats take no such files."
        + (smaller.isEmpty ? "" : " Smaller pictures: \(smaller.joined(separator: ", "))."))
  }

  private static func tell(_ index: OneFileIndex, left: Int, path: String, size: Int, isLocked: Bool) {
    let (pictures, galleries) = (index.pictures.count, index.galleries.count)
    let films = index.pictures.count { $0.source.kind == .video }
    print(
      Layout.plain(
        "Wrote \(path): \(pictures) \(pictures == 1 ? "picture" : "pictures") in \(galleries) "
          + "\(galleries == 1 ? "gallery" : "galleries"), \(megabytes(size))"
          + "\(isLocked ? ", locked with the passphrase" : "")."))
    if left > 0 { print("Left out: \(left) private \(left == 1 ? "picture" : "pictures").") }
    if films > 0 { print("Of \(films) \(films == 1 ? "film" : "films") it has a picture only; a link has the films.") }
    print("An iPhone or iPad runs no script in a file from a mail or a folder: there a link is the way.")
  }

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 10_000_000 ? "\((Double(bytes) / 100_000).rounded() / 10) MB" : "\((bytes + 500_000) / 1_000_000) MB"
  }
}
