import Crypto
import Lifecycle
import Server
import Store

/// Passkeys (WebAuthn), with which people sign in without anybody's help. All state is in the store.
struct Passkeys: Sendable {
  /// The reason of a refusal.
  enum Refusal: Error {
    case ceremony(PasskeyError)
    /// There is no passkey with that id at this address.
    case unknown
    /// The passkey is registered already.
    case there
    case tooMany
  }

  let hub: Hub
  private var store: Store { hub.store }
  private var time: any TimeSource { hub.time }

  // MARK: Ceremonies

  /// The data for a registration: a challenge, the user handle, and the person's existing passkeys.
  func registration(
    of person: Int, at party: Party
  ) async throws(HTTPError) -> (challenge: Challenge, handle: [UInt8], known: [Passkey]) {
    let now = time.now
    let secret = try await secret()
    let (handle, known) = try await hub.stored { () throws(StoreError) in
      try await store.write { database throws(StoreError) in
        try database.keep(passkeyHandle: Digest.random(PasskeyLimits.handleBytes), of: person)
        let known = try database.passkeys(of: person).filter { $0.party == party.id }
        return (try database.passkeyHandle(of: person) ?? [], known)
      }
    }
    return (Challenge(for: .registration(person: person), party: party.id, secret: secret, now: now), handle, known)
  }

  /// Stores the passkey made by a registration.
  /// - Parameter request: the key of the request; a repeated one gets the passkey that was stored.
  func register(
    _ answer: CeremonyAnswer, of principal: Principal, person: Int, at party: Party, name: String,
    once request: IdempotencyKey?
  ) async throws(HTTPError) -> Result<Passkey, Refusal> {
    let now = time.now
    let secret = try await secret()
    let challenge: Challenge
    var passkey: Passkey
    do throws(PasskeyError) {
      let client = try ClientData(answer.clientData, for: .registration, at: party.origins)
      challenge = try Challenge(
        client.challenge, for: .registration(person: person), party: party.id, secret: secret, now: now)
      let data = try AuthenticatorData(answer.authenticatorData, for: party.id)
      let new = try NewCredential(data)
      guard new.id == answer.credential else { throw PasskeyError(.malformed, "The passkey has two ids.") }
      passkey = Passkey(
        id: 0, person: person, credential: new.id, key: new.key, counter: data.counter, party: party.id, name: name,
        transports: answer.transports, isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp,
        createdAt: now, lastUsed: nil, madeOn: principal.device)
    } catch {
      return .failure(.ceremony(error))
    }
    let kept = passkey
    return try await hub.commit(as: principal) { change -> Result<Passkey, Refusal> in
      let database = change.database
      if let kept = try change.answer(to: request).flatMap({ Int(String(decoding: $0.bytes, as: UTF8.self)) }),
        let passkey = try database.passkey(kept, of: person)
      {
        return .success(passkey)
      }
      // Returned and not thrown, since a challenge is used up in any case.
      guard try database.useUp(challenge, now: now) else { return .failure(.ceremony(.usedChallenge)) }
      guard try database.passkey(credential: kept.credential) == nil else { return .failure(.there) }
      guard try database.passkeys(of: person).count < PasskeyLimits.perPerson else { return .failure(.tooMany) }
      var passkey = kept
      passkey.id = try database.add(kept)
      try change.keep(Array("\(passkey.id)".utf8), for: request)
      try change.audit("passkey.added", about: kept.name)
      change.tell(person: person)
      return .success(passkey)
    }
  }

  /// A challenge for signing in.
  func signIn(at party: Party) async throws(HTTPError) -> Challenge {
    Challenge(for: .signIn, party: party.id, secret: try await secret(), now: time.now)
  }

  /// Signs a device in by a passkey.
  /// - Parameters:
  ///   - device: its name.
  ///   - old: the secret of the session that this one replaces, if there is one.
  ///   - request: the key of the request; a repeated one signs the same device in again.
  func signIn(
    _ answer: CeremonyAnswer, at party: Party, device: String, replacing old: String?, once request: IdempotencyKey?
  ) async throws(HTTPError) -> Result<Links.SignIn, Refusal> {
    // First, since the passkey's counter has gone on, and the challenge is used up.
    if request != nil,
      let signIn = try await hub.commit(as: .room(Hub.roomID), { change in try change.signIn(repeating: request) })
    {
      return .success(signIn)
    }
    let now = time.now
    let secret = try await secret()
    let found = try await hub.read { database throws(StoreError) -> (Passkey, [UInt8]?)? in
      guard let passkey = try database.passkey(credential: answer.credential), passkey.party == party.id else {
        return nil
      }
      return (passkey, try database.passkeyHandle(of: passkey.person))
    }
    guard let (passkey, kept) = found, let handle = kept, answer.userHandle == handle else { return .failure(.unknown) }
    let challenge: Challenge
    let used: Passkey
    do throws(PasskeyError) {
      let client = try ClientData(answer.clientData, for: .signIn, at: party.origins)
      challenge = try Challenge(client.challenge, for: .signIn, party: party.id, secret: secret, now: now)
      let data = try AuthenticatorData(answer.authenticatorData, for: party.id)
      used = try passkey.used(data, signature: answer.signature, clientDigest: client.digest, now: now)
    } catch {
      return .failure(.ceremony(error))
    }
    let session = Digest.base64URL(Digest.random(IdentityLimits.secretBytes))
    return try await hub.commit(as: .room(Hub.roomID)) { change -> Result<Links.SignIn, Refusal> in
      let database = change.database
      if let signIn = try change.signIn(repeating: request) { return .success(signIn) }
      guard try database.useUp(challenge, now: now) else { return .failure(.ceremony(.usedChallenge)) }
      // The passkey may have been removed or used since it was read.
      guard try database.passkey(credential: passkey.credential) == passkey,
        let person = try database.person(passkey.person)
      else { return .failure(.unknown) }
      try database.note(use: used)
      let (principal, replaced) = try change.signIn(
        person, device: device, session: session, replacing: old, letInBy: passkey.madeOn)
      try change.audit("passkey.used", about: passkey.name, by: principal)
      let signIn = Links.SignIn(secret: session, principal: principal, device: device, replaced: replaced)
      try change.keep(Array(session.utf8), for: request)
      change.tell(of: signIn)
      return .success(signIn)
    }
  }

  /// The secret key of challenges; made when first needed.
  private func secret() async throws(HTTPError) -> [UInt8] {
    try await hub.stored { () throws(StoreError) in
      let kept = try await store.read { database throws(StoreError) in try database.passkeySecret() }
      if let kept { return kept }
      return try await store.write { database throws(StoreError) in
        let new = Digest.random(Challenge.secretBytes)
        try database.keep(passkeySecret: new)
        return try database.passkeySecret() ?? new
      }
    }
  }
}
