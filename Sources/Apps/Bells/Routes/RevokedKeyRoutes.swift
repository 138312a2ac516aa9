import Crypto
import Hub
import Sealed
import Server
import Wire

/// Revokes keys of private messages: the hub takes nothing any more that is sealed with them.
struct RevokedKeyRoutes: Sendable {
  let hub: Hub

  static let path = "/api/v1/bells/revoked-keys"

  func add(to router: inout Router) {
    router.on(.post, Self.path, admit: hub.needs(.enter), .task(revoke))
  }

  private func revoke(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    var body = try FieldCheck(request, known: ["proof"])
    let proof =
      body.text("proof", longest: BellsLimits.secret, isNeeded: true)
      .flatMap { Digest.bytes(base64URL: $0) } ?? []
    if body.errors.isEmpty, proof.count != PrivateKey.byteCount {
      body.fail("proof", "\(proof.count) bytes; the \(PrivateKey.byteCount) that the key gives are accepted.")
    }
    try body.finish(help: "Docs/private-messages.md says how the proof is made of the key.")
    return try await hub.commit(as: principal) { change in
      Response(json: ["id": .string(try Self.revoke(proof: proof, in: change))])
    }
  }

  /// - Parameter proof: which only somebody who has the key can give, so nobody revokes another's.
  /// - Returns: the key's id.
  static func revoke(proof: [UInt8], in change: Change) throws -> String {
    let id = PrivateKey.id(ofProof: proof)
    guard try change.database.revoke(key: id, now: change.now) else {
      throw HTTPError(
        .keyRevoked, "\(BellsLimits.revokedKeys) keys were revoked; the hub remembers no more.",
        help: "Forget the key on all devices instead.")
    }
    try change.audit("bell.key-revoked", about: id)
    return id
  }
}
