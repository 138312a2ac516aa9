package import Wire

/// A client's message in the live query protocol, checked and taken apart.
package enum LiveMessage: Equatable, Sendable {
  case connect(Connect)
  case subscribe(Subscribe)
  /// The same as a new subscription with the request id of one that there is.
  case update(Subscribe)
  case unsubscribe(Int)

  /// The credentials that a client shows.
  package struct Connect: Equatable, Sendable {
    package var applicationID: String
    /// Those of `javascriptKey`, `clientKey`, `windowsKey` and `restAPIKey` that are there.
    package var keys: [String]
    package var masterKey: String?
    package var sessionToken: String?
    package var installation: String?

    package init(
      applicationID: String, keys: [String] = [], masterKey: String? = nil, sessionToken: String? = nil,
      installation: String? = nil
    ) {
      self.applicationID = applicationID
      self.keys = keys
      self.masterKey = masterKey
      self.sessionToken = sessionToken
      self.installation = installation
    }
  }

  package struct Subscribe: Equatable, Sendable {
    package var requestID: Int
    package var className: String
    package var condition: JSON
    /// The fields that the client wants to see; nil for all.
    package var keys: [String]?
    /// The fields of which one must have changed; nil for any.
    package var watch: [String]?
    package var sessionToken: String?

    package init(
      requestID: Int, className: String, condition: JSON, keys: [String]? = nil, watch: [String]? = nil,
      sessionToken: String? = nil
    ) {
      self.requestID = requestID
      self.className = className
      self.condition = condition
      self.keys = keys
      self.watch = watch
      self.sessionToken = sessionToken
    }
  }

  /// Why a message cannot be understood.
  package struct Fault: Error, Equatable {
    package var code: Int
    package var message: String
    package var requestID: Int?
  }

  package static let operations = ["connect", "subscribe", "update", "unsubscribe"]

  package init(_ text: String) throws(Fault) {
    guard let json = try? JSON(fromBrowser: text), json.members != nil else {
      throw Fault(code: 1, message: "The message is no JSON object.")
    }
    let name = json["op"]?.string ?? ""
    switch name {
    case "connect": self = .connect(try Connect(Fields(json, Connect.known)))
    case "subscribe": self = .subscribe(try Subscribe(Fields(json, Subscribe.known)))
    case "update": self = .update(try Subscribe(Fields(json, Subscribe.known)))
    case "unsubscribe": self = .unsubscribe(try Fields(json, ["op", "requestId"]).id())
    default:
      let accepted = Self.operations.joined(separator: ", ")
      throw Fault(
        code: 3, message: "The operation \"\(name.prefix(40))\" is unknown; \(accepted) are accepted.",
        requestID: json["requestId"]?.int)
    }
  }
}

extension LiveMessage.Connect {
  static let known = [
    "op", "applicationId", "javascriptKey", "clientKey", "windowsKey", "restAPIKey", "masterKey", "sessionToken",
    "installationId",
  ]

  fileprivate init(_ fields: Fields) throws(LiveMessage.Fault) {
    guard let application = try fields.text("applicationId") else { throw fields.fault("applicationId is missing.") }
    var keys: [String] = []
    for name in Self.known[2...5] { if let key = try fields.text(name) { keys.append(key) } }
    self.init(
      applicationID: application, keys: keys, masterKey: try fields.text("masterKey"),
      sessionToken: try fields.text("sessionToken"), installation: try fields.text("installationId"))
    guard (installation ?? "").count <= LiveQueryLimits.installation else {
      throw fields.fault("installationId has more than \(LiveQueryLimits.installation) characters.")
    }
  }
}

extension LiveMessage.Subscribe {
  static let known = ["op", "requestId", "query", "sessionToken"]

  fileprivate init(_ fields: Fields) throws(LiveMessage.Fault) {
    let id = try fields.id()
    guard let query = fields["query"], query.members != nil else { throw fields.fault("query is no object.") }
    // Older clients name the keys "fields".
    let parts = try Fields(query, ["className", "where", "keys", "fields", "watch"], requestID: id)
    guard let className = try parts.text("className") else { throw parts.fault("query.className is missing.") }
    guard let condition = parts["where"], condition.members != nil else {
      throw parts.fault("query.where is no object; {} stands for all objects.")
    }
    let (keys, older) = (try parts.names("keys"), try parts.names("fields"))
    self.init(
      requestID: id, className: className, condition: condition, keys: keys ?? older,
      watch: try parts.names("watch"), sessionToken: try fields.text("sessionToken"))
  }
}

/// The members of a message, of which none may be unknown. A member that is null, or an empty text, counts as missing:
/// Parse's client for Swift has an empty session where nobody is signed in.
private struct Fields {
  private let json: JSON
  private let requestID: Int?

  init(_ json: JSON, _ known: [String], requestID: Int? = nil) throws(LiveMessage.Fault) {
    self.json = json
    self.requestID = requestID ?? json["requestId"]?.int
    for member in json.members ?? [] where !known.contains(member.name) {
      throw fault("\(member.name.prefix(40)) is unknown; \(known.joined(separator: ", ")) are accepted.")
    }
  }

  subscript(_ name: String) -> JSON? {
    guard let value = json[name], value != .null, value != "" else { return nil }
    return value
  }

  func fault(_ message: String) -> LiveMessage.Fault {
    LiveMessage.Fault(code: 1, message: message, requestID: requestID)
  }

  func text(_ name: String) throws(LiveMessage.Fault) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else { throw fault("\(name) is \(value.kind); a string is accepted.") }
    return text
  }

  func id() throws(LiveMessage.Fault) -> Int {
    guard let id = self["requestId"]?.int else { throw fault("requestId is no whole number.") }
    return id
  }

  func names(_ name: String) throws(LiveMessage.Fault) -> [String]? {
    guard let value = self[name] else { return nil }
    let names = value.array?.compactMap(\.string) ?? []
    guard let count = value.array?.count, names.count == count, count <= LiveQueryLimits.keys else {
      throw fault("query.\(name) is no list of at most \(LiveQueryLimits.keys) fields.")
    }
    return names.isEmpty ? nil : names
  }
}
