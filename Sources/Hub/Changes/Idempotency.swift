import Crypto
public import Server
import Store
import Wire

extension Hub {
  /// `commit` for a POST that creates something or rings. If the request has an `Idempotency-Key`, a repeated one of
  /// the same caller gets the first one's answer and changes nothing, so that a client may repeat a request without an
  /// answer.
  /// - Parameters:
  ///   - key: the same key spelt as a field of the body; `content` is the body without that field.
  ///   - body: makes the answer, with a body in memory, inside the transaction that stores it.
  /// - Throws: as `commit`, and 400 for an invalid key, 409 for a key that was used for another request.
  public func commit(
    once request: Request, key: String? = nil, content: [UInt8]? = nil, as principal: Principal,
    _ body: @escaping @Sendable (Change) throws -> Response
  ) async throws(HTTPError) -> Response {
    guard let key = try IdempotencyKey(request, key, content, principal) else {
      return try await commit(as: principal, body)
    }
    return try await commit(as: principal) { change in
      if let kept = try change.database.answer(to: key) {
        guard kept.request == key.request else { throw HTTPError.keyUsedOtherwise }
        guard let bytes = key.open(kept.sealed) else { throw HTTPError.keyUsedOtherwise }
        return Response(
          status: kept.status, contentType: "application/json", body: .bytes(bytes),
          fields: [.init("Idempotency-Replayed", "true")]
        ).notStored()
      }
      let response = try body(change)
      guard case .bytes(let bytes) = response.body else { preconditionFailure("only bytes are kept as an answer") }
      try change.database.keep(status: response.status, key.seal(bytes), for: key, now: change.now)
      return response
    }
  }
}

/// A request's key with its caller. Answers may contain secrets of which the hub keeps digests only, such as a token,
/// so they are encrypted with the key, of which the hub keeps a digest only.
struct IdempotencyKey {
  /// The caller, such as "person 7".
  let caller: String
  let digest: [UInt8]
  /// The digest of method, address and body.
  let request: [UInt8]
  private let secret: [UInt8]

  /// - Returns: nil for a request without a key.
  /// - Throws: 400 also if header and field say different keys.
  init?(
    _ request: Request, _ field: String?, _ content: [UInt8]?, _ principal: Principal
  ) throws(HTTPError) {
    let header = request.head.fields["idempotency-key"]
    guard let text = header ?? field else { return nil }
    if let header, let field, header != field {
      throw HTTPError(
        .invalidField, "idempotency_key: not the same as the header Idempotency-Key; one of both is accepted.",
        help: "Send the key once.")
    }
    guard (1...IdentityLimits.idempotencyKey).contains(text.utf8.count),
      text.utf8.allSatisfy({ (33...126).contains($0) })
    else {
      throw HTTPError(
        .malformedRequest,
        "Idempotency-Key: \(text.utf8.count) bytes; 1 to \(IdentityLimits.idempotencyKey) visible "
          + "characters of ASCII are accepted.", help: "Send another random one, such as a UUID, with each request.")
    }
    caller = principal.caller
    digest = Digest.sha256(text.utf8)
    self.request = Digest.sha256(
      Array("\(request.head.method.name) \(request.head.path)\n".utf8) + (content ?? request.body))
    secret = HKDF.sha256(Array(text.utf8), salt: Array(caller.utf8), info: "eightbells answer".utf8, count: 32)
  }

  func seal(_ bytes: [UInt8]) -> [UInt8] {
    let nonce = Digest.random(AESGCM.nonceBytes)
    return nonce + AESGCM.seal(bytes, key: secret, nonce: nonce)
  }

  func open(_ sealed: [UInt8]) -> [UInt8]? {
    AESGCM.open(
      Array(sealed.dropFirst(AESGCM.nonceBytes)), key: secret, nonce: Array(sealed.prefix(AESGCM.nonceBytes)))
  }
}

extension HTTPError {
  fileprivate static let keyUsedOtherwise = HTTPError(
    .keyUsedOtherwise, "The Idempotency-Key was used for another request.",
    help: "Send another random one with each new request. A key is remembered for \(IdentityLimits.answerDays) days.")
}
