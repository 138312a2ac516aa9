import Crypto
import Server
import Wire

/// The browser's answer to a ceremony, as JSON of WebAuthn level 3, section 5.1 (`RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`). Other members are ignored.
struct CeremonyAnswer {
  let credential: [UInt8]
  let clientData: [UInt8]
  let authenticatorData: [UInt8]
  let signature: [UInt8]
  let userHandle: [UInt8]?
  let transports: [String]
  let name: String?

  init(_ request: Request, isSignIn: Bool) throws(HTTPError) {
    let json = try request.json()
    let response = json["response"] ?? .null
    credential = try Self.bytes(json["id"], "id", PasskeyLimits.credentialIDBytes)
    guard json["type"] == nil || json["type"] == "public-key" else {
      throw Self.invalid("type: \"public-key\" is accepted.")
    }
    clientData = try Self.bytes(response["clientDataJSON"], "response.clientDataJSON", PasskeyLimits.clientDataBytes)
    authenticatorData = try Self.bytes(
      response["authenticatorData"], "response.authenticatorData", PasskeyLimits.authenticatorDataBytes)
    signature =
      isSignIn ? try Self.bytes(response["signature"], "response.signature", PasskeyLimits.signatureBytes) : []
    let handle = response["userHandle"] ?? .null
    userHandle = handle == .null ? nil : try Self.bytes(handle, "response.userHandle", PasskeyLimits.handleBytes)
    transports = Self.known(response["transports"])
    name = isSignIn ? nil : try Self.name(json["name"])
  }

  private static func bytes(_ value: JSON?, _ field: String, _ longest: Int) throws(HTTPError) -> [UInt8] {
    guard let text = value?.string, text.utf8.count <= longest * 4 / 3 + 4, let bytes = Digest.bytes(base64URL: text),
      (1...longest).contains(bytes.count)
    else { throw invalid("\(field): 1 to \(longest) bytes in Base64 for addresses, without padding, are accepted.") }
    return bytes
  }

  private static func invalid(_ message: String) -> HTTPError {
    HTTPError(
      .invalidField, message, help: "Send what the browser's PublicKeyCredential has, as WebAuthn's toJSON() does.")
  }

  /// Unknown transports are ignored, not refused: they only tell a browser where to look first.
  private static func known(_ value: JSON?) -> [String] {
    let all = (value?.array ?? []).compactMap(\.string)
    return Array(
      all.filter { $0.utf8.allSatisfy(isOfTransport) && (1...PasskeyLimits.transportLength).contains($0.utf8.count) }
        .prefix(PasskeyLimits.transports))
  }

  private static func isOfTransport(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
  }

  private static func name(_ value: JSON?) throws(HTTPError) -> String? {
    guard let value, value != .null else { return nil }
    guard let text = value.string, let name = FieldCheck.line(text) else {
      throw invalid("name: 1 to \(RequestLimits.name) characters, none of them a control character, are accepted.")
    }
    return name
  }
}
