import Crypto
import Wire

/// The browser's statement about a ceremony (WebAuthn level 3, section 5.8.1). The authenticator signs its digest, so
/// the original bytes are kept.
struct ClientData {
  enum Ceremony: String {
    case registration = "webauthn.create"
    case signIn = "webauthn.get"
  }

  let challenge: String
  let digest: [UInt8]

  /// - Parameter origins: the permitted origins of the page, such as "https://hub.example".
  init(_ bytes: [UInt8], for ceremony: Ceremony, at origins: Set<String>) throws(PasskeyError) {
    guard bytes.count <= PasskeyLimits.clientDataBytes, let json = try? JSON(parsing: bytes), json.members != nil else {
      throw PasskeyError(.malformed, "The client's data is no JSON object of a passable size.")
    }
    let type = json["type"]?.string ?? ""
    guard type == ceremony.rawValue else {
      throw PasskeyError(.type, "The ceremony was \"\(type)\", not \(ceremony.rawValue).")
    }
    let seen = json["origin"]?.string ?? ""
    guard origins.contains(seen) else {
      throw PasskeyError(
        .origin, "The page was at \"\(seen)\", not at \(origins.sorted().joined(separator: " or ")).")
    }
    // Another site must not lead anybody through a ceremony by showing our page in a frame.
    guard json["crossOrigin"] == nil || json["crossOrigin"] == .bool(false), json["topOrigin"] == nil else {
      throw PasskeyError(.crossOrigin, "The page stood in a page of somebody else.")
    }
    challenge = json["challenge"]?.string ?? ""
    digest = Digest.sha256(bytes)
  }
}
