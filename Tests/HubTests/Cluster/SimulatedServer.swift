import Hub

/// The database server that hubs share in a simulation, with leases, news and rows, and a record of all that they did.
/// Transactions are done one after the other, as `ServerDialect.oneAfterTheOther` has it.
final class SimulatedServer {
  static let works = ["mails", "calendars", "anchor"]
  static let rows = 4

  struct Records {
    var leases: [String: KeptLease] = [:]
    var news: [(row: NewsRow, at: Double)] = []
    /// The number of the last change.
    var above = 1
    /// The number of the change that has written each row.
    var rows = Array(repeating: 1, count: SimulatedServer.rows)
  }
  var records = Records()
  var timeline = "00000001"
  /// The records of a replica, which is some transactions behind.
  private var replica: [Records] = []
  /// Seconds for which news are kept here, so that simulated hubs miss some.
  static let keptSeconds = 4.0

  /// Leases that were taken: the time by the server's clock, the lease before, and the token.
  private(set) var taken: [(work: String, hub: String, token: Int, at: Double, before: KeptLease?)] = []
  /// The last accepted write of each work.
  private var lastWrites: [String: (hub: String, token: Int)] = [:]

  init() { records.news = [(NewsRow(number: 1, hub: "start", touches: []), 0)] }

  func renew(of hub: String, now: Double) -> [String: Int] {
    var held: [String: Int] = [:]
    for work in Self.works {
      let before = records.leases[work]
      let free = KeptLease(hub: hub, token: 0, until: 0)
      guard let lease = (before ?? free).asked(by: hub, now: now, for: LeaseTimes.seconds) else { continue }
      if before?.token != lease.token { taken.append((work, hub, lease.token, now, before)) }
      records.leases[work] = lease
      held[work] = lease.token
    }
    committed()
    return held
  }

  /// A write of work that checks its token (`WriteCondition`).
  /// - Throws: when it is accepted although another hub has the lease.
  func write(_ work: String, of hub: String, token: Int) throws(Failed) -> Bool {
    guard let lease = records.leases[work], lease.hub == hub, lease.token == token else { return false }
    if let last = lastWrites[work], last.token > token || last.token == token && last.hub != hub {
      throw Failed("\(hub) wrote \(work) with token \(token) after \(last)")
    }
    lastWrites[work] = (hub, token)
    return true
  }

  func news(after number: Int) -> [NewsRow] { records.news.filter { $0.row.number > number }.map(\.row) }
  /// The name of the newest row that is not behind a change.
  func newest(upTo number: Int) -> String? { records.news.last { $0.row.number <= number }?.row.name }

  func tidy(now: Double) {
    guard let newest = records.news.last(where: { $0.at < now - Self.keptSeconds })?.row.number else { return }
    records.news.removeAll { $0.row.number < newest }
  }

  /// A transaction is on the disk; a replica gets it later.
  func committed() {
    replica.append(records)
    if replica.count > 6 { replica.removeFirst() }
  }

  /// A replica that lacks the last transactions becomes the server; with the same timeline, the server goes on without
  /// them.
  func failOver(lacking count: Int, to timeline: String) {
    guard let kept = replica.dropLast(count).last else { return }
    (records, self.timeline) = (kept, timeline)
    replica = [kept]
    // Tokens of what is lost are given once more; nobody writes with the first ones, as their hub is checked too.
    lastWrites = [:]
  }
}

struct Failed: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
