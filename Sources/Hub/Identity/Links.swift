import Crypto
public import Lifecycle
package import Server
public import Store

/// One-time links and codes, by which devices are signed in. The button on their page uses them up, not opening them,
/// since programs that show previews open links.
public struct Links: Sendable {
  /// A new link, whose secrets are shown only once.
  public struct Made: Sendable {
    public let id: Int
    /// The part of its address after the #, which browsers do not send to servers.
    public let secret: String
    /// Eight letters to type, as "ABCD-EFGH".
    public let code: String
    /// Seconds since 1970.
    public let expiresAt: Double
    public let codeExpiresAt: Double
    /// The existing person it is for, if any, with the role before it is used.
    public internal(set) var known: Known?

    /// The link's address, on the hub at this address.
    public func url(on hub: String) -> String { "\(hub)/join#\(secret)" }
  }

  /// A person whom a link is for.
  public struct Known: Sendable {
    public let name: String
    public let role: Role
  }

  /// The key to a link, as presented for signing in.
  package enum Key: Sendable {
    case secret(String)
    case code(String)

    /// The same bytes for the same key, however a code was typed.
    var bytes: [UInt8] {
      switch self {
      case .secret(let secret): Array("link \(secret)".utf8)
      case .code(let code): Array("code \(LinkSecrets.typed(code))".utf8)
      }
    }
  }

  /// The result of using a link.
  package enum Outcome<Value: Sendable>: Sendable {
    case found(Value)
    /// No such link is valid.
    case none
    /// The link was used at this time.
    case used(Double)
    /// The link was valid until this time.
    case ended(Double)
  }

  /// A device that was just signed in.
  package struct SignIn: Sendable {
    package let secret: String
    package let principal: Principal
    package let device: String
    /// The person whose session was ended, if that was somebody else's.
    package let replaced: Int?
    /// True if an earlier request, of which this one is a repetition, had signed the device in.
    package var isRepeated = false
  }

  /// The reason why a command's link cannot be made.
  public enum Refusal: Error, Sendable {
    /// There are several owners with these names, and none was specified; namesakes are "person:ID".
    case severalOwners([String])
    /// There are several people with this name.
    case severalOfName
    /// The name is "person:ID", and nobody has this key.
    case nobody
    /// The person with this name is the last owner, and the link would make them something else.
    case lastOwner(String)
  }

  private let store: Store
  private let time: any TimeSource

  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// Minutes for which a link is valid.
  public static let minutes = Int(IdentityLimits.linkSeconds / 60)

  // MARK: The hub's address

  /// The hub's last known address; nil before its first start.
  public func hubAddress() async throws(StoreError) -> String? {
    try await store.read { database throws(StoreError) in try database.hubAddress() }
  }

  public func note(hubAddress url: String) async throws(StoreError) {
    try await store.write { database throws(StoreError) in try database.save(hubAddress: url) }
  }

  /// True if a person or token has the role of owner.
  public func hasOwner() async throws(StoreError) -> Bool {
    try await store.read { database throws(StoreError) in
      if try !database.people(of: .owner).isEmpty { return true }
      return try database.countTokens(of: .owner) > 0
    }
  }

  // MARK: Making links

  /// Makes the link for the hub's first owner, replacing an earlier one; nil when there is an owner.
  public func setup() async throws(StoreError) -> Made? {
    let now = time.now
    return try await store.write { database throws(StoreError) in
      guard try database.people(of: .owner).isEmpty else { return nil }
      try database.removeLinks(.setup)
      return try database.makeLink(.setup, person: nil, role: .owner, name: nil, madeBy: nil, now: now)
    }
  }

  /// Makes a link by a command beside the hub: for the person with this name, or "person:ID", for the only owner if no
  /// name is given, or for somebody new.
  public func recovery(role: Role, name: String?) async throws(StoreError) -> Result<Made, Refusal> {
    let now = time.now
    return try await store.write { database throws(StoreError) in
      let known: [Person]
      if let name {
        let named = try database.personIDs(named: name).map { id throws(StoreError) in try database.person(id) }
          .compactMap { $0 }
        if named.isEmpty, name.hasPrefix("person:"), Int(name.dropFirst(7)) != nil { return .failure(.nobody) }
        // People choose their own names: somebody who has the role already takes precedence over one who took an
        // owner's name.
        let ofRole = named.filter { $0.role == role }
        known = ofRole.isEmpty ? named : ofRole
      } else {
        known = role == .owner ? try database.people(of: .owner) : []
      }
      if known.count > 1 { return .failure(name == nil ? .severalOwners(Self.told(known)) : .severalOfName) }
      if role != .owner, let only = known.first, try database.isLastOwner(only) {
        return .failure(.lastOwner(only.name))
      }
      // The first owner's link is the same, whichever command makes it.
      let isSetup = known.isEmpty && role == .owner && name == nil
      if isSetup { try database.removeLinks(.setup) }
      var made = try database.makeLink(
        isSetup ? .setup : known.isEmpty ? .invitation : .recovery, person: known.first?.id, role: role, name: name,
        madeBy: nil, now: now)
      made.known = known.first.map { Known(name: $0.name, role: $0.role) }
      let invited = name.map { "\($0): \(role.rawValue)" } ?? role.rawValue
      try database.audit(
        .commandLine, known.isEmpty ? "person.invited" : "link.made", about: known.first?.name ?? invited, now: now)
      return .success(made)
    }
  }

  /// The names of several people; those of namesakes are "person:ID".
  private static func told(_ people: [Person]) -> [String] {
    people.map { person in
      people.count { $0.name == person.name } > 1 ? "person:\(person.id)" : person.name
    }
  }

  // MARK: Using links

  /// Looks a link up without using it.
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
  ///   - name: the name of somebody new, if the link has none.
  ///   - old: the secret of the session that this one replaces, if there is one.
  ///   - request: the key of the request; a repeated one signs the same device in again, though the link is used.
  package func signIn(
    by key: Links.Key, device: String, name: String?, replacing old: String?, once request: IdempotencyKey? = nil
  ) async throws(HTTPError) -> Links.Outcome<Links.SignIn> {
    let secret = Digest.base64URL(Digest.random(IdentityLimits.secretBytes))
    return try await commit(as: .room(Self.roomID)) { change -> Links.Outcome<Links.SignIn> in
      let (database, now) = (change.database, change.now)
      if let signIn = try change.signIn(repeating: request) { return .found(signIn) }
      let link: Link
      switch try database.openLink(key, now: now) {
      case .found(let found): link = found
      case .none:
        // Returned and not thrown, so that the failure is recorded.
        if case .code(let code) = key { try database.countFailure(wrong: code) }
        return .none
      case .used(let at): return .used(at)
      case .ended(let at): return .ended(at)
      }
      let person = try change.personBehind(link, name: name)
      try database.use(link: link.id, by: person.id, now: now)
      // The set-up link is for the first owner only, and somebody else may have become that.
      if person.role == .owner { try database.removeLinks(.setup) }
      let (principal, replaced) = try change.signIn(
        person, device: device, session: secret, replacing: old, letInBy: link.madeOn)
      try change.audit("device.added", about: device, by: principal)
      let signIn = Links.SignIn(secret: secret, principal: principal, device: device, replaced: replaced)
      try change.keep(Array(secret.utf8), for: request)
      change.tell(of: signIn)
      return .found(signIn)
    }
  }
}

extension Change {
  /// The person who signs in by a link: the one it is for, or a new one.
  fileprivate func personBehind(_ link: Link, name: String?) throws -> Person {
    guard let id = link.person, let person = try database.person(id) else {
      let name = link.name ?? name ?? link.role.rawValue.prefix(1).uppercased() + link.role.rawValue.dropFirst()
      let id = try database.addPerson(name: name, role: link.role, now: now)
      let principal = Principal(person: id, name: name, role: link.role)
      try audit("person.joined", about: link.role.rawValue, by: principal)
      try personJoined(id, as: link.role)
      return Person(id: id, name: name, role: link.role)
    }
    return link.kind == .recovery ? try give(link.role, to: person, by: .commandLine) : person
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
}
