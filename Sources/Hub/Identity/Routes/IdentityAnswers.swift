import CivilTime
import Lifecycle
import Realtime
public import Server
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
    let principal = try await authorise(request, .enter)
    return (principal, try principal.demandPerson())
  }
}
