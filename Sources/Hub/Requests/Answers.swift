import CivilTime
public import Server
public import Wire

// Answers and addresses that the routes of all rooms have in common.

extension JSON {
  /// What identifies something is told as text, so that no program reckons with it; null where there is none.
  public init(id: Int?) { self = id.map { .string(String($0)) } ?? .null }

  /// A moment, in UTC; null where there is none.
  public init(instant: Double?) {
    self = instant.map { .string(timestamp(EpochSeconds($0), in: .utc)) } ?? .null
  }
}

extension Response {
  /// The same, kept by nobody on its way: it is for one person.
  public func notStored() -> Response {
    var response = self
    response.cacheControl = "no-store"
    return response
  }

  /// Done, and there is nothing to say.
  public static func nothing(_ fields: [Response.Field] = []) -> Response {
    Response(status: 204, contentType: "", body: .bytes([]), cacheControl: "no-store", fields: fields)
  }
}

extension Request {
  /// The number in the address, such as 7 in /api/v1/people/7; nil for what is none.
  public var id: Int? { parameters["id"].flatMap(Int.init) }
}

extension Hub {
  /// Where links that were asked for lead: where the owner says that the hub is, else where the request came to.
  public func address(_ request: Request) -> String {
    publicURL ?? (request.isSecure ? "https://" : "http://") + (request.host ?? "localhost")
  }
}
