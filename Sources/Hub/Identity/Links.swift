import Crypto
public import Lifecycle
package import Server
public import Store

/// One-time links and codes: how devices are signed in. They are used up by the button behind them, not by opening
/// them, since programs that show previews open links.
public struct Links: Sendable {
  /// A link that was just made: its secrets are shown this once.
  public struct Made: Sendable {
    public let id: Int
    /// What stands behind the # of its address, which browsers send to nobody.
    public let secret: String
    /// Eight letters to type, as "ABCD-EFGH".
    public let code: String
    /// Seconds since 1970.
    public let expiresAt: Double
    public let codeExpiresAt: Double
    /// Whom it is for, if that is somebody who is there already: with the role they have before it is used.
    public internal(set) var known: Known?

    /// Where it leads, on the hub at this address.
    public func url(on hub: String) -> String { "\(hub)/join#\(secret)" }
  }

  /// Somebody whom a link is for.
  public struct Known: Sendable {
    public let name: String
    public let role: Role
  }

  /// How somebody who wants to sign in shows a link.
  package enum Key: Sendable {
    case secret(String)
    case code(String)
  }

  /// What became of it.
  package enum Outcome<Value: Sendable>: Sendable {
    case found(Value)
    /// There is none, or none that still is good.
    case none
    /// It was used at this time.
    case used(Double)
    /// It was good up to this time.
    case ended(Double)
  }

  /// A device that was just signed in.
  package struct SignIn: Sendable {
    package let secret: String
    package let principal: Principal
    package let device: String
    /// Whose session ended for it, where that was somebody else's.
    package let replaced: Int?
  }

  /// Why a command's link could not be made.
  public enum Refusal: Error, Sendable {
    /// There are several owners of these names, and it was not said whom it is for.
    case severalOwners([String])
    /// There are several people of this name.
    case severalOfName
  }

  private let store: Store
  private let time: any TimeSource

  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// Minutes a link is good for.
  public static let minutes = Int(IdentityLimits.linkSeconds / 60)

  // MARK: Where the hub is

  /// Where the hub was last reached; nil before its first start.
  public func hubAddress() async throws(StoreError) -> String? {
    try await store.read { database throws(StoreError) in try database.hubAddress() }
  }

  public func note(hubAddress url: String) async throws(StoreError) {
    try await store.write { database throws(StoreError) in try database.save(hubAddress: url) }
  }

  /// Whether anybody, or any program, may everything.
  public func hasOwner() async throws(StoreError) -> Bool {
    try await store.read { database throws(StoreError) in
      if try !database.people(of: .owner).isEmpty { return true }
      return try database.countTokens(of: .owner) > 0
    }
  }

  // MARK: Making them

  /// The hub's first owner's, in place of the one before; nil when there is an owner.
  public func setup() async throws(StoreError) -> Made? {
    let now = time.now
    return try await store.write { database throws(StoreError) in
      guard try database.people(of: .owner).isEmpty else { return nil }
      try database.removeLinks(.setup)
      return try database.makeLink(.setup, person: nil, role: .owner, name: nil, madeBy: nil, now: now)
    }
  }

  /// For somebody whom a command beside the hub lets in: a person of that name, an owner who is the only one where none
  /// is named, or somebody new.
  public func recovery(role: Role, name: String?) async throws(StoreError) -> Result<Made, Refusal> {
    let now = time.now
    return try await store.write { database throws(StoreError) in
      let known: [Person]
      if let name {
        let named = try database.people(named: name)
        // Everybody chooses their own name: who has the role already is meant, not who took an owner's name.
        let ofRole = named.filter { $0.role == role }
        known = ofRole.isEmpty ? named : ofRole
      } else {
        known = role == .owner ? try database.people(of: .owner) : []
      }
      if known.count > 1 { return .failure(name == nil ? .severalOwners(known.map(\.name)) : .severalOfName) }
      // The first owner's is the same wherever it comes from.
      let isSetup = known.isEmpty && role == .owner && name == nil
      if isSetup { try database.removeLinks(.setup) }
      var made = try database.makeLink(
        isSetup ? .setup : known.isEmpty ? .invitation : .recovery, person: known.first?.id, role: role, name: name,
        madeBy: nil, now: now)
      made.known = known.first.map { Known(name: $0.name, role: $0.role) }
      try database.audit(.commandLine, "link.made", about: known.first?.name ?? name ?? role.rawValue, now: now)
      return .success(made)
    }
  }

  // MARK: Using them

  /// Finds a link without using it up.
  package func look(_ key: Key) async throws(StoreError) -> Outcome<Link> {
    let now = time.now
    let outcome = try await store.read { database throws(StoreError) in try database.openLink(key, now: now) }
    if case .none = outcome, case .code(let code) = key {
      try await store.write { database throws(StoreError) in try database.countFailure(wrong: code) }
    }
    return outcome
  }
}

extension Hub {
  /// Signs a device in by a link.
  /// - Parameters:
  ///   - name: how somebody new wants to be called, where the link does not say it.
  ///   - old: the secret of a session that this one takes the place of, if there is one.
  package func signIn(
    by key: Links.Key, device: String, name: String?, replacing old: String?
  ) async throws(HTTPError) -> Links.Outcome<Links.SignIn> {
    let secret = Digest.base64URL(Digest.random(IdentityLimits.secretBytes))
    return try await commit(as: .room(Self.roomID)) { change -> Links.Outcome<Links.SignIn> in
      let (database, now) = (change.database, change.now)
      let link: Link
      switch try database.openLink(key, now: now) {
      case .found(let found): link = found
      case .none:
        // An answer and no refusal: the failure is to be kept.
        if case .code(let code) = key { try database.countFailure(wrong: code) }
        return .none
      case .used(let at): return .used(at)
      case .ended(let at): return .ended(at)
      }
      let person = try database.personBehind(link, name: name, now: now)
      try database.use(link: link.id, by: person.id, now: now)
      // The set-up's link is for the first owner alone, and somebody else may have been that.
      if person.role == .owner { try database.removeLinks(.setup) }
      let (principal, replaced) = try database.signIn(
        person, device: device, session: secret, replacing: old, letInBy: link.madeOn, now: now)
      try change.audit("device.added", about: device, by: principal)
      let signIn = Links.SignIn(secret: secret, principal: principal, device: device, replaced: replaced)
      change.tell(of: signIn)
      return .found(signIn)
    }
  }
}

extension Database {
  func makeLink(
    _ kind: Link.Kind, person: Int?, role: Role, name: String?, madeBy: Principal?, now: Double,
    seconds: Double = IdentityLimits.linkSeconds
  ) throws(StoreError) -> Links.Made {
    try forgetLinks(of: madeBy?.person, but: IdentityLimits.rememberedLinks, now: now)
    let secrets = LinkSecrets()
    let id = try add(
      kind, person: person, role: role, name: name, secrets, madeBy: madeBy, now: now, expiresAt: now + seconds)
    return Links.Made(
      id: id, secret: secrets.secret, code: secrets.code, expiresAt: now + seconds,
      codeExpiresAt: now + IdentityLimits.codeSeconds)
  }

  fileprivate func countFailure(wrong code: String) throws(StoreError) {
    try countFailure(codeGroup: LinkSecrets.group(of: LinkSecrets.typed(code)))
  }

  fileprivate func openLink(_ key: Links.Key, now: Double) throws(StoreError) -> Links.Outcome<Link> {
    switch key {
    case .secret(let secret):
      guard let link = try link(digest: Digest.sha256(secret.utf8)) else { return .none }
      if let usedAt = link.usedAt { return .used(usedAt) }
      return now < link.expiresAt ? .found(link) : .ended(link.expiresAt)
    case .code(let code):
      let typed = LinkSecrets.typed(code)
      let link = try link(
        codeGroup: LinkSecrets.group(of: typed), codeDigest: Digest.sha256(typed.utf8), now: now)
      return link.map { .found($0) } ?? .none
    }
  }

  /// Who signs in by a link: the person it is for, or somebody new.
  fileprivate func personBehind(_ link: Link, name: String?, now: Double) throws(StoreError) -> Person {
    guard let id = link.person, var person = try person(id) else {
      let name = link.name ?? name ?? link.role.rawValue.prefix(1).uppercased() + link.role.rawValue.dropFirst()
      let id = try addPerson(name: name, role: link.role, now: now)
      let principal = Principal(person: id, name: name, role: link.role)
      try audit(principal, "person.joined", about: link.role.rawValue, now: now)
      return Person(id: id, name: name, role: link.role)
    }
    if link.kind == .recovery, person.role != link.role {
      try change(person: id, role: link.role)
      try audit(.commandLine, "role.changed", about: "\(person.name): \(link.role.rawValue)", now: now)
      person.role = link.role
    }
    return person
  }

  /// Whoever signs in pays for the tidying: it needs no timer.
  func forgetWhatEnded(now: Double) throws(StoreError) {
    try forgetLinks(endedBefore: now - IdentityLimits.rememberedDays * 86_400)
    try forgetDevices(lastSeenBefore: now - IdentityLimits.sessionSeconds)
  }
}
