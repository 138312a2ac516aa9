import CivilTime
import Lifecycle
import Realtime
public import Server
public import Store
import Wire

// What the routes of people, devices, links and tokens have in common.

extension JSON {
  /// A moment, in UTC; null where there is none.
  init(instant: Double?) {
    self = instant.map { .string(timestamp(EpochSeconds($0), in: .utc)) } ?? .null
  }
}

extension Response {
  /// The same, kept by nobody on its way: it is for one person.
  func notStored() -> Response {
    var response = self
    response.cacheControl = "no-store"
    return response
  }

  /// Done, and there is nothing to say.
  static func nothing(_ fields: [Response.Field] = []) -> Response {
    Response(status: 204, contentType: "", body: .bytes([]), cacheControl: "no-store", fields: fields)
  }
}

extension Request {
  /// The number in the address, such as 7 in /api/v1/people/7; nil for what is none.
  var id: Int? { parameters["id"].flatMap(Int.init) }
}

extension Hub {
  /// Where links that were asked for lead: where the owner says that the hub is, else where the request came to.
  public func address(_ request: Request) -> String {
    publicURL ?? (request.isSecure ? "https://" : "http://") + (request.host ?? "localhost")
  }

  /// A person who is signed in: not a token, which is nobody.
  func person(_ request: Request) async throws(HTTPError) -> (principal: Principal, id: Int) {
    let principal = try await authorise(request, Set(Role.allCases))
    return (principal, try principal.demandPerson())
  }

  /// Changes who may what, as `write(as:)`.
  func changing<T: Sendable>(
    by principal: Principal,
    _ body: @escaping @Sendable (Database, Double) throws(StoreError) -> Result<T, HTTPError>
  ) async throws(HTTPError) -> T {
    let result: Result<T, HTTPError>
    do throws(HTTPError) { result = .success(try await write(as: principal, body)) } catch { result = .failure(error) }
    channels.recheck()  // who lost a right hears no more of what came with it
    return try result.get()
  }

  /// Changes something and writes down who did, in one transaction: what is refused must not have written anything.
  /// Whoever asks may have lost the right since it was looked at, and what they do here would outlive it.
  /// - Parameter body: given the seconds since 1970 at which the transaction runs.
  /// - Throws: 403 for somebody whose role is not what it was, or who was signed out, meanwhile.
  public func write<T: Sendable>(
    as principal: Principal,
    _ body: @escaping @Sendable (Database, Double) throws(StoreError) -> Result<T, HTTPError>
  ) async throws(HTTPError) -> T {
    let time = time
    let result = try await stored { () throws(StoreError) in
      try await store.write { database throws(StoreError) -> Result<T, HTTPError> in
        guard try database.isCurrent(principal) else { return .failure(.rightLost) }
        return try body(database, time.now)
      }
    }
    return try result.get()
  }
}

extension Database {
  /// Whether the device, or the token, is still there and has the role it had.
  func isCurrent(_ principal: Principal) throws(StoreError) -> Bool {
    guard let holder = ChannelHolder(principal) else { return false }
    return try self.principal(holder)?.role == principal.role
  }
}

extension HTTPError {
  static let rightLost = HTTPError(
    .roleNotAllowed, "Your role has changed, or you were signed out, just now.",
    help: "Nothing was changed. GET /api/v1/session tells who is signed in.")
}
