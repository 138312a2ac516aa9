public import Wire

/// An error as a client sees it: `{"code": 40003, "error": "…", "help": "…"}`, and, where single fields of the request
/// are wrong, `"fields": {"name": "…"}`, so that a form can show each beside its field. Where the code alone does not
/// tell the reason, `"reason"`, and `"field_reasons"` for fields, let pages show it in their reader's language.
public struct HTTPError: Error, Equatable, Sendable {
  public var code: ErrorCode
  /// The failure and the value seen.
  public var error: String
  /// The accepted values, or what to do.
  public var help: String
  /// Header fields that belong to the response, such as Allow.
  public var fields: [Response.Field] = []
  /// The reason, where the code can have several.
  public var reason: Reason?
  /// The faults of single fields of the request.
  public var problems: [Problem] = []
  /// The body in the form of another program's protocol, in place of ours; the code then is that protocol's, too.
  public var foreign: JSON?

  public struct Problem: Equatable, Sendable {
    /// The field's path, such as "lat" or "calendars[0].url".
    public var field: String
    public var message: String
    public var reason: Reason?
    public init(_ field: String, _ message: String) {
      self.field = field
      self.message = message
    }
    public init(_ field: String, _ reason: Reason) {
      self.field = field
      message = reason.text
      self.reason = reason
    }
  }

  public init(
    _ code: ErrorCode, _ error: String, help: String, fields: [Response.Field] = [], reason: Reason? = nil
  ) {
    self.code = code
    self.error = error
    self.help = help
    self.fields = fields
    self.reason = reason
  }

  init(_ fault: WireFault) {
    let code: ErrorCode =
      switch fault.status {
      case 414: .targetTooLong
      case 431: .headTooLarge
      case 501: .notImplemented
      case 505: .unsupportedVersion
      default: .malformedRequest
      }
    self.init(code, fault.explanation, help: "See RFC 9112.")
  }

  static func bodyTooLarge(limit: Int) -> HTTPError {
    HTTPError(.bodyTooLarge, "The body is too large.", help: "\(limit) bytes are accepted here.")
  }
  static func methodNotAllowed(_ head: RequestHead, _ accepted: [Method]) -> HTTPError {
    let names = accepted.map(\.name).joined(separator: ", ")
    return HTTPError(
      .methodNotAllowed, "\(head.method.name) is not served at \(head.path).", help: "Accepted: \(names).",
      fields: [Response.Field("Allow", names)])
  }
  static func noSuchPage(_ head: RequestHead) -> HTTPError {
    HTTPError(.noSuchPage, "There is nothing at \(head.path).", help: "The API is described at /api/openapi.yaml.")
  }
  /// Seen by handlers only: the client that could read it has left.
  static let clientGone = HTTPError(.malformedRequest, "The client has left.", help: "Send the whole request.")
  static let tooSlow = HTTPError(
    .tooSlow, "The request came too slowly.",
    help: "A head is awaited for \(Int(ServerLimits.headSeconds)) s, each part of a body for "
      + "\(Int(ServerLimits.bodySeconds)) s.")
  static let tooManyConnections = HTTPError(
    .tooManyConnections, "Your address has too many connections or event streams open.",
    help: "Close some, or sign in on them; connections_per_address in the hub's settings says how many there may be.")
  static let tooBusy = HTTPError(
    .tooBusy, "The hub did not get to an answer within \(Int(ServerLimits.handlerSeconds)) s.",
    help: "Try again later; what was asked for may still happen.")

  public var response: Response {
    var members: [JSON.Member] = [
      .init("code", .int(code.rawValue)), .init("error", .string(error)), .init("help", .string(help)),
    ]
    if let reason { members.append(.init("reason", reason.json)) }
    if !problems.isEmpty {
      // The first problem of each field.
      var told: [JSON.Member] = []
      var reasons: [JSON.Member] = []
      var seen: Set<String> = []
      for problem in problems where seen.insert(problem.field).inserted {
        told.append(.init(problem.field, .string(problem.message)))
        if let reason = problem.reason { reasons.append(.init(problem.field, reason.json)) }
      }
      members.append(.init("fields", .object(told)))
      if !reasons.isEmpty { members.append(.init("field_reasons", .object(reasons))) }
    }
    return Response(status: code.status, json: foreign ?? .object(members), fields: fields + [.anyOrigin])
  }
}
