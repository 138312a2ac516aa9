public import Store

/// A person in the store.
package struct Person: Equatable, Sendable {
  package var id: Int
  package var name: String
  package var role: Role
}

/// A signed-in device in the store.
package struct Device: Equatable, Sendable {
  package var id: Int
  package var name: String
  /// Seconds since 1970.
  package var createdAt: Double
  package var lastSeen: Double

  /// False once it was not seen for a year. A device that was signed in while the machine's clock was not set yet
  /// stays so: its next visit has the right time.
  func isSignedIn(at now: Double) -> Bool {
    lastSeen < CheckLimits.earliest || now - lastSeen < IdentityLimits.sessionSeconds
  }
}

extension Database {
  // MARK: People

  func person(_ id: Int) throws(StoreError) -> Person? {
    try first("SELECT id, name, role FROM people WHERE id = ?", .int(id), read: Self.person) ?? nil
  }

  func people(named name: String) throws(StoreError) -> [Person] {
    try rows("SELECT id, name, role FROM people WHERE name = ? ORDER BY id", .text(name), read: Self.person)
      .compactMap { $0 }
  }

  func people(of role: Role) throws(StoreError) -> [Person] {
    try rows("SELECT id, name, role FROM people WHERE role = ? ORDER BY id", .text(role.rawValue), read: Self.person)
      .compactMap { $0 }
  }

  /// The keys of all people with a role, for those who address a role.
  public func personIDs(of role: Role) throws(StoreError) -> [Int] { try people(of: role).map(\.id) }

  /// The keys of all people with a right, of the highest role first.
  public func personIDs(with right: Right) throws(StoreError) -> [Int] {
    var ids: [Int] = []
    for role in Role.ofPeople where right.roles.contains(role) { ids += try personIDs(of: role) }
    return ids
  }

  /// The keys of all people with a name, as a command is given it: "person:ID" means a single one.
  public func personIDs(named name: String) throws(StoreError) -> [Int] {
    if name.hasPrefix("person:"), let id = Int(name.dropFirst(7)), try isPerson(id) { return [id] }
    return try people(named: name).map(\.id)
  }

  public func personName(_ id: Int) throws(StoreError) -> String? { try person(id)?.name }

  public func personRole(_ id: Int) throws(StoreError) -> Role? { try person(id)?.role }

  /// A person as the actor of what they do without a session, such as by an answer to a notification; nil if nobody has
  /// this key.
  public func actor(person id: Int) throws(StoreError) -> Principal? {
    try person(id).map { Principal(person: id, name: $0.name, role: $0.role) }
  }

  /// True if there is somebody with this key.
  public func isPerson(_ id: Int) throws(StoreError) -> Bool { try person(id) != nil }

  public func deviceName(_ id: Int) throws(StoreError) -> String? { try device(id)?.name }

  /// The key of the person who is signed in on a device; nil if nobody is.
  public func person(onDevice id: Int) throws(StoreError) -> Int? { try device(id)?.person }

  /// True if a device with this key is signed in.
  public func isDevice(_ id: Int) throws(StoreError) -> Bool { try device(id) != nil }

  func addPerson(name: String, role: Role, now: Double) throws(StoreError) -> Int {
    let id = try inserted(
      "INSERT INTO people (name, role, created_at) VALUES (?, ?, ?) RETURNING id", .text(name), .text(role.rawValue),
      .double(now))
    return try neverReused(id, of: "people")
  }

  func change(person id: Int, name: String) throws(StoreError) {
    try run("UPDATE people SET name = ? WHERE id = ?", .text(name), .int(id))
  }

  func removePerson(_ id: Int) throws(StoreError) { try run("DELETE FROM people WHERE id = ?", .int(id)) }

  func countPeople() throws(StoreError) -> Int { try first("SELECT count(*) FROM people") { $0.int(0) } ?? 0 }

  /// All people, with the number of their devices and the last visit of any.
  func allPeople() throws(StoreError) -> [(person: Person, devices: Int, lastSeen: Double?)] {
    try rows(
      """
      SELECT people.id, people.name, people.role, count(devices.id), max(devices.last_seen)
      FROM people LEFT JOIN devices ON devices.person = people.id
      GROUP BY people.id, people.name, people.role ORDER BY people.name, people.id
      """
    ) { row in Self.person(row).map { ($0, row.int(3), row.optionalDouble(4)) } }.compactMap { $0 }
  }

  func change(person id: Int, role: Role) throws(StoreError) {
    try run("UPDATE people SET role = ? WHERE id = ?", .text(role.rawValue), .int(id))
  }

  private static func person(_ row: Row) -> Person? {
    Role(rawValue: row.text(2)).map { Person(id: row.int(0), name: row.text(1), role: $0) }
  }

  // MARK: Devices

  /// The person and device of a session, with the last visit.
  func session(digest: [UInt8]) throws(StoreError) -> (principal: Principal, device: Device)? {
    try first(
      """
      SELECT devices.id, devices.name, devices.created_at, devices.last_seen, people.id, people.name, people.role
      FROM devices JOIN people ON people.id = devices.person WHERE devices.digest = ?
      """, .blob(digest)
    ) { row -> (principal: Principal, device: Device)? in
      guard let role = Role(rawValue: row.text(6)) else { return nil }
      let device = Device(id: row.int(0), name: row.text(1), createdAt: row.double(2), lastSeen: row.double(3))
      return (Principal(person: row.int(4), device: device.id, name: row.text(5), role: role), device)
    } ?? nil
  }

  func addDevice(
    person: Int, name: String, digest: [UInt8], letInBy: Int?, now: Double
  ) throws(StoreError) -> Int {
    let id = try inserted(
      """
      INSERT INTO devices (person, name, digest, created_at, last_seen, let_in_by)
      VALUES (?, ?, ?, ?, ?, (SELECT id FROM devices WHERE id = ?)) RETURNING id
      """, .int(person), .text(name), .blob(digest), .double(now), .double(now), Value(letInBy))
    return try neverReused(id, of: "devices")
  }

  /// Starts another session on the same device. Its origin is recorded anew; a link or passkey made on the device
  /// itself is no origin.
  func renew(device id: Int, name: String, digest: [UInt8], letInBy: Int?, now: Double) throws(StoreError) {
    try run(
      """
      UPDATE devices SET name = ?, digest = ?, created_at = ?, last_seen = ?,
        let_in_by = (SELECT id FROM devices WHERE id = ?) WHERE id = ?
      """, .text(name), .blob(digest), .double(now), .double(now), Value(letInBy == id ? nil : letInBy), .int(id))
  }

  func devices(of person: Int) throws(StoreError) -> [Device] {
    try rows(
      "SELECT id, name, created_at, last_seen FROM devices WHERE person = ? ORDER BY last_seen DESC, id DESC",
      .int(person)
    ) { Device(id: $0.int(0), name: $0.text(1), createdAt: $0.double(2), lastSeen: $0.double(3)) }
  }

  /// A device's person and name.
  func device(_ id: Int) throws(StoreError) -> (person: Int, name: String)? {
    try first("SELECT person, name FROM devices WHERE id = ?", .int(id)) { ($0.int(0), $0.text(1)) }
  }

  func change(device id: Int, name: String) throws(StoreError) {
    try run("UPDATE devices SET name = ? WHERE id = ?", .text(name), .int(id))
  }

  func removeDevice(_ id: Int) throws(StoreError) { try run("DELETE FROM devices WHERE id = ?", .int(id)) }

  /// The devices that were last seen before a time, by a clock that was set (`Device.isSignedIn`).
  func devices(lastSeenBefore: Double) throws(StoreError) -> [Int] {
    try rows(
      "SELECT id FROM devices WHERE last_seen < ? AND last_seen >= ?", .double(lastSeenBefore),
      .double(CheckLimits.earliest)
    ) { $0.int(0) }
  }

  /// Corrects the visits that a wrong clock has noted.
  func moveVisits(_ visits: ClosedRange<Double>, by step: Double) throws(StoreError) {
    try run(
      "UPDATE devices SET last_seen = last_seen + ? WHERE last_seen BETWEEN ? AND ?", .double(step),
      .double(visits.lowerBound), .double(visits.upperBound))
  }

  /// Records a visit. A time that is a little earlier is ignored, since notes may be written late; one that is much
  /// earlier comes from a clock that is right again. One from before there were hubs comes from a machine without a
  /// battery whose clock is not set yet, and counts for nothing where another is known.
  func note(device id: Int, seenAt: Double) throws(StoreError) {
    let latest = seenAt < CheckLimits.earliest ? CheckLimits.latest : seenAt + IdentityLimits.seenSeconds
    try run(
      "UPDATE devices SET last_seen = ? WHERE id = ? AND (last_seen < ? OR last_seen > ?)",
      .double(seenAt), .int(id), .double(seenAt), .double(latest))
  }
}
