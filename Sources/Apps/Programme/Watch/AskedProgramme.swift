import Calendar
import CivilTime
import Crypto
import Hub
import Server

/// The programme for requests over HTTP, with a queue in front.
struct AskedProgramme: Sendable {
  let programme: ProgrammeWatch
  /// The key of the asker's share: a signed-in person's own, else that of the address.
  let asker: String
  let isStranger: Bool

  private func ask<Answer: Sendable>(
    _ key: String, _ work: @escaping @Sendable (isolated ProgrammeWatch) -> Answer
  ) async throws(HTTPError) -> Answer {
    try await programme.questions.ask(programme, key, by: asker, isStranger: isStranger, work)
  }

  /// - Returns: nil if the events of these days are too much for one answer.
  func events(from: CivilDate, to: CivilDate) async throws(HTTPError) -> ProgrammeWatch.Answer? {
    try await ask("events \(from.text) \(to.text)") { programme in programme.events(from: from, to: to) }
  }

  func feed(
    of calendar: String?, name: String, color: String?, source: String?
  ) async throws(HTTPError) -> Result<PackedAnswer, NoFeed> {
    try await ask("feed \(calendar ?? "") \(name) \(color ?? "")") { programme in
      Result { () throws(NoFeed) in try programme.feed(of: calendar, name: name, color: color, source: source) }
    }
  }

  func feed(
    ofEvents ids: [String], name: String, color: String?
  ) async throws(HTTPError) -> Result<PackedAnswer, NoFeed> {
    try await ask("favourites \(Self.digest(ids)) \(name) \(color ?? "")") { programme in
      Result { () throws(NoFeed) in try programme.feed(ofEvents: ids, name: name, color: color) }
    }
  }

  func find(_ ids: [String]) async throws(HTTPError) -> [String: FoundEvent] {
    if ids.isEmpty { return [:] }
    return try await ask("find \(Self.digest(ids))") { programme in programme.find(ids) }
  }

  /// - Throws: 404 if there is none with this identifier.
  func event(id: String) async throws(HTTPError) -> Occurrence {
    let found = try await ask("event \(Self.digest([id]))") { programme in programme.event(id: id) }
    guard let event = found else { throw HTTPError.noSuchEvent(id) }
    return event
  }

  /// A short key, however many identifiers there are.
  private static func digest(_ ids: [String]) -> String {
    Digest.hex(Digest.sha256(ids.joined(separator: "\n").utf8))
  }
}

extension ProgrammeWatch {
  nonisolated func asked(by request: Request, _ principal: Principal? = nil) -> AskedProgramme {
    AskedProgramme(
      programme: self, asker: principal?.caller ?? Attempts.network(of: request.peer), isStranger: principal == nil)
  }
}

extension HTTPError {
  static func noSuchEvent(_ id: String) -> HTTPError {
    HTTPError(
      .noSuchEvent, "There is no event \"\(id.prefix(60))\".", help: "GET /api/v1/space/events lists those there are.")
  }
}
