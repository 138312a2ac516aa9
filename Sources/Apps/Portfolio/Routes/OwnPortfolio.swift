import Hub
import Server
import Store

extension Hub {
  /// Reads of the caller's portfolio that a request's address names.
  /// - Throws: the refusal if it is not theirs, or nothing is found in it.
  func readOwn<Value: Sendable>(
    _ request: Request, or refusal: HTTPError,
    _ find: @escaping @Sendable (Database, Portfolio) throws(StoreError) -> Value?
  ) async throws(HTTPError) -> Value {
    let (principal, _) = try await person(request, .keepPortfolio)
    let address = request.parameters["id"] ?? ""
    let found = try await read { database throws(StoreError) -> Value? in
      guard let portfolio = try database.portfolio(address), portfolio.belongs(to: principal) else { return nil }
      return try find(database, portfolio)
    }
    guard let found else { throw refusal }
    return found
  }

  /// A change by the caller. They need the right to keep portfolios, and the change asks whose this one is.
  /// - Parameter work: gets the id of the portfolio that the request's address names.
  func changeOwn<Value: Sendable>(
    _ request: Request, _ work: @escaping @Sendable (_ id: String, Change) throws -> Value
  ) async throws(HTTPError) -> Value {
    let (principal, _) = try await person(request, .keepPortfolio)
    let id = request.parameters["id"] ?? ""
    return try await commit(as: principal) { change in try work(id, change) }
  }

  /// The same for one that has an answer, which a request that comes again gets once more.
  func changeOwn(
    once request: Request, _ work: @escaping @Sendable (_ id: String, Change) throws -> Response
  ) async throws(HTTPError) -> Response {
    let (principal, _) = try await person(request, .keepPortfolio)
    let id = request.parameters["id"] ?? ""
    return try await commit(once: request, as: principal) { change in try work(id, change) }
  }

  /// Reads of what was sent from the caller's portfolio.
  func readSent<Value: Sendable>(
    _ request: Request, _ read: @escaping @Sendable (Database, SentPortfolio) throws(StoreError) -> Value
  ) async throws(HTTPError) -> Value {
    let link = request.parameters["sent"] ?? ""
    return try await readOwn(request, or: .noSuchSent) { database, portfolio throws(StoreError) in
      guard let sent = try database.sent(link), sent.portfolio == portfolio.id else { return nil }
      return try read(database, sent)
    }
  }
}
