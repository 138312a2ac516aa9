import APNs
import Crypto
import Testing
import Wire

/// A provider for tests, with its key, and requests as it sends them.
struct Sender {
  static let now = 1_795_289_805.0
  static let team = "TEAM123456"
  static let keyID = "KEY1234567"
  static let device = String(repeating: "a1", count: 32)
  static let app = "org.example.app"

  let key = P256PrivateKey()
  var topics = [app]

  var provider: Provider {
    Provider(
      id: 1, team: Self.team, credential: .key(id: Self.keyID, key.publicKey), topics: topics, createdAt: Self.now)
  }
  static let certified = Provider(
    id: 2, team: team, credential: .certificate(fingerprint: [1, 2, 3, 4, 5, 6], until: now + 100), topics: [app],
    createdAt: now)

  /// A token, which `change` may spoil before it is signed.
  func token(
    header: JSON = ["alg": "ES256", "kid": .string(keyID)],
    claims: JSON = ["iss": .string(team), "iat": .int(Int(now))], sign: (([UInt8]) -> [UInt8])? = nil
  ) -> String {
    let signed = "\(Digest.base64URL(header.bytes)).\(Digest.base64URL(claims.bytes))"
    let signature = (sign ?? key.sign)(Array(signed.utf8))
    return "bearer \(signed).\(Digest.base64URL(signature))"
  }

  /// The head of a push with these fields beside the topic.
  static func head(
    _ fields: [(String, String)] = [], topic: String? = app, path: String = "/3/device/\(device)",
    method: Wire.Method = .post
  ) throws -> PushHead {
    let named = topic.map { [("apns-topic", $0)] } ?? []
    return try PushHead(method: method, path: path, fields: (named + fields).map { (name: $0.0, value: $0.1) })
  }

  /// The whole push, with a payload of JSON.
  static func push(
    _ fields: [(String, String)] = [], topic: String? = app, _ payload: String = #"{"aps":{"alert":"Hi"}}"#,
    by provider: Provider = certified
  ) throws -> CheckedPush {
    try CheckedPush(try head(fields, topic: topic), of: provider, body: Array(payload.utf8), now: now)
  }
}

/// The reason for which a push is not taken; nil if it is.
func reason(_ work: () throws -> Void) -> RejectionReason? {
  do {
    try work()
    return nil
  } catch let rejection as Rejection {
    return rejection.reason
  } catch {
    Issue.record("another error: \(error)")
    return nil
  }
}
