import CivilTime
import Crypto
import Wire

/// The signature of requests to an object store: AWS Signature Version 4 ("Authenticating Requests", Amazon S3 API
/// Reference).
package struct RequestSignature: Sendable {
  private let credentials: Credentials
  private let region: String

  package init(credentials: Credentials, region: String) {
    (self.credentials, self.region) = (credentials, region)
  }

  package typealias Pair = (name: String, value: String)
  /// The digest's stand-in for a body whose digest the request does not tell.
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  private static let algorithm = "AWS4-HMAC-SHA256"

  /// The fields that a request needs beside its own.
  /// - Parameters:
  ///   - path: encoded, from the first slash.
  ///   - fields: further fields to be signed.
  ///   - payload: the SHA-256 of the body in hexadecimal digits.
  ///   - now: seconds since 1970.
  package func fields(
    _ method: String, host: String, path: String, query: [Pair] = [], fields: [Pair] = [], payload: String, now: Double
  ) -> [Pair] {
    let time = Self.time(now)
    var own: [Pair] = [("x-amz-content-sha256", payload), ("x-amz-date", time)]
    if let token = credentials.token { own.append(("x-amz-security-token", token)) }
    let signed = (fields + own + [("host", host)]).map { (name: $0.name.lowercased(), value: $0.value) }
      .sorted { $0.name < $1.name }
    let signature = signature(method, path, Self.text(query), signed, payload, time)
    let names = signed.map(\.name).joined(separator: ";")
    return own + [
      (
        "Authorization",
        "\(Self.algorithm) Credential=\(credentials.key)/\(scope(time)), SignedHeaders=\(names), Signature=\(signature)"
      )
    ]
  }

  /// The query of an address that anybody may fetch for so many seconds, at most a week.
  package func query(
    host: String, path: String, query: [Pair] = [], seconds: Int, now: Double
  ) -> String {
    let time = Self.time(now)
    var all = query
    all += [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.key)/\(scope(time))"),
      ("X-Amz-Date", time), ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", "host"),
    ]
    if let token = credentials.token { all.append(("X-Amz-Security-Token", token)) }
    let text = Self.text(all)
    let signature = signature("GET", path, text, [("host", host)], Self.unsignedPayload, time)
    return "\(text)&X-Amz-Signature=\(signature)"
  }

  private func signature(
    _ method: String, _ path: String, _ query: String, _ signed: [Pair], _ payload: String, _ time: String
  ) -> String {
    let fields = signed.map { "\($0.name):\($0.value)\n" }.joined()
    let names = signed.map(\.name).joined(separator: ";")
    let request = [method, path, query, fields, names, payload].joined(separator: "\n")
    let text = [Self.algorithm, time, scope(time), Digest.hex(Digest.sha256(request.utf8))].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secret)".utf8)
    for part in [String(time.prefix(8)), region, "s3", "aws4_request"] { key = Digest.hmacSHA256(part.utf8, key: key) }
    return Digest.hex(Digest.hmacSHA256(text.utf8, key: key))
  }

  private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/s3/aws4_request" }

  /// Such as 20130524T000000Z.
  private static func time(_ now: Double) -> String {
    timestamp(EpochSeconds(now), in: .utc).filter { $0 != "-" && $0 != ":" }
  }

  /// The query as it is signed and sent: sorted, with "=" after each name.
  static func text(_ query: [Pair]) -> String {
    query.map { (percentEncoded($0.name), percentEncoded($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }
      .joined(separator: "&")
  }
}
