import Hub
import Store

/// A hub in a simulation: what it keeps in memory, which work it does, and what its listeners have heard. Its own clock
/// is not right.
final class SimulatedHub {
  /// Another one after each start, as `Cluster.id`.
  let id: String
  private let server: SimulatedServer
  /// Seconds of its clock per second.
  private let pace: Double
  private let bornAt: Double
  /// The number of the last change when it was started.
  let bornNumber: Int

  private(set) var order = NewsOrder<Bool>()
  private var history = ServerHistory()
  private var memory: [Int]
  private var lastGiven: Int
  private(set) var held: [String: (token: Int, until: Double)] = [:]
  /// The numbers of transactions, its own too, of which listeners were told, in that order, and up to which number they
  /// were told to ask.
  private(set) var told: [Int] = []
  private(set) var askedUpTo = 0

  init(id: String, _ server: SimulatedServer, pace: Double, at time: Double) {
    (self.id, self.server, self.pace, bornAt) = (id, server, pace, time)
    // `Hub.numberCommits`.
    let number = max(server.records.above + 1, Int(time * 1e6))
    server.records.above = number
    server.records.news.append((NewsRow(number: number, hub: "start", touches: []), time))
    server.committed()
    (bornNumber, lastGiven, memory) = (number, number, server.records.rows)
    order.applied = number
    _ = history.isSame(server.timeline, before: server.newest(upTo: number))
  }

  func uptime(_ time: Double) -> Double { (time - bornAt) * pace }

  // MARK: Transactions

  /// Takes over what others have committed, as `Cluster.takeOver` does.
  func takeOver(at time: Double) throws(Failed) {
    let (above, applied) = (server.records.above, order.applied)
    let (before, news) = (server.newest(upTo: applied), server.news(after: applied))
    lastGiven = max(lastGiven, above)
    if !history.isSame(server.timeline, before: before) || !order.goesOn(at: news.first?.number ?? above) {
      history.timeline = server.timeline
      lastGiven = max(lastGiven, ServerHistory.beginning(above: above, applied, now: time))
      memory = server.records.rows
      order.beginAnew(at: above)
      askedUpTo = above
    } else if above > applied {
      if before == nil {
        memory = server.records.rows
        order.beginAnew(at: above)
        askedUpTo = above
      } else {
        for row in news.flatMap(\.touches).compactMap(\.key) { memory[row] = server.records.rows[row] }
        order.takeOver(news, upTo: above, at: uptime(time))
      }
    }
    history.newest = server.newest(upTo: above)
    guard memory == server.records.rows else {
      throw Failed("\(id) is about to change something with \(memory) in memory, and \(server.records.rows) is true")
    }
  }

  /// Writes a row.
  /// - Returns: the transaction's number.
  func write(row: Int, at time: Double) throws(Failed) -> Int {
    try takeOver(at: time)
    lastGiven += 1
    let number = lastGiven
    guard number > server.records.above else { throw Failed("\(id) gives the number \(number) a second time") }
    server.records.rows[row] = number
    server.records.above = number
    server.records.news.append((NewsRow(number: number, hub: id, touches: [Touch("row", row)]), time))
    server.committed()
    return number
  }

  /// A write of its own was acknowledged.
  func acknowledged(_ number: Int, row: Int, at time: Double) throws(Failed) {
    memory[row] = number
    let news = NewsRow(number: number, hub: id, touches: [])
    history.newest = news.name
    if order.takeOwn(news, true, at: uptime(time)) { try tell(number) }
  }

  // MARK: Leases

  /// The server has answered which leases it has, for which it was asked at an uptime.
  func apply(_ answer: [String: Int], asked: Double, at time: Double) {
    let until = LeaseTimes.end(asked: asked)
    held = until > uptime(time) ? answer.mapValues { ($0, until) } : [:]
  }

  /// Ends work whose lease has ended.
  func watch(at time: Double) { held = held.filter { $0.value.until > uptime(time) } }

  // MARK: News

  func take(_ number: Int) -> Bool { order.take(true, of: number) }

  /// Tells listeners what has arrived.
  func deliver(at time: Double, isUp: Bool) throws(Failed) {
    while case .tell(let row, _) = order.next(at: uptime(time), mayCome: { isUp && $0.hub != id }) {
      try tell(row.number)
    }
  }

  private func tell(_ number: Int) throws(Failed) {
    guard number > told.last ?? 0, number > askedUpTo else {
      throw Failed("\(id) tells of \(number) after \(max(told.last ?? 0, askedUpTo))")
    }
    told.append(number)
  }
}
