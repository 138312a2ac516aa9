import Galleries
import Hub
import Server
import Store
import Wire

/// Changes of what was sent, by its photographer.
enum SentChange {
  /// What was sent by this link, if its portfolio is the caller's.
  static func own(
    _ address: String, of portfolio: String, in change: Change
  ) throws -> (SentPortfolio, Portfolio) {
    let owner = try PortfolioChange.own(portfolio, in: change)
    guard let sent = try change.database.sent(address), sent.portfolio == owner.id else {
      throw HTTPError.noSuchSent
    }
    return (sent, owner)
  }

  static func make(_ form: SentForm, of portfolio: String, in change: Change) throws -> SentPortfolio {
    let owner = try PortfolioChange.own(portfolio, in: change)
    let all = try change.database.sent(of: owner.id)
    if all.count >= SentLimits.ofPortfolio {
      guard let oldest = all.last(where: { $0.withdrawnAt != nil }) else { throw HTTPError.tooManySent }
      try change.database.removeSent(oldest.id)
    }
    var sent = SentPortfolio(
      portfolio: owner.id, address: SentPortfolio.newLink(), title: form.title ?? "", madeAt: change.now)
    sent.id = try change.database.add(sent)
    try apply(form, to: &sent, of: owner, in: change)
    try change.audit("portfolio.sent", about: sent.title)
    return sent
  }

  static func change(_ address: String, of portfolio: String, _ form: SentForm, in change: Change) throws {
    var (sent, owner) = try own(address, of: portfolio, in: change)
    guard sent.withdrawnAt == nil else { throw HTTPError.sentHasEnded }
    try apply(form, to: &sent, of: owner, in: change)
  }

  private static func apply(
    _ form: SentForm, to sent: inout SentPortfolio, of owner: Portfolio, in change: Change
  ) throws {
    let database = change.database
    if let title = form.title { sent.title = title }
    if let text = form.text { sent.text = text }
    if let until = form.until { sent.until = until }
    if let download = form.download { sent.download = download }
    if let shows = form.shows { sent.shows = shows }
    if let pin = form.pin {
      (sent.pin, sent.tries, sent.blockedUntil) = (pin, 0, nil)
      // Whoever knew the old one must know the new one.
      try database.removeTokens(sent: sent.id)
    }
    if form.galleries != nil || form.pictures != nil {
      try database.set(try places(form, of: owner, database), sent: sent.id)
    }
    try database.save(sent)
    publish(sent, of: owner, in: change)
  }

  /// The chosen pictures, in the order of the portfolio: whole galleries, and single pictures of others.
  private static func places(
    _ form: SentForm, of owner: Portfolio, _ database: Database
  ) throws -> [(gallery: Int, picture: PortfolioPicture)] {
    var wanted = Set(form.pictures ?? [])
    var galleries = Set(form.galleries ?? [])
    var places: [(gallery: Int, picture: PortfolioPicture)] = []
    var isPrivate = false
    for gallery in try database.galleries(of: owner.id) {
      let isWhole = galleries.remove(gallery.address) != nil
      guard isWhole || !wanted.isEmpty else { continue }
      let all = try database.portfolioPictures(in: gallery.id, after: 0, limit: GalleryLimits.pictures)
      for picture in all where wanted.remove(picture.address) != nil || isWhole {
        isPrivate = isPrivate || picture.source.isPrivate
        guard form.sendsPrivate || !picture.source.isPrivate else { continue }
        places.append((gallery.id, picture))
      }
    }
    guard galleries.isEmpty, wanted.isEmpty else {
      let field = galleries.isEmpty ? "pictures" : "galleries"
      throw FieldErrors([FieldError(field, "no such one in this portfolio: \((galleries.first ?? wanted.first)!)")])
        .refusal(help: "Nothing was sent.")
    }
    guard !places.isEmpty else { throw isPrivate ? HTTPError.allPrivate : HTTPError.nothingToSend }
    guard places.count <= SentLimits.pictures else { throw HTTPError.tooManyPicturesSent }
    return places
  }

  static func withdraw(_ address: String, of portfolio: String, in change: Change) throws {
    var (sent, owner) = try own(address, of: portfolio, in: change)
    guard sent.withdrawnAt == nil else { return }
    (sent.withdrawnAt, sent.ringAt) = (change.now, nil)
    try change.database.save(sent)
    try change.audit("portfolio.withdrawn", about: sent.title)
    publish(sent, of: owner, in: change)
  }

  /// A link to the demonstration's portfolio, which shows its pictures once they are there.
  static func makeDemo(of owner: Portfolio, _ say: DemoClub, in change: Change) throws {
    var sent = SentPortfolio(
      portfolio: owner.id, address: SentPortfolio.newLink(), title: say("Light and water", german: "Licht und Wasser"),
      madeAt: change.now)
    sent.text = say(
      "Three series, as a client gets them: tap a picture, and give it a heart.",
      german: "Drei Serien, so wie ein Kunde sie bekommt: Tippe auf ein Bild und gib ihm ein Herz.")
    _ = try change.database.add(sent)
  }

  static func fillDemo(of owner: Portfolio, in change: Change) throws {
    let database = change.database
    for sent in try database.sent(of: owner.id) where try database.galleries(sent: sent.id).isEmpty {
      var places: [(gallery: Int, picture: PortfolioPicture)] = []
      for gallery in try database.galleries(of: owner.id) {
        let pictures = try database.portfolioPictures(in: gallery.id, after: 0, limit: SentLimits.pictures)
        places += pictures.map { (gallery.id, $0) }
      }
      try database.set(places, sent: sent.id)
    }
  }

  /// Tells the pages of whose portfolio it is, which ask for what they show.
  static func publish(_ sent: SentPortfolio, of owner: Portfolio, in change: Change) {
    change.publish("sent", on: owner.channel, ["id": .string(sent.address)])
  }
}
