import Crypto
import Flickr
import Galleries
import Hub
import Store
import Wire

/// What was sent, as its client is told.
struct ClientAnswer: Sendable {
  let json: JSON

  /// - Parameter client: the name that it gives itself.
  init(_ database: Database, _ sent: SentPortfolio, client: String) throws(StoreError) {
    let owner = try database.portfolio(key: sent.portfolio)
    var from = ""
    if let person = owner?.person { from = try database.personName(person) ?? "" }
    let pictures = Dictionary(grouping: try database.pictures(sent: sent.id)) { $0.gallery }
    let galleries = try database.galleries(sent: sent.id).map { gallery -> JSON in
      [
        "id": .string(gallery.address), "title": .string(gallery.title),
        "pictures": .array((pictures[gallery.key] ?? []).map { $0.picture.json(in: sent) }),
      ]
    }
    var members: [JSON.Member] = [.init("title", .string(sent.title))]
    if !sent.text.isEmpty { members.append(.init("text", .string(sent.text))) }
    members += [.init("from", .string(from))]
    if let until = sent.until { members.append(.init("until", JSON(instant: until))) }
    if let photographer = owner?.photographer {
      members += [.init("photographer", .string(photographer)), .init("notice", .string(FlickrSource.notice))]
    }
    members += [
      .init("download", .string(sent.download.rawValue)),
      .init("galleries", .array(galleries.filter { $0["pictures"]?.array?.isEmpty == false })),
      .init("marks", .array(try database.marks(of: client, sent: sent.id).map(\.json))),
    ]
    json = .object(members)
  }
}

extension PortfolioPicture {
  /// The members that a client is told at a link and in a file.
  func membersForClients(showing shown: Set<SentPortfolio.Shown>) -> [JSON.Member] {
    var members = members(showing: shown)
    if !placeholder.isEmpty { members.append(.init("placeholder", .string(Digest.base64(placeholder)))) }
    // Flickr's terms want a link to the picture's page, which opens for whoever may see it there.
    if let page = source.page, !source.isPrivate { members.append(.init("page", .string(page))) }
    if let license = source.license { members.append(.init("license", .string(license))) }
    return members
  }

  /// The picture as a client is told, with as much of its description as the photographer has chosen.
  func json(in sent: SentPortfolio) -> JSON {
    var members = membersForClients(showing: Set(sent.shows))
    if let seconds { members.append(.init("seconds", .double(seconds))) }
    let path = "/api/v1/sent/\(sent.address)/files/\(address)"
    var sizes = sizes(below: path)
    if sent.download == .original, let original {
      sizes.append(
        .init(Self.originalName, ["url": .string("\(path)/original"), "bytes": .int(original.bytes)]))
    }
    members.append(.init("sizes", .object(sizes)))
    return .object(members)
  }
}
