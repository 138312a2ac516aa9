import Store

/// The apps' views of notifications.
enum ViewTable {
  static let migration = Migration(
    room: "bellsviews", number: 1,
    sql: """
      CREATE TABLE bells_views (name TEXT PRIMARY KEY, document BLOB NOT NULL, made_at REAL NOT NULL);
      -- A category has one view.
      CREATE TABLE bells_view_categories (
        category TEXT PRIMARY KEY,
        view TEXT NOT NULL REFERENCES bells_views (name) ON DELETE CASCADE
      );
      CREATE INDEX bells_view_categories_view ON bells_view_categories (view)
      """)
}

extension Database {
  func viewDocument(_ name: String) throws(StoreError) -> [UInt8]? {
    try first("SELECT document FROM bells_views WHERE name = ?", .text(name)) { $0.blob(0) }
  }

  /// The views by their names, with their categories and the bytes of their documents.
  func views() throws(StoreError) -> [(name: String, categories: [String], size: Int)] {
    let all = try rows("SELECT name, length(document) FROM bells_views ORDER BY name") { ($0.text(0), $0.int(1)) }
    return try all.map { name, size throws(StoreError) in
      let categories = try rows(
        "SELECT category FROM bells_view_categories WHERE view = ? ORDER BY category", .text(name)
      ) { $0.text(0) }
      return (name, categories, size)
    }
  }

  func viewsByCategory() throws(StoreError) -> [String: String] {
    let pairs = try rows("SELECT category, view FROM bells_view_categories") { ($0.text(0), $0.text(1)) }
    return Dictionary(pairs) { first, _ in first }
  }

  func save(view name: String, of categories: [String], document: [UInt8], now: Double) throws(StoreError) {
    _ = try removeView(name)
    try run(
      "INSERT INTO bells_views (name, document, made_at) VALUES (?, ?, ?)", .text(name), .blob(document), .double(now))
    for category in categories {
      try run("INSERT INTO bells_view_categories (category, view) VALUES (?, ?)", .text(category), .text(name))
    }
  }

  /// - Returns: false if there is none of this name.
  func removeView(_ name: String) throws(StoreError) -> Bool {
    try first("DELETE FROM bells_views WHERE name = ? RETURNING name", .text(name), read: { _ in true }) ?? false
  }
}
