import Store

/// The phones that report by an app of their own. Where they are is not kept here.
enum PhoneTable {
  static let migration = Migration(
    room: "anchorphones", number: 1,
    sql: """
      CREATE TABLE anchor_phones (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, app TEXT NOT NULL, person INTEGER NOT NULL, aboard INTEGER NOT NULL,
        secret BLOB NOT NULL UNIQUE, created_at REAL NOT NULL, last REAL, battery REAL, charging INTEGER);
      CREATE INDEX anchor_phones_person ON anchor_phones (person)
      """)
}

extension Database {
  /// All phones, with the digests of their secrets.
  func anchorPhones() throws(StoreError) -> [(digest: [UInt8], phone: Phone)] {
    try rows(
      "SELECT id, name, app, person, aboard, created_at, last, battery, charging, secret FROM anchor_phones ORDER BY id"
    ) { row in
      var phone = Phone(
        id: row.int(0), name: row.text(1), app: Phone.App(rawValue: row.text(2)) ?? .owntracks, person: row.int(3),
        isAboard: row.bool(4), createdAt: row.double(5))
      phone.last = row.optionalDouble(6)
      phone.battery = row.optionalDouble(7)
      phone.isCharging = row.optionalBool(8)
      return (row.blob(9), phone)
    }
  }

  func anchorPhoneCount(ofPerson person: Int? = nil) throws(StoreError) -> Int {
    if let person {
      return try number("SELECT count(*) FROM anchor_phones WHERE person = ?", .int(person))
    }
    return try number("SELECT count(*) FROM anchor_phones")
  }

  func add(_ phone: Phone, secretDigest: [UInt8]) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO anchor_phones (name, app, person, aboard, secret, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(phone.name), .text(phone.app.rawValue), .int(phone.person), Value(phone.isAboard), .blob(secretDigest),
      .double(phone.createdAt))
  }

  /// Keeps when it was heard, and its battery.
  func saveHeard(_ phone: Phone) throws(StoreError) {
    try run(
      "UPDATE anchor_phones SET last = ?, battery = ?, charging = ? WHERE id = ?", Value(phone.last),
      Value(phone.battery), Value(phone.isCharging), .int(phone.id))
  }

  /// - Returns: false if there is none.
  func removeAnchorPhone(_ id: Int) throws(StoreError) -> Bool {
    try hasRow("DELETE FROM anchor_phones WHERE id = ? RETURNING id", .int(id))
  }
}
