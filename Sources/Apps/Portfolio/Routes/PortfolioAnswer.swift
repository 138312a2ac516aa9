import Crypto
import Flickr
import Galleries
import Hub
import Store
import Wire

/// A portfolio as pages are told (P).
struct PortfolioAnswer {
  let portfolio: Portfolio
  let counts: PortfolioCounts
  private let failed: [SyncReport.FailedPicture]
  private let isRunning: Bool
  private let isInLine: Bool

  /// - Parameter isInLine: true if it waits while others have their turns.
  init(
    _ database: Database, _ portfolio: Portfolio, isRunning: Bool, isInLine: Bool = false
  ) throws(StoreError) {
    self.portfolio = portfolio
    (self.isRunning, self.isInLine) = (isRunning, isInLine)
    counts = try database.counts(of: portfolio.id)
    failed = try database.failedPictures(of: portfolio.id, limit: PortfolioLimits.failed)
  }

  private var state: String {
    if isInLine { return "waiting" }
    if isRunning { return "running" }
    guard portfolio.fault != nil else { return "idle" }
    return portfolio.isWaiting ? "waiting" : "failed"
  }

  var members: [JSON.Member] {
    var sync: [JSON.Member] = [
      .init("state", .string(state)), .init("done", .int(counts.pictures)), .init("left", .int(counts.left)),
    ]
    if let at = portfolio.syncedAt { sync.append(.init("at", JSON(instant: at))) }
    if isInLine {
      sync.append(.init("why", Reason(.inLine).json))
    } else if let fault = portfolio.fault, !isRunning {
      sync.append(.init("why", fault.json))
      if portfolio.isWaiting, let next = portfolio.nextAt { sync.append(.init("again_at", JSON(instant: next))) }
    }
    sync.append(.init("failed", .array(failed.map(\.json))))
    var source: [JSON.Member] = [
      .init("kind", .string(portfolio.source.kind.rawValue)), .init("of", .string(portfolio.source.of)),
    ]
    if portfolio.source.kind == .flickr {
      source.append(.init("notice", .string(FlickrSource.notice)))
      source.append(.init("authorized", .bool(FlickrAccess.token(portfolio.credentials) != nil)))
    }
    return [
      .init("id", .string(portfolio.address)), .init("name", .string(portfolio.name)), .init("source", .object(source)),
      .init("galleries_count", .int(counts.galleries)), .init("pictures", .int(counts.pictures)),
      .init("bytes", .int(counts.bytes)), .init("sync", .object(sync)),
    ]
  }

  var json: JSON { .object(members) }
}

extension Reason.Kind {
  static let inLine = Self("portfolio-in-line", "other portfolios are being looked at")
}

/// A gallery as pages are told (G). Its owner's favourites are one too.
struct GalleryAnswer: Sendable {
  /// The id of that of favourites; ids of others have another length.
  static let favourites = "favourites"
  private let gallery: PortfolioGallery
  private let count: Int
  private let cover: PortfolioPicture?
  private let portfolio: String

  init(_ database: Database, _ gallery: PortfolioGallery, of portfolio: Portfolio) throws(StoreError) {
    self.gallery = gallery
    self.portfolio = portfolio.address
    count = try database.pictureCount(in: gallery.id)
    cover = try database.cover(of: gallery)
  }

  /// The gallery of favourites; nil if there was never one.
  init?(favouritesOf portfolio: Portfolio, _ database: Database) throws(StoreError) {
    guard let changed = try database.favouritesChanged(of: portfolio.id) else { return nil }
    gallery = PortfolioGallery(
      portfolio: portfolio.id, address: Self.favourites, sourceID: "", title: "Favourites", text: "", changed: changed)
    self.portfolio = portfolio.address
    count = try database.favouriteCount(of: portfolio.id)
    cover = try database.favourites(of: portfolio.id, after: 0, limit: 1).first
  }

  var json: JSON {
    var members: [JSON.Member] = [.init("id", .string(gallery.address)), .init("title", .string(gallery.title))]
    if gallery.address == Self.favourites { members.append(.init("favourites", true)) }
    if !gallery.text.isEmpty { members.append(.init("text", .string(gallery.text))) }
    members.append(.init("count", .int(count)))
    if let cover { members.append(.init("cover", cover.json(in: portfolio))) }
    if !gallery.group.isEmpty { members.append(.init("group", .string(gallery.group))) }
    if let notice = gallery.notice { members.append(.init("notice", notice.json)) }
    if gallery.isHidden { members.append(.init("hidden", true)) }
    members.append(.init("changed", .int(gallery.changed)))
    return .object(members)
  }
}

extension PortfolioPicture {
  /// The members that everybody is told who sees the picture, with as much of its description as they may see.
  func members(showing shown: Set<SentPortfolio.Shown>) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("id", .string(address)), .init("version", .string(tag)), .init("kind", .string(source.kind.rawValue)),
      .init("width", .int(width)), .init("height", .int(height)),
    ]
    if shown.contains(.title), !title.isEmpty { members.append(.init("title", .string(title))) }
    // Without words in the file, it would be the title.
    if shown.contains(.title), let file { members.append(.init("file", .string(file))) }
    if shown.contains(.caption), !caption.isEmpty { members.append(.init("caption", .string(caption))) }
    if shown.contains(.taken), let taken = source.taken { members.append(.init("taken", .string(taken))) }
    var place: [JSON.Member] = []
    if shown.contains(.place), let name = source.place?.name { place.append(.init("name", .string(name))) }
    if shown.contains(.position), let latitude = source.place?.latitude, let longitude = source.place?.longitude {
      place += [.init("lat", .double(latitude)), .init("lon", .double(longitude))]
    }
    if !place.isEmpty { members.append(.init("place", .object(place))) }
    return members
  }

  /// The files by their names.
  /// - Parameter path: without a slash at its end.
  func sizes(below path: String) -> [JSON.Member] {
    files.map { file in
      JSON.Member(
        file.name,
        [
          "url": .string("\(path)/\(file.name)?v=\(tag)"), "bytes": .int(file.bytes), "sha256": .string(file.sha256),
        ])
    }
  }

  /// The picture as pages are told (X).
  /// - Parameter portfolio: the id of its portfolio in addresses.
  func json(in portfolio: String) -> JSON {
    let path = "\(PortfolioRoutes.path)/\(portfolio)/files/\(address)"
    var members = members(showing: Set(SentPortfolio.Shown.allCases))
    if let seconds { members.append(.init("seconds", .double(seconds))) }
    if !placeholder.isEmpty { members.append(.init("placeholder", .string(Digest.base64(placeholder)))) }
    if source.isPrivate { members.append(.init("private", true)) }
    if let page = source.page { members.append(.init("page", .string(page))) }
    if let license = source.license { members.append(.init("license", .string(license))) }
    members.append(.init("sizes", .object(sizes(below: path))))
    if let original {
      members.append(
        .init(
          "original",
          [
            "url": .string("\(path)/original"), "bytes": .int(original.bytes), "name": .string(original.name),
          ]))
    }
    return .object(members)
  }
}

extension SyncReport {
  /// The report as `portfolio sync` prints it.
  var json: JSON {
    [
      "photos": .int(photos), "new": .int(new), "changed": .int(changed), "gone": .int(gone),
      "missing": .int(missing),
      "failed": .array(
        failed.map { one in
          [
            "picture": .string(one.picture), "title": .string(one.title), "gallery": .string(one.gallery),
            "why": .string(one.why.text),
          ]
        }),
    ]
  }
}
