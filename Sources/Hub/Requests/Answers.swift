import CivilTime
public import Server
public import Wire

// Answers and addresses that all rooms' routes share.

extension JSON {
  /// An id as text, so that no program calculates with it; null for nil.
  public init(id: Int?) { self = id.map { .string(String($0)) } ?? .null }

  /// A time in UTC; null for nil.
  public init(instant: Double?) {
    self = instant.map { .string(timestamp(EpochSeconds($0), in: .utc)) } ?? .null
  }
}

extension Response {
  /// The same with `no-store`, since it is for one person.
  public func notStored() -> Response {
    var response = self
    response.cacheControl = "no-store"
    return response
  }

  /// Success without a body.
  public static func nothing(_ fields: [Response.Field] = []) -> Response {
    Response(status: 204, contentType: "", body: .bytes([]), cacheControl: "no-store", fields: fields)
  }
}

extension Request {
  /// The number in the address, such as 7 in /api/v1/people/7; nil for anything else.
  public var id: Int? { parameters["id"].flatMap(Int.init) }
}

extension Hub {
  /// The base address of links in an answer: the owner's public address, else that of the request.
  public func address(_ request: Request) -> String {
    publicURL ?? (request.isSecure ? "https://" : "http://") + (request.host ?? "localhost")
  }
}
