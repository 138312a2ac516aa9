import Crypto
public import Store

/// The tables of what is sent to Apple's service; those of `PushTables` come before them.
public enum AppleTables {
  /// - `apple_accounts` has the private half of each key, or each certificate with its key, in `secret`.
  /// - `apple_registrations` has a row for each device that is an app on one of Apple's systems.
  public static let migrations = [
    Migration(
      room: "apple", number: 1,
      sql: """
        CREATE TABLE apple_accounts (
          id INTEGER PRIMARY KEY, team TEXT NOT NULL, key_id TEXT, secret BLOB NOT NULL, environment TEXT NOT NULL,
          host TEXT NOT NULL, port INTEGER NOT NULL, authorities BLOB, created_at REAL NOT NULL, failure TEXT,
          failed_at REAL);
        CREATE TABLE apple_topics (
          account INTEGER NOT NULL REFERENCES apple_accounts ON DELETE CASCADE, topic TEXT NOT NULL,
          PRIMARY KEY (account, topic));
        CREATE TABLE apple_registrations (
          device INTEGER PRIMARY KEY REFERENCES push_devices ON DELETE CASCADE, token BLOB NOT NULL,
          topic TEXT NOT NULL, environment TEXT NOT NULL, registered_at REAL NOT NULL, failure TEXT);
        CREATE UNIQUE INDEX apple_registrations_token ON apple_registrations (token, topic, environment)
        """)
  ]
}

/// The keys and certificates from Apple.
extension Database {
  /// Adds an account.
  /// - Returns: its number; nil if there are as many as allowed.
  public func addAppleAccount(_ account: AppleAccount) throws(StoreError) -> Int? {
    let count = try first("SELECT count(*) FROM apple_accounts", read: { $0.int(0) }) ?? 0
    guard count < APNsSenderLimits.accounts else { return nil }
    let (keyID, secret): (String?, [UInt8]) =
      switch account.proof {
      case .key(let id, let bytes): (id, bytes)
      case .certificate(let identity): (nil, identity.pem)
      }
    let id = try inserted(
      """
      INSERT INTO apple_accounts (team, key_id, secret, environment, host, port, authorities, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(account.team), Value(keyID), .blob(secret), .text(account.environment.rawValue), .text(account.host),
      .int(Int(account.port)), Value(account.authorities), .double(account.createdAt))
    for topic in Set(account.topics) {
      try run("INSERT INTO apple_topics (account, topic) VALUES (?, ?)", .int(id), .text(topic))
    }
    return id
  }

  /// All accounts, the oldest first. One whose secret cannot be read has a key that cannot be used.
  public func appleAccounts() throws(StoreError) -> [KeptAppleAccount] {
    let topics = try rows(
      "SELECT account, topic FROM apple_topics ORDER BY topic", read: { (account: $0.int(0), topic: $0.text(1)) })
    return try rows("\(Self.selectAccounts) ORDER BY id", read: Self.account).map { kept in
      var kept = kept
      kept.account.topics = topics.filter { $0.account == kept.account.id }.map(\.topic)
      return kept
    }
  }

  /// The newest account that may send to a registration's app: without its topics, so that all its apps share one
  /// connection and one token.
  func appleAccount(for registration: AppleRegistration) throws(StoreError) -> KeptAppleAccount? {
    try first(
      """
      \(Self.selectAccounts) JOIN apple_topics t ON t.account = a.id
        WHERE t.topic = ? AND a.environment = ? ORDER BY a.id DESC LIMIT 1
      """, .text(registration.topic), .text(registration.environment.rawValue), read: Self.account)
  }

  /// - Returns: false if there is none.
  public func removeAppleAccount(_ id: Int) throws(StoreError) -> Bool {
    try first("DELETE FROM apple_accounts WHERE id = ? RETURNING id", .int(id), read: { _ in true }) ?? false
  }

  private static let selectAccounts = """
    SELECT a.id, a.team, a.key_id, a.secret, a.environment, a.host, a.port, a.authorities, a.created_at, a.failure,
      a.failed_at FROM apple_accounts a
    """

  private static func account(_ row: Row) -> KeptAppleAccount {
    let proof: AppleAccount.Proof
    if let id = row.optionalText(2) {
      proof = .key(id: id, row.blob(3))
    } else if let identity = try? ClientIdentity(row.blob(3)) {
      proof = .certificate(identity)
    } else {
      proof = .key(id: "", [])
    }
    let account = AppleAccount(
      id: row.int(0), team: row.text(1), proof: proof, topics: [],
      environment: AppleEnvironment(rawValue: row.text(4)) ?? .production, host: row.text(5),
      port: UInt16(clamping: row.int(6)), authorities: row.optionalBlob(7), createdAt: row.double(8))
    return KeptAppleAccount(
      account: account, failure: row.optionalText(9), failedAt: row.optionalDouble(10))
  }

  // MARK: Failures

  /// Writes what an answer says about the account and the registration, for the doctor.
  func note(
    _ sending: AppleService.Sending, of registration: AppleRegistration, by kept: KeptAppleAccount, now: Double
  ) throws(StoreError) {
    switch sending {
    case .unanswered: return
    case .unreachable(let reason, _): try note(reason, ofAccount: kept, now: now)
    case .answered(let answer):
      try note(answer.isAboutAccount ? answer.detail : nil, ofAccount: kept, now: now)
      let failure = answer.isAboutRegistration ? answer.reason : nil
      if failure != registration.failure, failure != nil || answer.status == 200 {
        try run(
          "UPDATE apple_registrations SET failure = ? WHERE device = ?", Value(failure), .int(registration.device))
      }
    }
  }

  /// Written only when it changes: most messages are sent without a word about the account.
  private func note(_ failure: String?, ofAccount kept: KeptAppleAccount, now: Double) throws(StoreError) {
    guard failure != kept.failure else { return }
    try run(
      "UPDATE apple_accounts SET failure = ?, failed_at = ? WHERE id = ?", Value(failure),
      Value(failure == nil ? nil : now), .int(kept.account.id))
  }
}
