import Hub
import Wire

/// The bells of what was sent, for its photographer. They lead to the portfolio, since a link is a secret.
enum SentBell {
  private static let lifetime = 7 * 86_400.0

  static func opened(_ sent: SentPortfolio, _ owner: Portfolio, to persons: [Int]) -> Bell? {
    bell(
      Bell.Words("“\(sent.title)” was opened", german: "„\(sent.title)“ wurde geöffnet"),
      Bell.Words("For the first time.", german: "Zum ersten Mal."), "opened", sent, owner, persons, .passive)
  }

  static func locked(_ sent: SentPortfolio, _ owner: Portfolio, to persons: [Int]) -> Bell? {
    bell(
      Bell.Words("The link to “\(sent.title)” is locked", german: "Der Link zu „\(sent.title)“ ist gesperrt"),
      Bell.Words(
        "Somebody has given \(SentLimits.triesInAll) wrong PINs. A new PIN opens it again.",
        german: "Jemand hat \(SentLimits.triesInAll)-mal eine falsche PIN eingegeben. Eine neue öffnet ihn wieder."),
      "locked", sent, owner, persons, .active)
  }

  static func marks(
    _ news: [ClientMark.Kind: Int], _ sent: SentPortfolio, _ owner: Portfolio, to persons: [Int]
  ) -> Bell? {
    let words: [(kind: ClientMark.Kind, one: Bell.Words, more: Bell.Words)] = [
      (.favourite, .init("1 favourite", german: "1 Favorit"), .init("favourites", german: "Favoriten")),
      (.remark, .init("1 remark", german: "1 Anmerkung"), .init("remarks", german: "Anmerkungen")),
      (
        .large, .init("1 wish for a large one", german: "1 Wunsch nach einem großen Bild"),
        .init("wishes for large ones", german: "Wünsche nach großen Bildern")
      ),
    ]
    var english: [String] = []
    var german: [String] = []
    for (kind, one, more) in words {
      guard let count = news[kind] else { continue }
      english.append(count == 1 ? one.english : "\(count) \(more.english)")
      german.append(count == 1 ? one.german : "\(count) \(more.german)")
    }
    return bell(
      Bell.Words("News about “\(sent.title)”", german: "Neues zu „\(sent.title)“"),
      Bell.Words(english.joined(separator: ", "), german: german.joined(separator: ", ")), "marks", sent, owner,
      persons, .active)
  }

  private static func bell(
    _ title: Bell.Words, _ body: Bell.Words, _ what: String, _ sent: SentPortfolio, _ owner: Portfolio,
    _ persons: [Int], _ level: Bell.Level
  ) -> Bell? {
    guard !persons.isEmpty else { return nil }
    return Bell(
      to: .array(persons.map { ["person": JSON(id: $0)] }), title: title, body: body, category: PortfolioRoom.id,
      thread: PortfolioRoom.id, collapseID: "portfolio.\(what).\(sent.id)", level: level, isUrgent: level == .active,
      lifetime: lifetime, path: "/portfolio#sent=\(owner.address)")
  }
}
