public import CivilTime
public import Server

extension Request {
  /// The days a question is about (`from` and `to`): from the first up to but not including the second. A page that
  /// does not know today's date at the hub's place says `days` instead: so many from `from`, or in all, up to today.
  /// - Parameters:
  ///   - usual: days from today when none are given; negative for the past.
  ///   - today: at the hub's place.
  public func days(usual: Int, today date: CivilDate) throws(HTTPError) -> (CivilDate, CivilDate) {
    let query = query
    let today = date.dayNumber
    let usual = try count(query["days"], or: query["to"]).map { usual < 0 ? -$0 : $0 } ?? usual
    let from = try day("from") ?? CivilDate(dayNumber: usual < 0 ? today + usual : today)
    let to = try day("to") ?? from.adding(abs(usual) + (usual < 0 ? 1 : 0))
    guard to > from else {
      throw HTTPError(
        .invalidQuery, "to: \(to.text) is not after from, \(from.text).", help: "to is the day after the last one.")
    }
    guard to.dayNumber - from.dayNumber <= RequestLimits.days else {
      throw HTTPError(
        .invalidQuery, "from \(from.text) to \(to.text) are \(to.dayNumber - from.dayNumber) days.",
        help: "At most \(RequestLimits.days) days are answered at once.")
    }
    return (from, to)
  }

  private func count(_ text: String?, or to: String?) throws(HTTPError) -> Int? {
    guard let text else { return nil }
    guard to == nil else {
      throw HTTPError(.invalidQuery, "days and to are both given.", help: "One of them is accepted.")
    }
    guard let days = Int(text), (1...RequestLimits.days).contains(days) else {
      throw HTTPError(
        .invalidQuery, "days: \"\(text)\" is no number of days.", help: "1 to \(RequestLimits.days) are accepted.")
    }
    return days
  }

  /// The day that a parameter of the question names; nil without it.
  public func day(_ name: String) throws(HTTPError) -> CivilDate? {
    guard let text = query[name] else { return nil }
    guard let date = CivilDate(text) else {
      throw HTTPError(
        .invalidQuery, "\(name): \"\(text.prefix(40))\" is no date.", help: "A date such as 2026-11-20 is accepted.")
    }
    return date
  }
}
