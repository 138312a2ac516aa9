import Crypto
package import Server
import Wire

/// The text that a program signs when it asks the HTTP API: method, path and query, and in the query a digest of the
/// body. So a caller is known before anything of the body is read.
/// Source: Pusher's "HTTP API reference", authentication.
package struct PusherSignature {
  /// The query in its order, decoded.
  package let parameters: [(name: String, value: String)]
  private let signed: [String]

  /// - Parameter path: as it was sent, still percent-encoded.
  package init(method: String, path: some StringProtocol, query: some StringProtocol) {
    parameters = query.split(separator: "&").compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(pair[0], plusIsSpace: true),
        let value = percentDecoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else { return nil }
      return (name, value)
    }
    let query =
      parameters
      .map { (name: $0.name.lowercased(), value: $0.value) }
      .filter { $0.name != "auth_signature" }
      .enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map { "\($0.element.name)=\($0.element.value)" }
      .joined(separator: "&")
    // Libraries differ in whether they sign a path before or after escaping it.
    let plain = percentDecoded(path).flatMap { $0 == path ? nil : $0 }
    signed = [String(path), plain].compactMap { $0 }.map { "\(method)\n\($0)\n\(query)" }
  }

  /// The first value of that name.
  package subscript(_ name: String) -> String? { parameters.first { $0.name.lowercased() == name }?.value }

  /// Checks that the query was signed with one of the app's secrets, and not long ago.
  /// - Parameter now: seconds since 1970.
  package func check(key: String, secrets: [String], now: Double) throws(HTTPError) {
    guard let sent = self["auth_key"] else { throw Self.refusal("The query lacks auth_key.") }
    guard sent == key else { throw Self.refusal("The key in auth_key is not that of this app.") }
    guard self["auth_version"] == "1.0" else {
      throw Self.refusal("auth_version is \(self["auth_version"].map { "\"\($0.prefix(20))\"" } ?? "missing").")
    }
    guard let time = self["auth_timestamp"].flatMap(Int.init), let signature = self["auth_signature"] else {
      throw Self.refusal("The query lacks auth_timestamp in whole seconds, or auth_signature.")
    }
    let off = Int(now.rounded(.down)).subtractingReportingOverflow(time)
    guard !off.overflow, off.partialValue.magnitude <= RealtimeLimits.clockSeconds else {
      throw Self.refusal("auth_timestamp is \(time), and the time here is \(Int(now)).")
    }
    let given = Array(signature.utf8)
    let isRight = secrets.contains { secret in
      signed.contains { text in
        Digest.areEqual(Array(Digest.hex(Digest.hmacSHA256(text.utf8, key: Array(secret.utf8))).utf8), given)
      }
    }
    guard isRight else { throw Self.refusal("auth_signature does not fit the request.") }
  }

  /// Checks that this body was signed.
  package func check(body: [UInt8]) throws(HTTPError) {
    guard let digest = self["body_md5"] else {
      guard body.isEmpty else { throw Self.refusal("The query lacks body_md5, the digest of the body.") }
      return
    }
    guard digest.lowercased() == Digest.hex(Digest.md5(body)) else {
      throw Self.refusal("body_md5 is not the digest of the body that came.")
    }
  }

  static func refusal(_ words: String) -> HTTPError {
    HTTPError(
      .wrongSignature, words,
      help: "Sign \"METHOD\\npath\\nsorted query\" with the app's secret: auth_key, auth_version=1.0, auth_timestamp "
        + "within \(RealtimeLimits.clockSeconds) s, body_md5 and auth_signature, as Pusher's libraries do.",
      fields: [Response.Field("WWW-Authenticate", "Pusher")])
  }
}

extension PusherSignature {
  init(_ request: Request) {
    self.init(method: request.head.method.name, path: request.head.path, query: request.head.query ?? "")
  }
}
