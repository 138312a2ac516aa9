import Crypto
import Galleries
import Wire

/// The words and the pictures that go into one file, as the player's index tells them.
struct OneFileIndex: Sendable {
  struct Gallery: Sendable {
    let gallery: PortfolioGallery
    let pictures: [PortfolioPicture]
  }
  /// Lines about a picture that its photographer shows: "title", "caption", "place", "taken".
  static let lines = ["title", "caption", "place", "taken"]

  let title: String
  var text = ""
  let from: String
  var shows: Set<String> = ["title"]
  var galleries: [Gallery]

  /// Each picture once, in the order in which they are seen.
  var pictures: [PortfolioPicture] {
    var seen: Set<Int> = []
    return galleries.flatMap(\.pictures).filter { seen.insert($0.id).inserted }
  }

  var json: JSON {
    var members: [JSON.Member] = [.init("title", .string(title)), .init("from", .string(from))]
    if !text.isEmpty { members.append(.init("text", .string(text))) }
    members.append(.init("download", "2048"))
    members.append(
      .init(
        "galleries",
        .array(
          galleries.map { one in
            [
              "id": .string(one.gallery.address), "title": .string(one.gallery.title),
              "pictures": .array(one.pictures.map(json)),
            ]
          })))
    return .object(members)
  }

  /// A picture without what its photographer does not show: its position never, its camera is not known.
  private func json(_ picture: PortfolioPicture) -> JSON {
    let source = picture.source
    var members: [JSON.Member] = [
      .init("id", .string(picture.address)), .init("version", .string(picture.tag)),
      .init("kind", .string(source.kind.rawValue)), .init("width", .int(picture.width)),
      .init("height", .int(picture.height)),
    ]
    if shows.contains("title"), !source.title.isEmpty { members.append(.init("title", .string(source.title))) }
    if shows.contains("caption"), !source.caption.isEmpty { members.append(.init("caption", .string(source.caption))) }
    if shows.contains("taken"), let taken = source.taken { members.append(.init("taken", .string(taken))) }
    if shows.contains("place"), let name = source.place?.name {
      members.append(.init("place", ["name": .string(name)]))
    }
    if !picture.placeholder.isEmpty {
      members.append(.init("placeholder", .string(Digest.base64(picture.placeholder))))
    }
    if let page = source.page { members.append(.init("page", .string(page))) }
    if let license = source.license { members.append(.init("license", .string(license))) }
    members.append(.init("sizes", ["320": [:], "2048": [:]]))
    return .object(members)
  }
}
