import Store
import Wire

/// The tables of passkeys, of the secret key of challenges, and of used challenges.
enum PasskeyTables {
  static let migration = Migration(
    room: "passkeys", number: 1,
    sql: """
      CREATE TABLE passkeys (
        id INTEGER PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        credential BLOB NOT NULL UNIQUE,
        algorithm INTEGER NOT NULL,
        public_key BLOB NOT NULL,
        counter INTEGER NOT NULL,
        party TEXT NOT NULL,
        name TEXT NOT NULL,
        transports TEXT NOT NULL,
        backup_eligible INTEGER NOT NULL,
        backed_up INTEGER NOT NULL,
        created_at REAL NOT NULL,
        last_used REAL
      );
      CREATE INDEX passkeys_of_person ON passkeys (person);
      CREATE TABLE passkey_handles (
        person INTEGER PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        handle BLOB NOT NULL UNIQUE
      );
      CREATE TABLE passkey_secret (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        secret BLOB NOT NULL
      );
      CREATE TABLE passkey_challenges (
        nonce BLOB PRIMARY KEY,
        ends_at REAL NOT NULL
      );
      CREATE INDEX passkey_challenges_by_end ON passkey_challenges (ends_at)
      """)
}

private let columns = """
  id, person, credential, algorithm, public_key, counter, party, name, transports, backup_eligible, backed_up,
  created_at, last_used, made_on
  """

extension Row {
  /// Nil for an algorithm that only a newer version knows.
  fileprivate var passkey: Passkey? {
    PublicKey.Algorithm(rawValue: int(3)).map { algorithm in
      Passkey(
        id: int(0), person: int(1), credential: blob(2), key: PublicKey(algorithm: algorithm, bytes: blob(4)),
        counter: UInt32(clamping: int(5)), party: text(6), name: text(7),
        transports: text(8).split(separator: " ").map(String.init), isBackupEligible: bool(9), isBackedUp: bool(10),
        createdAt: double(11), lastUsed: optionalDouble(12), madeOn: optionalInt(13))
    }
  }
}

extension Database {
  /// A person's passkeys, oldest first.
  func passkeys(of person: Int) throws(StoreError) -> [Passkey] {
    try rows("SELECT \(columns) FROM passkeys WHERE person = ? ORDER BY id", .int(person)) { $0.passkey }
      .compactMap { $0 }
  }

  func passkey(credential: [UInt8]) throws(StoreError) -> Passkey? {
    try first("SELECT \(columns) FROM passkeys WHERE credential = ?", .blob(credential)) { $0.passkey } ?? nil
  }

  func passkey(_ id: Int, of person: Int) throws(StoreError) -> Passkey? {
    try first("SELECT \(columns) FROM passkeys WHERE id = ? AND person = ?", .int(id), .int(person)) { $0.passkey }
      ?? nil
  }

  /// Adds a passkey; its `id` is ignored.
  func add(_ passkey: Passkey) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO passkeys (person, credential, algorithm, public_key, counter, party, name, transports,
        backup_eligible, backed_up, created_at, last_used, made_on)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .int(passkey.person), .blob(passkey.credential), .int(passkey.key.algorithm.rawValue),
      .blob(passkey.key.bytes), .int(Int(passkey.counter)), .text(passkey.party), .text(passkey.name),
      .text(passkey.transports.joined(separator: " ")), Value(passkey.isBackupEligible), Value(passkey.isBackedUp),
      .double(passkey.createdAt), passkey.lastUsed.map { .double($0) } ?? .null,
      Value(passkey.madeOn))
  }

  /// Stores the changes of a use.
  func note(use passkey: Passkey) throws(StoreError) {
    try run(
      "UPDATE passkeys SET counter = ?, backed_up = ?, last_used = ? WHERE id = ?", .int(Int(passkey.counter)),
      Value(passkey.isBackedUp), passkey.lastUsed.map { .double($0) } ?? .null, .int(passkey.id))
  }

  func rename(passkey id: Int, to name: String) throws(StoreError) {
    try run("UPDATE passkeys SET name = ? WHERE id = ?", .text(name), .int(id))
  }

  func remove(passkey id: Int) throws(StoreError) {
    try run("DELETE FROM passkeys WHERE id = ?", .int(id))
  }

  // MARK: The user handle

  /// A person's user handle: random bytes (WebAuthn section 14.6.1), the same for all their passkeys, so that a new one
  /// replaces the old one on the same authenticator.
  func passkeyHandle(of person: Int) throws(StoreError) -> [UInt8]? {
    try first("SELECT handle FROM passkey_handles WHERE person = ?", .int(person)) { $0.blob(0) }
  }

  func keep(passkeyHandle handle: [UInt8], of person: Int) throws(StoreError) {
    try run(
      "INSERT INTO passkey_handles (person, handle) VALUES (?, ?) ON CONFLICT (person) DO NOTHING", .int(person),
      .blob(handle))
  }

  // MARK: Challenges

  func passkeySecret() throws(StoreError) -> [UInt8]? {
    try first("SELECT secret FROM passkey_secret") { $0.blob(0) }
  }

  func keep(passkeySecret secret: [UInt8]) throws(StoreError) {
    try run("INSERT INTO passkey_secret (id, secret) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", .blob(secret))
  }

  /// Marks a challenge as used; false if it was used before. Expired ones are removed, since they are refused anyway.
  func useUp(_ challenge: Challenge, now: Double) throws(StoreError) -> Bool {
    try run("DELETE FROM passkey_challenges WHERE ends_at <= ?", .double(now))
    let isUsed = try first("SELECT 1 FROM passkey_challenges WHERE nonce = ?", .blob(challenge.nonce)) { _ in true }
    guard isUsed == nil else { return false }
    try run(
      "INSERT INTO passkey_challenges (nonce, ends_at) VALUES (?, ?)", .blob(challenge.nonce), .double(challenge.end))
    return true
  }
}
