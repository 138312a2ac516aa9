import Hub
import Server
import Wire

/// The fields of a request that sends pictures, or changes what was sent; those that are not there stay as they are.
struct SentForm: Sendable {
  private static let example =
    "Example: {\"title\": \"Two series\", \"galleries\": [\"ID\"], \"pin\": \"2468\", \"download\": \"2048\"}"

  let title: String?
  let text: String?
  let galleries: [String]?
  let pictures: [String]?
  /// An inner nil: for ever.
  let until: Double??
  /// Empty for none.
  let pin: String?
  let download: SentPortfolio.Download?
  let shows: [SentPortfolio.Shown]?
  let sendsPrivate: Bool

  init(_ request: Request, isNew: Bool, now: Double) throws(HTTPError) {
    var check = try FieldCheck(
      request, known: ["title", "text", "galleries", "pictures", "until", "pin", "download", "shows", "private"])
    title = check.line("title", longest: SentLimits.title, isNeeded: isNew)
    text = check.has("text") ? check.text("text", longest: SentLimits.text) ?? "" : nil
    galleries = Self.ids("galleries", SentLimits.galleries, &check)
    pictures = Self.ids("pictures", SentLimits.pictures, &check)
    var until: Double??
    if check["until"] == .null {
      until = .some(nil)
    } else if check.has("until") {
      until = check.number("until", in: (now + 60)...(now + 10 * 366 * 86_400))
    }
    self.until = until
    pin = check.has("pin") ? Self.pin(&check) : nil
    download = check.choice("download", among: SentPortfolio.Download.allCases)
    shows = Self.shows(&check)
    sendsPrivate = check.has("private") ? check.flag("private") ?? false : false
    if isNew, galleries?.isEmpty ?? true, pictures?.isEmpty ?? true {
      check.fail("galleries", "missing; galleries or pictures are needed.")
    }
    try check.finish(help: Self.example)
  }

  private static func ids(_ field: String, _ limit: Int, _ check: inout FieldCheck) -> [String]? {
    guard let list = check.list(field, of: "ids", atMost: limit) else { return nil }
    let ids = list.compactMap(\.string)
    if ids.count != list.count { check.fail(field, "a list of ids is accepted, each a text.") }
    return ids
  }

  private static func pin(_ check: inout FieldCheck) -> String? {
    if check["pin"] == .null { return "" }
    guard let pin = check.text("pin", longest: SentLimits.pinDigits.upperBound) else { return "" }
    guard SentLimits.pinDigits.contains(pin.utf8.count), pin.utf8.allSatisfy({ (48...57).contains($0) }) else {
      check.fail("pin", "4 to 12 digits are accepted.")
      return nil
    }
    return pin
  }

  private static func shows(_ check: inout FieldCheck) -> [SentPortfolio.Shown]? {
    let all = SentPortfolio.Shown.allCases
    guard let list = check.list("shows", of: "words", atMost: all.count) else { return nil }
    let words = list.compactMap { $0.string.flatMap { SentPortfolio.Shown(rawValue: $0) } }
    if words.count != list.count {
      check.fail("shows", "\(all.map(\.rawValue).joined(separator: ", ")) are accepted.")
    }
    return all.filter(words.contains)
  }
}
