import Hub
import Ntfy
import Server
import Wire

/// Finds the token where ntfy's clients put it, and tells them of errors as ntfy does.
enum NtfyDialect {
  /// For what people and programs read, and publish by POST and PUT.
  static let usual = Dialect(adapt: { takeCredential(&$0) }, refusal: refusal)

  /// For what is published by GET. A page of another site can make a browser send that with the cookie of whoever reads
  /// it, so that the cookie does not count.
  static let withoutCookie = Dialect(
    adapt: { request in
      takeCredential(&request)
      request.head.fields = request.head.fields.replacing("cookie", with: nil)
    }, refusal: refusal)

  private static func takeCredential(_ request: inout Request) {
    let fields = request.head.fields
    switch NtfyCredential(header: fields["authorization"], query: request.query["auth"]) {
    case .none: request.head.fields = fields.replacing("authorization", with: nil)
    case .token(let token): request.head.fields = fields.replacing("authorization", with: "Bearer \(token)")
    // Refused as every unknown token is.
    case .unreadable: request.head.fields = fields.replacing("authorization", with: "Bearer -")
    }
  }

  private static func refusal(_ error: HTTPError, _ request: Request) -> Response {
    if error.foreign != nil { return error.response }
    var told = fault(error, request).error
    told.fields = error.fields.filter { $0.name == "Retry-After" }
    return told.response
  }

  private static func fault(_ error: HTTPError, _ request: Request) -> NtfyFault {
    switch error.code {
    case .noToken: .forbidden("a token is needed; it is sent as a password, or as Authorization: Bearer TOKEN")
    case .unknownToken: .unauthorized
    case .noSuchTopic: .noTopic(request.parameters["topic"] ?? "")
    case .tooManyTopics: .tooManyInAll
    case .bodyTooLarge, .unsupportedAttachment: .noFiles
    case let code where code.status == 403: .forbidden("\(error.error) \(error.help)")
    default: .other(error.code.status, "\(error.error) \(error.help)")
    }
  }
}

extension NtfyFault {
  /// The same as an error of a route.
  var error: HTTPError {
    var error = HTTPError(ErrorCode(code), message, help: "")
    error.foreign = json
    return error
  }

  /// Does work of ntfy's rules within a route.
  static func told<T>(_ work: () throws(NtfyFault) -> T) throws(HTTPError) -> T {
    do throws(NtfyFault) {
      return try work()
    } catch {
      throw error.error
    }
  }
}

extension Request {
  /// Header fields and parameters as ntfy's clients send them.
  var ntfy: NtfyParameters { NtfyParameters(headers: head.fields.all, query: query) }

  /// The topic, or topics, in the address.
  var ntfyTopic: String { parameters["topic"] ?? "" }
}
