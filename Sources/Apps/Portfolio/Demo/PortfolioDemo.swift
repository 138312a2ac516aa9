import Galleries
import Hub
import Store

/// The portfolio of one of the demonstration's members. It is nobody's until there is an owner, who is to see it.
enum PortfolioDemo {
  /// Does nothing if there is a portfolio.
  static func fill(_ hub: Hub) async throws {
    let isThere = try await hub.store.read { database throws(StoreError) in try !database.portfolios().isEmpty }
    guard !isThere else { return }
    try await hub.commit(as: .commandLine) { change in
      let owner = try change.database.personIDs(of: .owner).first
      let club = try DemoClub(change.database)
      let wish = PortfolioChange.Wish(
        source: SourceName(.demo, club("painted by the hub", german: DemoSource.german)),
        name: DemoClub.Somebody.mira.name, person: owner)
      try SentChange.makeDemo(of: PortfolioChange.make(wish, in: change), club, in: change)
    }
  }

  /// The link by which a client would see it.
  static func hints(_ hub: Hub, url: String) async throws -> [String] {
    let link = try await hub.store.read { database throws(StoreError) -> String? in
      for portfolio in try database.portfolios() where portfolio.source.kind == .demo {
        if let sent = try database.sent(of: portfolio.id).last { return sent.path }
      }
      return nil
    }
    return link.map { ["Open a portfolio as a photographer's client does:", "  \(url)\($0)"] } ?? []
  }
}

/// The demonstration's source, which paints its pictures.
struct DemoSource: GallerySource {
  /// What the page says of it, which is in the language of the titles.
  let name: String
  static let german = "vom Hub gemalt"

  private static let galleries: [(id: String, titles: [String], texts: [String], scene: LandscapePainting.Scene)] = [
    (
      "coast", ["Evening on the coast", "Abend an der Küste"],
      ["The last hour of light, from the same rock.", "Die letzte Stunde Licht, vom selben Felsen."], .coast
    ), ("dunes", ["Dunes", "Dünen"], ["", ""], .dunes),
    (
      "mountains", ["Mountains before breakfast", "Berge vor dem Frühstück"],
      ["Fog in the valleys, and nobody else awake.", "Nebel in den Tälern, und sonst ist niemand wach."], .mountains
    ),
  ]
  private static let titles: [LandscapePainting.Scene: [[String]]] = [
    .coast: [
      ["First light", "Low tide", "Slack water", "Ember", "The long swell", "Blue hour", "Afterglow", "Harbour"],
      ["Erstes Licht", "Ebbe", "Stauwasser", "Glut", "Lange Dünung", "Blaue Stunde", "Nachglühen", "Hafen"],
    ],
    .dunes: [
      ["Ridge", "Noon", "Wind from the west", "Sickle", "Shade", "Red sand", "Dusk"],
      ["Grat", "Mittag", "Wind aus Westen", "Sichel", "Schatten", "Roter Sand", "Dämmerung"],
    ],
    .mountains: [
      ["Ladder of hills", "Fog", "North side", "Two o’clock moon", "Thaw", "Pass", "Rose", "Cold front"],
      ["Hügelleiter", "Nebel", "Nordseite", "Mond um zwei", "Tauwetter", "Pass", "Rosa", "Kaltfront"],
    ],
  ]
  private var column: Int { name == Self.german ? 1 : 0 }

  func galleries() async throws(SourceFault) -> [SourceGallery] {
    Self.galleries.map { SourceGallery(id: $0.id, title: $0.titles[column], text: $0.texts[column], tag: "1") }
  }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    guard let scene = LandscapePainting.Scene(rawValue: gallery.id) else { throw .gone }
    let pictures = (Self.titles[scene]?[column] ?? []).enumerated().map { number, title in
      SourcePicture(
        id: "\(gallery.id)/\(number)", version: "1", title: title,
        taken: "2026-0\(6 + number % 3)-1\(number)T20:1\(number):00",
        file: "\(gallery.id) \(number)")
    }
    try await page(SourcePage(pictures))
  }

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    let parts = picture.file.split(separator: " ")
    guard parts.count == 2, let scene = LandscapePainting.Scene(rawValue: String(parts[0])), let number = Int(parts[1])
    else { throw .gone }
    try await file.append(LandscapePainting(scene, number).png())
  }
}
