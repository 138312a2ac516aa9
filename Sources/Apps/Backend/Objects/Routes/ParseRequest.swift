import Crypto
import Hub
import Objects
import Server
import Wire

/// A request to an app's objects, out of the envelopes that Parse's libraries use: keys in header fields, or, from
/// pages, a POST of text/plain that has method and keys in its body.
struct ParseRequest: Sendable {
  let app: App
  var caller: Objects.Caller
  let method: Method
  /// The path below /parse, such as ["classes", "GameScore", "id"].
  let path: [String]
  /// An object; empty if nothing was sent.
  let body: JSON
  /// Those of the query string, as texts; or of the body, where a GET came as a POST.
  let parameters: [JSON.Member]
  /// The id by which the client would repeat the request.
  let requestID: String?
  let raw: Request
  /// Keeps the answer to a request that makes something, in the commit that makes it.
  var keep: (@Sendable (ParseAnswer, Change) throws -> Void)?

  /// A part of the path below /parse.
  func part(_ index: Int) -> String { index < path.count ? path[index] : "" }
}

/// The credentials of a request.
struct ParseKeys: Sendable {
  var applicationID: String?
  var restKey: String?
  var masterKey: String?
  var session: String?
  var installation: String?
  var requestID: String?

  /// Those of the header.
  init(_ request: Request) {
    // An empty one counts as missing, as at Parse Server: who is not signed in may have an empty session.
    func value(_ name: StaticString) -> String? { request.head.fields[name].flatMap { $0.isEmpty ? nil : $0 } }
    applicationID = value("x-parse-application-id")
    restKey =
      value("x-parse-rest-api-key") ?? value("x-parse-javascript-key") ?? value("x-parse-client-key")
      ?? value("x-parse-windows-key")
    masterKey = value("x-parse-master-key")
    session = value("x-parse-session-token")
    installation = value("x-parse-installation-id")
    // Parse's SDK for Apple's systems sends one id with all requests of a run, each of which is another one.
    let client = (value("x-parse-client-version") ?? "").prefix { !$0.isNumber }
    requestID = Self.clientsOfOneID.contains(String(client)) ? nil : value("x-parse-request-id")
  }

  /// The beginnings of the versions, such as i6.1.1, by which that SDK names itself.
  private static let clientsOfOneID: Set = ["i", "osx", "apple-tv", "apple-watch"]

  /// Takes those of a body, where they are not in the header.
  mutating func take(_ members: [JSON.Member]) {
    func value(_ name: String) -> String? {
      members.first { $0.name == name }?.value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    applicationID = applicationID ?? value("_ApplicationId")
    restKey = restKey ?? value("_JavaScriptKey") ?? value("_RESTAPIKey") ?? value("_ClientKey")
    masterKey = masterKey ?? value("_MasterKey")
    session = session ?? value("_SessionToken")
    installation = installation ?? value("_InstallationId")
    requestID = requestID ?? value("_RequestId")
  }

  /// The members of a body that are the envelope and no part of the letter.
  static let envelope: Set = [
    "_method", "_ApplicationId", "_JavaScriptKey", "_RESTAPIKey", "_ClientKey", "_MasterKey", "_SessionToken",
    "_InstallationId", "_ClientVersion", "_RevocableSession", "_ContentType", "_RequestId", "_context", "_noBody",
  ]
}

extension JSON {
  /// A request's body as an object. PHP has one kind of lists and objects; its library writes an empty one as a list.
  var parseBody: JSON { self == .array([]) ? [:] : self }
}

extension ParseKeys {
  /// The app that is meant, if the keys are right.
  /// - Returns: also whether the master key was among them.
  /// - Throws: 403 for unknown or wrong ones.
  func app(of register: AppRegister, from peer: String, now: Double) async throws(HTTPError) -> (App, isMaster: Bool) {
    guard let applicationID, let app = await register.find(applicationID: applicationID), app.options.isEnabled else {
      throw .unauthorized
    }
    if let masterKey {
      let digest = Digest.sha256(masterKey.utf8)
      let isRight = app.secrets.contains { secret in
        secret.until.map { $0 > now } ?? true && Digest.areEqual(secret.masterDigest, digest)
      }
      guard isRight, app.options.takesMaster(from: peer) else { throw .unauthorized }
      return (app, true)
    }
    guard let restKey, Digest.areEqual(Array(restKey.utf8), Array(app.restKey.utf8)) else { throw .unauthorized }
    return (app, false)
  }
}

extension AppOptions {
  /// True for a caller on this machine, or in one of the networks that the owner listed.
  func takesMaster(from peer: String) -> Bool {
    guard let address = IPAddress(peer) else { return false }
    return address.isLoopback
      || masterNetworks.contains { text in (try? AddressRange(text))?.contains(address) == true }
  }
}
