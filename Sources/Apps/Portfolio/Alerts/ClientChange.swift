import Hub
import Server
import Store
import Wire

/// A mark as a client wishes it.
struct MarkWish: Sendable {
  let mark: ClientMark
  let isGone: Bool

  /// Nil for what is no mark.
  init?(_ json: JSON) {
    guard let id = json["id"]?.string, SentLimits.idCharacters.contains(id.utf8.count),
      let picture = json["picture"]?.string, let kind = json["kind"]?.string.flatMap(ClientMark.Kind.init(rawValue:)),
      let at = json["at"]?.number, (0...1e11).contains(at)
    else { return nil }
    let text = json["text"]?.string
    guard text.map({ $0.count <= SentLimits.remark && $0.utf8.count <= 4 * SentLimits.remark }) ?? true else {
      return nil
    }
    isGone = json["gone"]?.bool ?? false
    mark = ClientMark(id: id, picture: picture, kind: kind, text: text, at: at)
  }
}

/// Changes by clients: each is bounded by link, since whoever has it is a stranger.
enum ClientChange {
  /// - Parameter token: the digest of the token that whoever knows the PIN gets.
  static func open(
    _ link: String, pin: String, token: [UInt8], in change: Change
  ) throws -> SentPortfolio.PINOutcome {
    let database = change.database
    guard var sent = try database.sent(link) else { throw HTTPError.noSuchSent }
    guard sent.isOpen(at: change.now) else { throw HTTPError.sentHasEnded }
    let outcome = sent.take(pin: pin, at: change.now)
    switch outcome {
    case .right:
      try database.addToken(token, sent: sent.id, until: change.now + SentLimits.tokenSeconds)
    case .wrong: try database.save(sent)
    case .nowLocked:
      try database.save(sent)
      if let owner = try database.portfolio(key: sent.portfolio) {
        try ring(SentBell.locked(sent, owner, to: try persons(owner, database)), in: change)
        SentChange.publish(sent, of: owner, in: change)
      }
    case .locked, .wait: break
    }
    return outcome
  }

  static func noteOpening(of sent: SentPortfolio, by name: String, in change: Change) throws {
    let database = change.database
    guard let client = try database.client(name, sent: sent.id),
      try database.noteOpening(client: client, now: change.now),
      let owner = try database.portfolio(key: sent.portfolio)
    else { return }
    if try database.openings(sent: sent.id) == 1 {
      try ring(SentBell.opened(sent, owner, to: try persons(owner, database)), in: change)
    }
    SentChange.publish(sent, of: owner, in: change)
  }

  /// - Returns: all marks of the client.
  static func mark(
    _ wishes: [MarkWish], of sent: SentPortfolio, by client: String, name: String?, in change: Change
  ) throws -> [ClientMark] {
    let database = change.database
    guard let key = try database.client(client, sent: sent.id) else { throw HTTPError.tooManyMarks }
    if let name { try database.name(client: key, name) }
    for wish in wishes {
      if wish.isGone {
        try database.removeMark(wish.mark.id, client: key)
        continue
      }
      // It may have become private while the client was offline.
      guard let picture = try database.picture(wish.mark.picture, sent: sent.id) else { continue }
      try database.save(wish.mark, picture: picture.id, client: key)
    }
    let kept = try database.marksKept(sent: sent.id)
    guard kept.count <= SentLimits.marks, kept.characters <= SentLimits.remarks else { throw HTTPError.tooManyMarks }
    if let owner = try database.portfolio(key: sent.portfolio) {
      var sent = sent
      if sent.ringAt == nil {
        // A clock that was set back puts nothing off for longer.
        let last = min(sent.rangAt ?? 0, change.now)
        sent.ringAt = max(change.now + SentLimits.gatherSeconds, last + SentLimits.ringSeconds)
        try database.save(sent)
      }
      SentChange.publish(sent, of: owner, in: change)
    }
    return try database.marks(of: client, sent: sent.id)
  }

  /// Rings for the marks that nobody knows of yet.
  static func ringMarks(_ link: String, in change: Change) throws {
    let database = change.database
    guard var sent = try database.sent(link) else { return }
    let news = try database.takeNews(sent: sent.id)
    sent.ringAt = nil
    if !news.isEmpty, let owner = try database.portfolio(key: sent.portfolio) {
      sent.rangAt = change.now
      try ring(SentBell.marks(news, sent, owner, to: try persons(owner, database)), in: change)
    }
    try database.save(sent)
  }

  /// Whom a portfolio's news is for.
  static func persons(_ owner: Portfolio, _ database: Database) throws(StoreError) -> [Int] {
    if let person = owner.person { return [person] }
    return owner.isOwners ? try database.personIDs(with: .keepCommonPortfolios) : []
  }

  private static func ring(_ bell: Bell?, in change: Change) throws {
    if let bell { try change.ring("portfolio.sent", bell.json) }
  }
}
