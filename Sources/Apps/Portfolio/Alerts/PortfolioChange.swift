import Hub
import Server
import Store
import Wire

/// The changes of portfolios by their owners. Each is called in one `hub.commit`.
enum PortfolioChange {
  /// A new portfolio.
  struct Wish: Sendable {
    var source: SourceName
    var name: String
    var credentials = SourceCredentials()
    /// Its person; nil: the owners.
    var person: Int?
    /// Seconds until the hub looks at the source by itself.
    var delay = 0.0
  }

  static func make(_ wish: Wish, in change: Change) throws -> Portfolio {
    change.database.touch(.portfolios)
    let all = try change.database.portfolios()
    let own = all.filter { $0.person == wish.person }
    guard all.count < PortfolioLimits.portfolios, own.count < PortfolioLimits.portfoliosOfPerson else {
      throw HTTPError(
        .tooManyPortfolios, "There are too many portfolios.",
        help: "\(PortfolioLimits.portfolios) fit on a hub, and \(PortfolioLimits.portfoliosOfPerson) of one person. "
          + "Remove one first.")
    }
    var portfolio = Portfolio(
      address: RandomID.make(), person: wish.person, name: wish.name, position: own.count, source: wish.source,
      credentials: wish.credentials, nextAt: change.now + wish.delay)
    portfolio.isOwners = wish.person == nil
    portfolio.id = try change.database.add(portfolio, now: change.now)
    try change.audit("portfolio.made", about: wish.name)
    return portfolio
  }

  /// The portfolio as it is at this moment, if it belongs to the caller.
  static func own(_ address: String, in change: Change) throws -> Portfolio {
    guard let portfolio = try change.database.portfolio(address), portfolio.belongs(to: change.principal) else {
      throw HTTPError.noSuchPortfolio
    }
    return portfolio
  }

  static func rename(_ address: String, to name: String?, order: [String]?, in change: Change) throws {
    var portfolio = try own(address, in: change)
    if let name { portfolio.name = name }
    try change.database.save(portfolio)
    for (position, id) in (order ?? []).enumerated() {
      guard var other = try change.database.portfolio(id), other.belongs(to: change.principal) else { continue }
      other.position = position
      try change.database.save(other)
    }
    let told = JSON.object([.init("id", .string(address)), .init("name", .string(portfolio.name))])
    change.publish("portfolio", on: portfolio.channel, told)
  }

  /// Takes another permission of its owner's for its source, which is looked at now.
  static func renew(_ address: String, _ credentials: SourceCredentials, in change: Change) throws {
    var portfolio = try own(address, in: change)
    // Another account does not list what was private in this one, which would look as if it were gone.
    let account = FlickrAccess.tokenUser
    if let before = portfolio.credentials[account], before != credentials[account] {
      throw HTTPError(
        .sourceNotAccepted, "The source cannot be used: that is another account at Flickr than before.",
        help: "Sign in at Flickr as before, or add a portfolio of its own.")
    }
    let photographer = portfolio.credentials[FlickrAccess.photographer]
    portfolio.credentials = credentials
    portfolio.credentials[FlickrAccess.photographer] = photographer
    portfolio.nextAt = change.now
    try change.database.save(portfolio)
    try change.audit("portfolio.authorized", about: portfolio.name)
  }

  static func delete(_ portfolio: Portfolio, in change: Change) throws {
    try change.database.deletePortfolio(portfolio.id, now: change.now)
    change.database.touch(.portfolios)
    try change.audit("portfolio.removed", about: portfolio.name)
    change.publish("gone", on: portfolio.channel, [:])
  }

  /// The next look at the source is now.
  /// - Parameter mayLose: true if its owner has said that many pictures may go.
  static func askForSync(_ address: String, mayLose: Bool, in change: Change) throws {
    var portfolio = try own(address, in: change)
    portfolio.nextAt = change.now
    portfolio.mayLose = mayLose
    try change.database.save(portfolio)
    try change.database.forgetTries(of: portfolio)
  }

  /// - Parameter cover: the id of a picture of the gallery; an inner nil: the source's own.
  static func change(
    _ gallery: String, of address: String, cover: String??, isHidden: Bool?, in change: Change
  ) throws {
    let (database, portfolio) = (change.database, try own(address, in: change))
    guard var found = try database.gallery(gallery, of: portfolio.id) else { throw HTTPError.noSuchGallery }
    if let cover {
      found.chosenCover = nil
      if let cover {
        guard let picture = try database.portfolioPicture(cover, of: portfolio.id),
          try database.position(of: picture.id, in: found.id) != nil
        else {
          throw FieldErrors([FieldError("cover", "no picture of this gallery.")]).refusal(help: "Nothing was changed.")
        }
        found.chosenCover = picture.id
      }
    }
    if let isHidden { found.isHidden = isHidden }
    found.changed = change.number
    try database.save(found)
    try tell(found, of: portfolio, in: change)
  }

  // MARK: Events

  /// Tells the pages of a portfolio what it is now.
  /// - Parameter isRunning: true while a sync is under way, or about to be.
  static func tell(_ portfolio: Portfolio, isRunning: Bool, in change: Change) throws {
    let told = try PortfolioAnswer(change.database, portfolio, isRunning: isRunning)
    change.publish("portfolio", on: portfolio.channel, told.json)
  }

  static func tell(_ gallery: PortfolioGallery, of portfolio: Portfolio, in change: Change) throws {
    let told = try GalleryAnswer(change.database, gallery, of: portfolio)
    change.publish("gallery", on: portfolio.channel, told.json)
  }

  static func tellFavourites(of portfolio: Portfolio, in change: Change) throws {
    guard let told = try GalleryAnswer(favouritesOf: portfolio, change.database) else { return }
    change.publish("gallery", on: portfolio.channel, told.json)
  }
}
