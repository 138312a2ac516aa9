/// The syncs that are under way, by turns: next is whoever had theirs longest ago, and a sync that has had its turn
/// steps aside for others. Else one person with two slow servers would hold up everybody's portfolios.
struct SyncTurns: Sendable {
  /// Syncs that work at the same time, and those of one person, who leaves the last place to others. More would cost
  /// memory: each has three files on the line, of up to 64 MB. Uploads, which wait for no server, have as many places.
  static let atOnce = 4
  static let ofPerson = 2
  /// Syncs of one person that have begun, those that have stepped aside included: each keeps a list in memory.
  static let begunOfPerson = 6
  /// Seconds of a turn while others wait.
  static let seconds = 300.0

  private struct Sync {
    let person: Int?
    let isListed: Bool
    /// The number of its last turn.
    var turn = 0
    /// The uptime at which that began; nil while it has stepped aside.
    var began: Double?
    var task: Task<Void, Never>?
  }
  private var syncs: [Int: Sync] = [:]
  /// Portfolios that are due and have no place.
  private var waiting: [Portfolio] = []
  /// The number of the last turn of each person, and of owners together.
  private var last: [Int?: Int] = [:]
  private var count = 0

  func isUnderWay(_ portfolio: Int) -> Bool { syncs[portfolio] != nil }
  func isAside(_ portfolio: Int) -> Bool { syncs[portfolio].map { $0.began == nil } ?? false }
  func isWaiting(_ portfolio: Int) -> Bool { waiting.contains { $0.id == portfolio } }

  /// Gives places to portfolios that are due, and to those that have stepped aside.
  /// - Parameters:
  ///   - due: whoever has waited longest is first.
  ///   - now: the uptime.
  /// - Returns: those whose syncs are to be begun.
  mutating func give(to due: [Portfolio], now: Double) -> [Portfolio] {
    var begun: [Portfolio] = []
    waiting = due.filter { syncs[$0.id]?.began == nil }
    while let place = nextPlace() {
      let next = waiting.remove(at: place)
      count += 1
      last[next.person] = count
      if !isUnderWay(next.id) {
        syncs[next.id] = Sync(person: next.person, isListed: next.source.isListed)
        begun.append(next)
      }
      (syncs[next.id]!.turn, syncs[next.id]!.began) = (count, now)
    }
    return begun
  }

  private func nextPlace() -> Int? {
    waiting.indices.filter { hasPlace(waiting[$0]) }.min { order(waiting[$0]) < order(waiting[$1]) }
  }

  private func order(_ portfolio: Portfolio) -> (Int, Int) {
    (last[portfolio.person] ?? 0, syncs[portfolio.id]?.turn ?? 0)
  }

  private func hasPlace(_ portfolio: Portfolio) -> Bool {
    let begun = syncs.values.filter { $0.isListed == portfolio.source.isListed }
    let own = begun.filter { $0.person == portfolio.person }
    guard isUnderWay(portfolio.id) || own.count < Self.begunOfPerson else { return false }
    let working = begun.count { $0.began != nil }
    let ownWorking = own.count { $0.began != nil }
    return ownWorking == 0 ? working < Self.atOnce : ownWorking < Self.ofPerson && working < Self.atOnce - 1
  }

  /// Has a sync step aside if its turn is over and somebody waits for its place.
  /// - Returns: true if it has to wait for another turn.
  mutating func stepAside(_ portfolio: Int, now: Double) -> Bool {
    guard let began = syncs[portfolio]?.began, now - began >= Self.seconds else { return false }
    syncs[portfolio]?.began = nil
    guard !waiting.contains(where: { hasPlace($0) }) else { return true }
    syncs[portfolio]?.began = began
    return false
  }

  mutating func note(_ task: Task<Void, Never>, of portfolio: Int) { syncs[portfolio]?.task = task }

  /// The tasks of syncs whose portfolios are no more.
  func tasks(except portfolios: Set<Int>) -> [Task<Void, Never>] {
    syncs.compactMap { portfolios.contains($0.key) ? nil : $0.value.task }
  }

  mutating func end(_ portfolio: Int) { syncs[portfolio] = nil }

  /// Turns are given at another hub now: nobody is in line here.
  /// - Returns: the tasks of syncs that have stepped aside, which would wait for ever.
  mutating func leave() -> [Task<Void, Never>] {
    waiting = []
    return syncs.values.compactMap { $0.began == nil ? $0.task : nil }
  }
}
