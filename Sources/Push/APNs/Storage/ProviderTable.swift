import Crypto
public import Store

/// The tables of providers, which refer to those of `PushTables`.
public enum APNsTables {
  /// - `apns_providers` has the public half of each key, and the fingerprint of each certificate.
  /// - `apns_pushes` has the ids of the newest pushes, so that one that is sent again rings once. Its numbers grow.
  public static let migrations = [
    Migration(
      room: "apns", number: 1,
      sql: """
        CREATE TABLE apns_providers (
          id INTEGER PRIMARY KEY, team TEXT NOT NULL, key_id TEXT, public_key BLOB, fingerprint BLOB, ends_at REAL,
          created_at REAL NOT NULL);
        CREATE UNIQUE INDEX apns_providers_key ON apns_providers (key_id) WHERE key_id IS NOT NULL;
        CREATE UNIQUE INDEX apns_providers_certificate ON apns_providers (fingerprint) WHERE fingerprint IS NOT NULL;
        CREATE TABLE apns_topics (
          provider INTEGER NOT NULL REFERENCES apns_providers ON DELETE CASCADE, topic TEXT NOT NULL,
          PRIMARY KEY (provider, topic));
        CREATE TABLE apns_pushes (
          number INTEGER PRIMARY KEY, device INTEGER NOT NULL, push BLOB NOT NULL, at REAL NOT NULL);
        CREATE UNIQUE INDEX apns_pushes_push ON apns_pushes (push, device)
        """)
  ]
}

extension Database {
  /// Adds a provider.
  /// - Returns: its number; nil if there are as many as allowed.
  public func addProvider(_ provider: Provider) throws(StoreError) -> Int? {
    let count = try first("SELECT count(*) FROM apns_providers", read: { $0.int(0) }) ?? 0
    guard count < APNsLimits.providers else { return nil }
    var (keyID, key, fingerprint, end): (String?, [UInt8]?, [UInt8]?, Double?) = (nil, nil, nil, nil)
    switch provider.credential {
    case .key(let id, let publicKey): (keyID, key) = (id, publicKey.bytes)
    case .certificate(let digest, let until): (fingerprint, end) = (digest, until)
    }
    let id = try inserted(
      """
      INSERT INTO apns_providers (team, key_id, public_key, fingerprint, ends_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(provider.team), Value(keyID), Value(key), Value(fingerprint), Value(end),
      .double(provider.createdAt))
    for topic in provider.topics {
      try run(
        "INSERT INTO apns_topics (provider, topic) VALUES (?, ?) ON CONFLICT (provider, topic) DO NOTHING", .int(id),
        .text(topic))
    }
    return id
  }

  /// All providers, the oldest first.
  public func providers() throws(StoreError) -> [Provider] {
    var topics: [Int: [String]] = [:]
    let pairs = try rows("SELECT provider, topic FROM apns_topics ORDER BY topic", read: { ($0.int(0), $0.text(1)) })
    for (provider, topic) in pairs {
      topics[provider, default: []].append(topic)
    }
    let found = try rows(
      "SELECT id, team, key_id, public_key, fingerprint, ends_at, created_at FROM apns_providers ORDER BY id",
      read: Self.provider)
    return found.compactMap { found in
      guard var provider = found else { return nil }
      provider.topics = topics[provider.id] ?? []
      return provider
    }
  }

  /// - Returns: false if there was none.
  public func removeProvider(_ id: Int) throws(StoreError) -> Bool {
    try first("DELETE FROM apns_providers WHERE id = ? RETURNING id", .int(id), read: { _ in true }) ?? false
  }

  /// Nil for a row whose key is no point on the curve.
  private static func provider(_ row: Row) -> Provider? {
    let credential: Provider.Credential
    if let id = row.optionalText(2) {
      guard let key = P256PublicKey(row.blob(3)) else { return nil }
      credential = .key(id: id, key)
    } else {
      credential = .certificate(fingerprint: row.blob(4), until: row.double(5))
    }
    return Provider(
      id: row.int(0), team: row.text(1), credential: credential, topics: [], createdAt: row.double(6))
  }

  // MARK: Pushes that were sent again

  /// Remembers the push of an id to a device.
  /// - Returns: false if it is remembered already.
  public func rememberPush(_ id: [UInt8], to device: Int, now: Double) throws(StoreError) -> Bool {
    try first(
      """
      INSERT INTO apns_pushes (device, push, at) VALUES (?, ?, ?) ON CONFLICT (push, device) DO NOTHING
      RETURNING number
      """, .int(device), .blob(id), .double(now), read: { _ in true }) ?? false
  }

  /// Forgets old ids, at most `APNsLimits.forgottenPerCommit`.
  /// - Returns: true if there may be more to forget.
  public func forgetPushes(now: Double) throws(StoreError) -> Bool {
    let newest = try first("SELECT max(number) FROM apns_pushes", read: { $0.optionalInt(0) }) ?? nil
    guard let newest else { return false }
    let gone = try rows(
      """
      DELETE FROM apns_pushes WHERE number IN (SELECT number FROM apns_pushes ORDER BY number LIMIT ?)
        AND (at < ? OR number <= ?) RETURNING number
      """, .int(APNsLimits.forgottenPerCommit), .double(now - APNsLimits.rememberedSeconds),
      .int(newest - APNsLimits.rememberedPushes), read: { $0.int(0) })
    return gone.count == APNsLimits.forgottenPerCommit
  }
}
