import Crypto
import Observe
import Realtime
import Server
import Store
import Wire

/// The routes of passkeys. Browsers get and send WebAuthn's own JSON.
struct PasskeyRoutes: Sendable {
  let hub: Hub
  private let passkeys: Passkeys

  init(hub: Hub) {
    self.hub = hub
    passkeys = Passkeys(hub: hub)
  }

  func add(to router: inout Router) {
    let limit = PasskeyLimits.bodyBytes
    router.on(.post, "/api/v1/passkeys/options", admit: hub.needsPerson(), .task(registrationOptions))
    router.on(.post, "/api/v1/passkeys", bodyLimit: limit, admit: hub.needsPerson(), .task(register))
    router.on(.post, "/api/v1/passkeys/session/options", .task(signInOptions))
    router.on(.post, "/api/v1/passkeys/session", bodyLimit: limit, .task(signIn))
    router.on(.get, "/api/v1/passkeys", .task(list))
    router.on(.patch, "/api/v1/passkeys/{id}", admit: hub.needsPerson(), .task(rename))
    router.on(.delete, "/api/v1/passkeys/{id}", admit: hub.needsPerson(), .task(remove))
  }

  // MARK: Registration

  private func registrationOptions(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let party = try Party(request)
    let (challenge, handle, known) = try await passkeys.registration(of: person, at: party)
    let algorithms = PublicKey.Algorithm.allCases.map { algorithm -> JSON in
      ["type": "public-key", "alg": .int(algorithm.rawValue)]
    }
    return Response(json: [
      "rp": ["id": .string(party.id), "name": .string(party.id)],
      "user": [
        "id": .string(Digest.base64URL(handle)), "name": .string(principal.name),
        "displayName": .string(principal.name),
      ],
      "challenge": .string(challenge.text), "pubKeyCredParams": .array(algorithms),
      "timeout": .int(Int(PasskeyLimits.challengeSeconds * 1000)),
      "excludeCredentials": .array(known.map(\.descriptor)),
      "authenticatorSelection": [
        "residentKey": "required", "requireResidentKey": true, "userVerification": "preferred",
      ],
      "attestation": "none",
    ]).notStored()
  }

  private func register(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let party = try Party(request)
    let answer = try CeremonyAnswer(request, isSignIn: false)
    let name = answer.name ?? deviceName(userAgent: request.head.fields["user-agent"])
    let passkey = try accepted(
      try await passkeys.register(
        answer, of: principal, person: person, at: party, name: name,
        once: try IdempotencyKey(request, of: principal.caller)), request)
    hub.log.info("a passkey was made", ["person": principal.name, "from": request.peer])
    return Response(status: 201, json: passkey.json).notStored()
  }

  // MARK: Signing in

  private func signInOptions(_ request: Request) async throws(HTTPError) -> Response {
    let party = try Party(request)
    let challenge = try await passkeys.signIn(at: party)
    return Response(json: [
      "challenge": .string(challenge.text), "rpId": .string(party.id), "allowCredentials": [],
      "timeout": .int(Int(PasskeyLimits.challengeSeconds * 1000)), "userVerification": "preferred",
    ]).notStored()
  }

  private func signIn(_ request: Request) async throws(HTTPError) -> Response {
    // Another site could sign its visitors in as somebody else.
    guard request.sender != .foreign else { throw Hub.foreignSender(request) }
    let party = try Party(request)
    let answer = try CeremonyAnswer(request, isSignIn: true)
    let outcome = try await passkeys.signIn(
      answer, at: party, device: deviceName(userAgent: request.head.fields["user-agent"]),
      replacing: SessionCookie.secret(in: request),
      once: try IdempotencyKey(request, signingInBy: Array("passkey ".utf8) + answer.credential))
    if case .failure = outcome, let seconds = hub.secretFailures.begin(request.peer) {
      throw .tooManyFailures(seconds)
    }
    let signIn = try accepted(outcome, request)
    hub.log.info("a device was signed in by a passkey", ["person": signIn.principal.name, "from": request.peer])
    return SessionRoutes(hub: hub).answer(signIn, request)
  }

  private func accepted<Value>(
    _ outcome: Result<Value, Passkeys.Refusal>, _ request: Request
  ) throws(HTTPError) -> Value {
    switch outcome {
    case .success(let value): return value
    case .failure(.there):
      throw HTTPError(.passkeyThere, "The passkey is known here already.", help: "Sign in by it.")
    case .failure(.tooMany):
      throw HTTPError(
        .tooManyPasskeys, "You have \(PasskeyLimits.perPerson) passkeys, which is as many as one can have.",
        help: "Remove one that is not needed any more.")
    case .failure(.unknown):
      // The log shows attempts to guess, for programs that block their source.
      hub.log.warning("an unknown passkey was used", ["from": request.peer])
      throw HTTPError(
        .unknownPasskey, "The passkey is not known here.",
        help: "It may have been removed, or be for another address. A link or a code lets you in.")
    case .failure(.ceremony(let error)):
      hub.log.warning("a passkey was refused", ["why": "\(error.code)", "from": request.peer])
      let isSignature = [.signature, .counter].contains(error.code)
      throw HTTPError(
        isSignature ? .passkeyNotProven : .passkeyRefused, error.message,
        help: "Begin again: a new challenge is good for \(Int(PasskeyLimits.challengeSeconds / 60)) minutes, once.")
    }
  }

  // MARK: The list

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (_, person) = try await hub.person(request)
    let all = try await hub.read { database throws(StoreError) in try database.passkeys(of: person) }
    return Response(json: .array(all.map(\.json))).notStored()
  }

  private func rename(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.id ?? 0
    var body = try FieldCheck(request, known: ["name"])
    let name = body.line("name", isNeeded: true) ?? ""
    try body.finish(help: "Example: {\"name\": \"Ada's phone\"}")
    let renamed = try await hub.commit(as: principal) { change in
      guard var passkey = try change.database.passkey(id, of: person) else { throw Self.noSuchPasskey(id) }
      try change.database.rename(passkey: id, to: name)
      change.tell(person: person)
      passkey.name = name
      return passkey
    }
    return Response(json: renamed.json).notStored()
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.id ?? 0
    try await hub.commit(as: principal) { change in
      guard let passkey = try change.database.passkey(id, of: person) else { throw Self.noSuchPasskey(id) }
      try change.database.remove(passkey: id)
      try change.audit("passkey.removed", about: passkey.name)
      change.tell(person: person)
    }
    return .nothing()
  }

  private static func noSuchPasskey(_ id: Int) -> HTTPError {
    HTTPError(.noSuchPasskey, "You have no passkey \(id).", help: "GET /api/v1/passkeys lists those you have.")
  }
}

extension Passkey {
  /// The descriptor with which a browser finds the passkey.
  fileprivate var descriptor: JSON {
    [
      "type": "public-key", "id": .string(Digest.base64URL(credential)),
      "transports": .array(transports.map { .string($0) }),
    ]
  }
}
