import Galleries
import Hub
import Store
import Wire

/// The words and the pictures that go into one file, as the player's index tells them.
struct OneFileIndex: Sendable {
  struct Gallery: Sendable {
    let address: String
    let title: String
    let pictures: [PortfolioPicture]
  }
  /// Lines about a picture that its photographer may show.
  static let lines: [SentPortfolio.Shown] = [.title, .caption, .place, .taken]

  let title: String
  var text = ""
  let from: String
  /// The name to be told beside the pictures, where their source asks for it.
  var photographer: String?
  var shows: Set<SentPortfolio.Shown>
  var galleries: [Gallery]
  /// False if the player has no key that saves a picture.
  var offersSaving = true

  /// Each picture once, in the order in which they are seen.
  var pictures: [PortfolioPicture] {
    var seen: Set<Int> = []
    return galleries.flatMap(\.pictures).filter { seen.insert($0.id).inserted }
  }

  var json: JSON {
    var members: [JSON.Member] = [.init("title", .string(title)), .init("from", .string(from))]
    if !text.isEmpty { members.append(.init("text", .string(text))) }
    if let photographer { members.append(.init("photographer", .string(photographer))) }
    members.append(.init("download", offersSaving ? "2048" : "none"))
    members.append(
      .init(
        "galleries",
        .array(
          galleries.map { one in
            [
              "id": .string(one.address), "title": .string(one.title),
              "pictures": .array(one.pictures.map(json)),
            ]
          })))
    return .object(members)
  }

  /// Bytes of a file by the long edge of its pictures: those of the largest are known, the others are guessed.
  var estimates: JSON {
    let edges = [ExportLimits.edges.upperBound] + ExportLimits.offered
    return .object(edges.map { .init("\($0)", .int(OneFile.estimate(self, edge: $0))) })
  }

  /// A picture without what its photographer does not show: its position never, its camera is not known.
  private func json(_ picture: PortfolioPicture) -> JSON {
    .object(picture.membersForClients(showing: shows) + [.init("sizes", ["320": [:], "2048": [:]])])
  }
}

extension OneFileIndex {
  /// The same that a client sees at a link.
  init(_ database: Database, _ sent: SentPortfolio) throws(StoreError) {
    let owner = try database.portfolio(key: sent.portfolio)
    var from = owner?.name ?? ""
    if let person = owner?.person { from = try database.personName(person) ?? from }
    let pictures = try database.pictures(sent: sent.id)
    let galleries = try database.galleries(sent: sent.id).map { one in
      Gallery(
        address: one.address, title: one.title,
        pictures: pictures.filter { $0.gallery == one.key }.map(\.picture))
    }
    self.init(
      title: sent.title, text: sent.text, from: from, photographer: owner?.photographer,
      shows: Set(sent.shows).intersection(Self.lines), galleries: galleries.filter { !$0.pictures.isEmpty },
      offersSaving: sent.download != .none)
  }
}
