import Crypto
import Store

/// Records which device created a link, token or passkey, so that a lost device's can be revoked.
enum DeviceOrigins {
  static let migration = Migration(
    room: "hub", number: 5,
    sql: """
      -- A device that signed itself out, or was forgotten, says nothing any more of what was made on it.
      ALTER TABLE links ADD COLUMN made_on INTEGER REFERENCES devices (id) ON DELETE SET NULL;
      ALTER TABLE tokens ADD COLUMN made_on INTEGER REFERENCES devices (id) ON DELETE SET NULL;
      -- The device whose link, or whose passkey, let this one in.
      ALTER TABLE devices ADD COLUMN let_in_by INTEGER REFERENCES devices (id) ON DELETE SET NULL;
      CREATE INDEX links_made_on ON links (made_on);
      CREATE INDEX tokens_made_on ON tokens (made_on);
      CREATE INDEX devices_let_in_by ON devices (let_in_by)
      """)

  static let ofPasskeys = Migration(
    room: "passkeys", number: 2,
    sql: """
      ALTER TABLE passkeys ADD COLUMN made_on INTEGER REFERENCES devices (id) ON DELETE SET NULL;
      CREATE INDEX passkeys_made_on ON passkeys (made_on)
      """)
}

/// Credentials made on one device that are still valid.
struct MadeOnDevice: Sendable {
  struct Named: Sendable {
    var id: Int
    /// Nil for an invitation without a name.
    var name: String?
    /// The role given by a token or a link.
    var role: Role?
  }

  var passkeys: [Named] = []
  var tokens: [Named] = []
  /// Open links: invitations, and devices for others.
  var links: [Named] = []
  /// Devices recently signed in by its links and passkeys; those of others with their names.
  var devices: [Named] = []
}

extension Change {
  /// Revokes what was made on a device, except for the devices signed in by it: one of them may be that on which the
  /// lost one is being removed.
  func revokeMade(on device: Int) throws(StoreError) {
    let made = try database.made(on: device, now: now)
    for passkey in made.passkeys {
      try database.remove(passkey: passkey.id)
      try audit("passkey.removed", about: passkey.name)
    }
    for token in made.tokens { try revoke(token: token.id) }
    for link in made.links {
      try database.removeLink(link.id)
      try audit("link.removed", about: link.name)
    }
  }

  /// Signs a person's device in. Always with a new session, since an old secret may be known to others, and what the
  /// browser forgets must not stay valid.
  /// - Parameters:
  ///   - old: the secret of the session that this one replaces, if there is one. If it was the same person's, the
  ///     device stays the same, and keeps what was made on it.
  ///   - letInBy: the device whose link or passkey is used.
  /// - Returns: the signed-in person, and the person whose session ended for it, if that was somebody else's.
  func signIn(
    _ person: Person, device name: String, session: String, replacing old: String?, letInBy: Int?
  ) throws -> (principal: Principal, replaced: Int?) {
    let digest = Digest.sha256(session.utf8)
    var before: (principal: Principal, device: Device)?
    if let old { before = try database.session(digest: Digest.sha256(old.utf8)) }
    let id: Int
    var replaced: Int?
    if let before, before.principal.person == person.id {
      id = before.device.id
      try database.renew(device: id, name: name, digest: digest, letInBy: letInBy, now: now)
    } else {
      if let before {
        try removeDevice(before.device.id)
        replaced = before.principal.person
      }
      // Those with the oldest visits make room.
      for old in try database.devices(of: person.id).dropFirst(IdentityLimits.devicesPerPerson - 1) {
        try removeDevice(old.id)
      }
      id = try database.addDevice(person: person.id, name: name, digest: digest, letInBy: letInBy, now: now)
    }
    try forgetWhatEnded()
    return (Principal(person: person.id, device: id, name: person.name, role: person.role), replaced)
  }

  /// Removes what has expired, at each sign-in, so that no timer is needed.
  private func forgetWhatEnded() throws {
    try database.forgetLinks(endedBefore: now - IdentityLimits.rememberedDays * 86_400)
    for old in try database.devices(lastSeenBefore: now - IdentityLimits.sessionSeconds) { try removeDevice(old) }
  }
}

extension Database {
  func made(on device: Int, now: Double) throws(StoreError) -> MadeOnDevice {
    let named = { (row: Row) in
      MadeOnDevice.Named(id: row.int(0), name: row.optionalText(1), role: row.optionalText(2).flatMap(Role.init))
    }
    return MadeOnDevice(
      passkeys: try rows(
        "SELECT id, name, NULL FROM passkeys WHERE made_on = ? ORDER BY id", .int(device), read: named),
      tokens: try rows(
        "SELECT id, name, role FROM tokens WHERE made_on = ? ORDER BY id", .int(device), read: named),
      links: try rows(
        """
        SELECT links.id, coalesce(people.name, links.name), links.role
        FROM links LEFT JOIN people ON people.id = links.person
        WHERE links.made_on = ? AND links.used_at IS NULL AND links.expires_at > ? ORDER BY links.id
        """, .int(device), .double(now), read: named),
      devices: try rows(
        """
        SELECT devices.id, CASE WHEN devices.person = makers.person THEN devices.name
          ELSE people.name || ': ' || devices.name END, NULL
        FROM devices JOIN people ON people.id = devices.person JOIN devices AS makers ON makers.id = devices.let_in_by
        WHERE devices.let_in_by = ? AND devices.created_at > ? ORDER BY devices.id
        """, .int(device), .double(now - IdentityLimits.rememberedDays * 86_400), read: named))
  }
}
