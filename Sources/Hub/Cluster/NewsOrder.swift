/// The order in which a hub takes over the changes of others and tells their events: rules without a server, a bus or
/// a clock, which a simulation tries as well.
package struct NewsOrder<Events> {
  /// Seconds to wait for the events of a transaction of which a row is known.
  package static var eventSeconds: Double { 0.25 }
  /// The most transactions whose events wait for their row: the oldest go.
  package static var waitingMessages: Int { 1_000 }

  /// The number up to which memory is right.
  package var applied = 0 { didSet { known = max(known, applied) } }
  /// The largest number of which listeners may know: larger than `applied` where the server has lost changes.
  private var known = 0
  /// Events whose row is not known yet, by number.
  private var waiting: [Int: Events] = [:]
  /// Transactions whose events are still to be told, in their order, with the uptime of their arrival.
  private var arrived: [(row: NewsRow, at: Double)] = []
  /// True while one of them is being told.
  private var isTelling = false

  package init() {}

  /// False if the server has lost changes, or a hub that does not know of these has given their numbers once more:
  /// listeners would take what has such a number for something that they have.
  /// - Parameter number: that of the first row that is not known, or else of the server's last change.
  package func goesOn(at number: Int) -> Bool { number == applied || number > known }

  /// Takes a message with the events of a transaction.
  /// - Returns: false if they are of no use any more.
  package mutating func take(_ events: Events, of number: Int) -> Bool {
    guard number > applied || arrived.contains(where: { $0.row.number == number }) else { return false }
    waiting[number] = events
    if waiting.count > Self.waitingMessages, let oldest = waiting.keys.min() { waiting[oldest] = nil }
    return true
  }

  /// Memory is right up to a number, and these are the transactions since the last one.
  package mutating func takeOver(_ news: [NewsRow], upTo number: Int, at uptime: Double) {
    applied = number
    arrived += news.map { ($0, uptime) }
  }

  /// Takes a transaction of this hub that was just committed.
  /// - Returns: true if its events are to be told now; otherwise their turn comes behind what others committed before.
  package mutating func takeOwn(_ row: NewsRow, _ events: Events, at uptime: Double) -> Bool {
    applied = row.number
    if arrived.isEmpty, !isTelling { return true }
    arrived.append((row, uptime))
    waiting[row.number] = events
    return false
  }

  /// Forgets all that was noted of others' changes; memory is right up to a number.
  package mutating func beginAnew(at number: Int) {
    applied = number
    (waiting, arrived) = ([:], [])
  }

  package enum Next {
    /// The next transaction; its events are nil if they have not come.
    case tell(NewsRow, Events?)
    /// Its events may still come within so many seconds.
    case wait(Double)
    case nothing
  }

  /// The next transaction whose events are to be told, or how long to wait for them.
  /// - Parameters:
  ///   - mayCome: true if events of a row may be on their way.
  package mutating func next(at uptime: Double, mayCome: (NewsRow) -> Bool) -> Next {
    isTelling = false
    guard let first = arrived.first else { return .nothing }
    let events = waiting.removeValue(forKey: first.row.number)
    let left = first.at + Self.eventSeconds - uptime
    if events == nil, left > 0, mayCome(first.row) { return .wait(left) }
    arrived.removeFirst()
    isTelling = true
    return .tell(first.row, events)
  }
}
