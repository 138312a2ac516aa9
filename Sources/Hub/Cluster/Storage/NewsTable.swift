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

  /// Tells it from all others, also from one to which a server that has lost this one gives the same number.
  package var name: String { "\(number) \(hub)" }
}

/// What a hub finds when it looks at what others have committed.
struct News {
  /// The number of the last change.
  var last = 0
  /// The server's timeline (`ServerTimeline`).
  var timeline = ""
  /// The transactions behind the change from which was asked, oldest first.
  var rows: [NewsRow] = []
  /// The name of the newest row that is not behind that change; nil if it was removed, with all before it.
  var before: String?

  /// False if rows are missing: the newest removed one stays, so one that is not newer shows that none is.
  var isComplete: Bool { before != nil }
  /// The name of the newest row.
  var newest: String? { rows.last?.name ?? before }
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

  /// What was committed after a change. One question, since every change of every hub begins with it.
  func news(after number: Int) throws(StoreError) -> News {
    var news = News()
    let all = try rows(
      """
      SELECT c.above, \(ServerTimeline.expression), n.number, n.hub, n.touches,
        (SELECT number || ' ' || hub FROM hub_news WHERE number <= ? ORDER BY number DESC LIMIT 1)
      FROM realtime_commits c LEFT JOIN hub_news n ON n.number > ? ORDER BY n.number
      """, .int(number), .int(number)
    ) { row -> NewsRow? in
      (news.last, news.timeline, news.before) = (row.int(0), row.text(1), row.optionalText(5))
      guard let number = row.optionalInt(2) else { return nil }
      // Written by a hub, so it is a list of lists.
      let list = (try? JSON(parsing: row.text(4)))?.array ?? []
      let touches = list.compactMap { one in
        one.array?.first?.string.map { Touch($0, one.array?.last?.int) }
      }
      return NewsRow(number: number, hub: row.text(3), touches: touches)
    }
    news.rows = all.compactMap { $0 }
    return news
  }

  /// Removes old rows, but for the newest of them.
  func tidyNews(now: Double) throws(StoreError) {
    let old = Value.double(now - NewsTable.keptSeconds)
    try run("DELETE FROM hub_passed WHERE number < (SELECT max(number) FROM hub_news WHERE at < ?)", old)
    try run("DELETE FROM hub_news WHERE number < (SELECT max(number) FROM hub_news WHERE at < ?)", old)
  }
}
