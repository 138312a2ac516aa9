import Crypto
import EventLoop
import Lifecycle
public import Server
import Store
import Synchronization
import Wire

extension Hub {
  /// `commit` for a POST that creates something or rings. If the request has an `Idempotency-Key`, a repeated one of
  /// the same caller gets the first one's answer and changes nothing, so that a client may repeat a request without an
  /// answer.
  /// - Parameters:
  ///   - key: the same key spelt as a field of the body; `content` is the body without that field.
  ///   - part: tells several callers apart who call as one principal; empty for one.
  ///   - body: makes the answer, with a body in memory, inside the transaction that stores it.
  /// - Throws: as `commit`, and 400 for an invalid key, 409 for a key that was used for another request.
  public func commit(
    once request: Request, key: String? = nil, content: [UInt8]? = nil, part: String = "", as principal: Principal,
    _ body: @escaping @Sendable (Change) throws -> Response
  ) async throws(HTTPError) -> Response {
    let key = try IdempotencyKey(request, key, content, part: part, of: principal.caller)
    return try await commit(as: principal) { change in
      if let (status, bytes) = try change.answer(to: key) { return .replayed(status, bytes) }
      let response = try body(change)
      try change.keep(response, for: key)
      return response
    }
  }

  /// The answer to an earlier request with this key, for a route that has others do something before it commits: it
  /// looks here first, so that a repeated request asks or mails nobody again.
  /// - Returns: nil for a new request, and for one without a key; it is then committed by `commit(once:as:)`,
  ///   or its answer is kept by `Change.keep(_:to:as:)`.
  /// - Throws: as `commit(once:as:)`.
  public func answer(repeating request: Request, as principal: Principal) async throws(HTTPError) -> Response? {
    guard let key = try IdempotencyKey(request, of: principal.caller) else { return nil }
    let now = time.now
    let kept = try await read { database throws(StoreError) in try database.answer(to: key, now: now) }
    return try kept.map { kept throws(HTTPError) in .replayed(kept.status, try key.open(kept)) }
  }

  /// The answer to a request, made by others who may take longer than the client waits for them, such as a mail server.
  /// One that comes again while they are still at it waits for their end, and is answered as the first one.
  /// - Parameter body: asks or mails, and commits by `commit(once:as:)`.
  /// - Throws: as `commit(once:as:)`, and what `body` throws; 503 if the first one is not done in time.
  public func answer(
    once request: Request, as principal: Principal, _ body: () async throws(HTTPError) -> Response
  ) async throws(HTTPError) -> Response {
    guard let key = try IdempotencyKey(request, of: principal.caller) else { return try await body() }
    let (name, until) = (Array(key.caller.utf8) + key.digest, time.uptime + ServerLimits.handlerSeconds)
    while !underWay.withLock({ $0.insert(name).inserted }) {
      guard time.uptime < until else { throw HTTPError.stillUnderWay }
      do { try await loop.pause(for: IdentityLimits.repeatedLookSeconds) } catch { throw HTTPError.stillUnderWay }
    }
    defer { underWay.withLock { _ = $0.remove(name) } }
    if let told = try await answer(repeating: request, as: principal) { return told }
    return try await body()
  }

  /// Has others do one of several things that a request wants, such as one of its mails. A repeated request of which a
  /// part failed does only what is left.
  /// - Parameters:
  ///   - part: which of them, such as a mail address; any text, and not empty.
  ///   - body: does it; without a key it runs for every request.
  /// - Throws: as `commit(once:as:)`, and what `body` throws: the part is then not done.
  public func once(
    _ request: Request, part: String, as principal: Principal, _ body: () async throws(HTTPError) -> Void
  ) async throws(HTTPError) {
    guard let key = try IdempotencyKey(request, part: part, of: principal.caller) else { return try await body() }
    let now = time.now
    let kept = try await read { database throws(StoreError) in try database.answer(to: key, now: now) }
    if let kept {
      _ = try key.open(kept)
      return
    }
    try await body()
    try await commit(as: principal) { change in
      if try change.answer(to: key) == nil { try change.keep([], for: key) }
    }
  }

  /// The same where the answer is read after the change, because it is long or made from what is in memory: a repeated
  /// request changes nothing, and is answered with what there is now.
  /// - Returns: nil for a repeated request, for which `body` did not run.
  public func commit<T: Sendable>(
    ifNew request: Request, as principal: Principal, _ body: @escaping @Sendable (Change) throws -> T
  ) async throws(HTTPError) -> T? {
    let key = try IdempotencyKey(request, of: principal.caller)
    return try await commit(as: principal) { change in
      if try change.answer(to: key) != nil { return nil }
      let value = try body(change)
      try change.keep([], for: key)
      return value
    }
  }
}

extension Response.Field {
  /// Says that the request was carried out before, and nothing was changed now.
  public static let replayed = Response.Field("Idempotency-Replayed", "true")
}

extension Response {
  /// A kept answer.
  fileprivate static func replayed(_ status: Int, _ bytes: [UInt8]) -> Response {
    guard !bytes.isEmpty else { return .nothing([.replayed]) }
    return Response(status: status, contentType: "application/json", body: .bytes(bytes), fields: [.replayed])
      .notStored()
  }
}

extension Change {
  /// The answer kept for an earlier request with this key; nil if there was none, or without a key.
  /// - Throws: 409 if the earlier request was another one.
  func answer(to key: IdempotencyKey?) throws -> (status: Int, bytes: [UInt8])? {
    guard let key, let kept = try database.answer(to: key, now: now) else { return nil }
    return (kept.status, try key.open(kept))
  }

  /// Keeps the answer to a request that has a key, with a body in memory, in a commit that is not made by
  /// `commit(once:as:)`. The request was looked for by `Hub.answer(repeating:as:)`.
  public func keep(_ response: Response, to request: Request, as principal: Principal) throws {
    try keep(response, for: IdempotencyKey(request, of: principal.caller))
  }

  fileprivate func keep(_ response: Response, for key: IdempotencyKey?) throws {
    guard case .bytes(let bytes) = response.body else { preconditionFailure("only bytes are kept as an answer") }
    try keep(bytes, status: response.status, for: key)
  }

  func keep(_ bytes: [UInt8], status: Int = 200, for key: IdempotencyKey?) throws(StoreError) {
    if let key { try database.keep(status: status, key.seal(bytes), for: key, now: now) }
  }

  /// The sign-in by an earlier request with this key, if the device is still signed in by it: a client whose answer was
  /// lost is signed in as the same device. Of the answer the session's secret is kept, sealed with the key.
  func signIn(repeating key: IdempotencyKey?) throws -> Links.SignIn? {
    guard let bytes = try answer(to: key)?.bytes,
      let (principal, device) = try database.session(digest: Digest.sha256(bytes))
    else { return nil }
    return Links.SignIn(
      secret: String(decoding: bytes, as: UTF8.self), principal: principal, device: device.name, replaced: nil,
      isRepeated: true)
  }
}

/// A request's key with its caller. Answers may contain secrets of which the hub keeps digests only, such as a token,
/// so they are encrypted with the key, of which the hub keeps a digest only.
package struct IdempotencyKey: Sendable {
  /// The caller, such as "person 7".
  let caller: String
  let digest: [UInt8]
  /// The digest of method, address and body.
  let request: [UInt8]
  private let secret: [UInt8]

  /// - Parameters:
  ///   - field: the key spelt as a field of the body; `content` is the body without that field.
  ///   - part: one of the things that the request wants, empty for all of them; or one of the callers who call as one.
  ///   - caller: such as "person 7"; before somebody is signed in, what they sign in by.
  ///   - shortest: the fewest characters of a key.
  /// - Returns: nil for a request without a key, and for one that is no POST, which may be repeated without.
  /// - Throws: 400 also if header and field say different keys.
  init?(
    _ request: Request, _ field: String? = nil, _ content: [UInt8]? = nil, part: String = "", of caller: String,
    shortest: Int = 1
  ) throws(HTTPError) {
    let header = request.head.fields["idempotency-key"]
    guard request.head.method == .post, let text = header ?? field else { return nil }
    if let header, let field, header != field {
      throw HTTPError(
        .invalidField, "idempotency_key: not the same as the header Idempotency-Key; one of both is accepted.",
        help: "Send the key once.")
    }
    guard (shortest...IdentityLimits.idempotencyKey).contains(text.utf8.count),
      text.utf8.allSatisfy({ (33...126).contains($0) })
    else {
      throw HTTPError(
        .malformedRequest,
        "Idempotency-Key: \(text.utf8.count) bytes; \(shortest) to \(IdentityLimits.idempotencyKey) visible "
          + "characters of ASCII are accepted.", help: "Send another random one, such as a UUID, with each request.")
    }
    self.caller = caller
    // No key has a line break.
    digest = Digest.sha256((part.isEmpty ? text : "\(text)\n\(part)").utf8)
    self.request = Digest.sha256(
      Array("\(request.head.method.name) \(request.head.path)\n".utf8) + (content ?? request.body))
    secret = HKDF.sha256(Array(text.utf8), salt: Array(caller.utf8), info: "eightbells answer".utf8, count: 32)
  }

  /// The key of a request that signs a device in, whose caller is nobody yet: they are known by what they sign in by.
  /// - Parameter credential: the link's secret, the code, or the passkey's id.
  init?(_ request: Request, signingInBy credential: [UInt8]) throws(HTTPError) {
    try self.init(
      request, of: "sign-in \(Digest.base64URL(Digest.sha256(credential)))", shortest: IdentityLimits.signInKey)
  }

  func seal(_ bytes: [UInt8]) -> [UInt8] {
    let nonce = Digest.random(AESGCM.nonceBytes)
    return nonce + AESGCM.seal(bytes, key: secret, nonce: nonce)
  }

  /// - Throws: 409 if what is kept answers another request.
  func open(_ kept: AnswerTable.Kept) throws(HTTPError) -> [UInt8] {
    let (nonce, box) = (kept.sealed.prefix(AESGCM.nonceBytes), kept.sealed.dropFirst(AESGCM.nonceBytes))
    guard kept.request == request, let bytes = AESGCM.open(Array(box), key: secret, nonce: Array(nonce)) else {
      throw HTTPError.keyUsedOtherwise
    }
    return bytes
  }
}

extension HTTPError {
  fileprivate static let keyUsedOtherwise = HTTPError(
    .keyUsedOtherwise, "The Idempotency-Key was used for another request.",
    help: "Send another random one with each new request. A key is remembered for \(IdentityLimits.answerDays) days.")
  fileprivate static let stillUnderWay = HTTPError(
    .tooBusy, "The same request is still under way.", help: "Send it again in a moment; nothing is done twice.")
}
