package import Store
import Wire

/// What changes on a database server have altered of what hubs keep in memory, for the other hubs and commands.
enum NewsTable {
  /// Seconds for which rows are kept: a hub that looks again after a longer time reads everything anew.
  static let keptSeconds = 600.0
}

/// A transaction of which others must know.
package struct NewsRow: Sendable {
  package var number: Int
  /// Who has committed it.
  package var hub: String
  package var touches: [Touch]

  package init(number: Int, hub: String, touches: [Touch]) {
    (self.number, self.hub, self.touches) = (number, hub, touches)
  }
}

extension Database {
  func add(news number: Int, of hub: String, _ touches: Set<Touch>, now: Double) throws(StoreError) {
    let list = touches.map { touch -> JSON in
      .array([.string(touch.name)] + (touch.key.map { [.int($0)] } ?? []))
    }
    try run(
      "INSERT INTO hub_news (number, hub, at, touches) VALUES (?, ?, ?, ?)", .int(number), .text(hub), .double(now),
      .text(JSON.array(list).text))
  }

  /// What was committed after a change, oldest first.
  func news(after number: Int) throws(StoreError) -> [NewsRow] {
    try rows("SELECT number, hub, touches FROM hub_news WHERE number > ? ORDER BY number", .int(number)) { row in
      // Written by a hub, so it is a list of lists.
      let list = (try? JSON(parsing: row.text(2)))?.array ?? []
      let touches = list.compactMap { one in
        one.array?.first?.string.map { Touch($0, one.array?.last?.int) }
      }
      return NewsRow(number: row.int(0), hub: row.text(1), touches: touches)
    }
  }

  /// The number of the last change, and the server's timeline (`ServerTimeline`).
  func lastChange() throws(StoreError) -> (number: Int, timeline: String) {
    try first("SELECT above, \(ServerTimeline.expression) FROM realtime_commits") { ($0.int(0), $0.text(1)) } ?? (0, "")
  }

  /// True if a hub's transaction with this number is there.
  func hasNews(_ number: Int, of hub: String) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM hub_news WHERE number = ? AND hub = ?", .int(number), .text(hub)) { _ in true } ?? false
  }

  /// True if rows behind this number are complete: the newest removed one stays, so there is one that is not newer.
  func hasAllNews(after number: Int) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM hub_news WHERE number <= ? LIMIT 1", .int(number)) { _ in true } ?? false
  }

  /// Removes old rows, but for the newest of them.
  func tidyNews(now: Double) throws(StoreError) {
    let old = Value.double(now - NewsTable.keptSeconds)
    try run("DELETE FROM hub_passed WHERE number < (SELECT max(number) FROM hub_news WHERE at < ?)", old)
    try run("DELETE FROM hub_news WHERE number < (SELECT max(number) FROM hub_news WHERE at < ?)", old)
  }
}
