import Store

/// The rows of clients and their marks.
extension Database {
  /// The key of a client of a link; nil if there are as many as there can be.
  func client(_ name: String, sent: Int) throws(StoreError) -> Int? {
    let known = try first(
      "SELECT id FROM portfolio_sent_clients WHERE sent = ? AND client = ?", .int(sent), .text(name)
    ) { $0.int(0) }
    if let known { return known }
    let clients = try number("SELECT count(*) FROM portfolio_sent_clients WHERE sent = ?", .int(sent))
    guard clients < SentLimits.clients else { return nil }
    return try inserted(
      "INSERT INTO portfolio_sent_clients (sent, client) VALUES (?, ?) RETURNING id", .int(sent), .text(name))
  }

  func name(client: Int, _ name: String) throws(StoreError) {
    try run("UPDATE portfolio_sent_clients SET name = ? WHERE id = ?", .text(name), .int(client))
  }

  /// - Returns: true if the client has not opened it before.
  func noteOpening(client: Int, now: Double) throws(StoreError) -> Bool {
    try hasRow(
      "UPDATE portfolio_sent_clients SET opened_at = ? WHERE id = ? AND opened_at IS NULL RETURNING id", .double(now),
      .int(client))
  }

  /// How many clients have opened it.
  func openings(sent: Int) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM portfolio_sent_clients WHERE sent = ? AND opened_at IS NOT NULL", .int(sent))
  }

  /// The marks of a link, and the characters of their remarks.
  func marksKept(sent: Int) throws(StoreError) -> (count: Int, characters: Int) {
    try first(
      "SELECT count(*), coalesce(sum(length(text)), 0) FROM portfolio_sent_marks WHERE \(Self.ofSent)", .int(sent)
    ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
  }

  /// Keeps a mark; an older one than that which is there changes nothing.
  func save(_ mark: ClientMark, picture: Int, client: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO portfolio_sent_marks (client, mark, picture, kind, text, at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (client, mark) DO UPDATE SET text = excluded.text, at = excluded.at, is_news = 1
      WHERE excluded.at > portfolio_sent_marks.at
      """, .int(client), .text(mark.id), .int(picture), .text(mark.kind.rawValue), Value(mark.text), .double(mark.at))
  }

  func removeMark(_ id: String, client: Int) throws(StoreError) {
    try run("DELETE FROM portfolio_sent_marks WHERE client = ? AND mark = ?", .int(client), .text(id))
  }

  /// A client's marks of pictures that it sees.
  func marks(of client: String, sent: Int) throws(StoreError) -> [ClientMark] {
    try rows(
      """
      SELECT m.mark, p.address, m.kind, m.text, m.at FROM portfolio_sent_marks m
      JOIN portfolio_sent_clients c ON c.id = m.client JOIN portfolio_pictures p ON p.id = m.picture
      WHERE c.sent = ? AND c.client = ? ORDER BY m.at, m.mark
      """, .int(sent), .text(client), read: Self.mark
    ).compactMap { $0 }
  }

  private static func mark(_ row: Row) -> ClientMark? {
    guard let kind = ClientMark.Kind(rawValue: row.text(2)) else { return nil }
    return ClientMark(
      id: row.text(0), picture: row.text(1), kind: kind, text: row.optionalText(3), at: row.double(4))
  }

  /// Everybody's marks, with the key and the name of each client, and the picture's name at its source.
  func marks(sent: Int) throws(StoreError) -> [(mark: ClientMark, client: Int, name: String?, file: String)] {
    try rows(
      """
      SELECT m.mark, p.address, m.kind, m.text, m.at, c.id, c.name,
        CASE WHEN p.original_name <> '' THEN p.original_name ELSE p.source_id END FROM portfolio_sent_marks m
      JOIN portfolio_sent_clients c ON c.id = m.client JOIN portfolio_pictures p ON p.id = m.picture
      WHERE c.sent = ? ORDER BY c.id, m.at, m.mark
      """, .int(sent)
    ) { row in
      Self.mark(row).map { mark in
        (mark, row.int(5), row.optionalText(6), String(row.text(7).split(separator: "/").last ?? ""))
      }
    }.compactMap { $0 }
  }

  private static let ofSent = "client IN (SELECT id FROM portfolio_sent_clients WHERE sent = ?)"
  private static let newsOfSent = "is_news = 1 AND \(ofSent)"

  /// The number of marks of each kind.
  func markCounts(sent: Int) throws(StoreError) -> [ClientMark.Kind: Int] { try markCounts(Self.ofSent, sent) }

  private func markCounts(_ condition: String, _ sent: Int) throws(StoreError) -> [ClientMark.Kind: Int] {
    let found = try rows(
      "SELECT kind, count(*) FROM portfolio_sent_marks WHERE \(condition) GROUP BY kind", .int(sent)
    ) { (ClientMark.Kind(rawValue: $0.text(0)), $0.int(1)) }
    return Dictionary(found.compactMap { kind, count in kind.map { ($0, count) } }, uniquingKeysWith: +)
  }

  // MARK: Rings

  /// The links whose marks are to ring by then, and the time of the next one after that. What is further away than
  /// anything waits was put off while the clock was ahead.
  func sentToRing(at now: Double) throws(StoreError) -> (due: [String], next: Double?) {
    let all = try rows(
      "SELECT address, ring_at FROM portfolio_sent WHERE ring_at IS NOT NULL ORDER BY ring_at LIMIT 100"
    ) { ($0.text(0), $0.double(1)) }
    let furthest = now + SentLimits.ringSeconds
    return (all.filter { $0.1 <= now || $0.1 > furthest }.map(\.0), all.first { $0.1 > now }?.1)
  }

  /// The marks that nobody was rung for, by kind; they are no news afterwards.
  func takeNews(sent: Int) throws(StoreError) -> [ClientMark.Kind: Int] {
    let news = try markCounts(Self.newsOfSent, sent)
    try run("UPDATE portfolio_sent_marks SET is_news = 0 WHERE \(Self.newsOfSent)", .int(sent))
    return news
  }
}
