import Testing

@testable import Portfolio

/// The ids of those that begin.
private func begun(_ turns: inout SyncTurns, _ due: [Portfolio], at now: Double) -> [Int] {
  turns.give(to: due, now: now).map(\.id)
}

struct SyncTurnsTests {
  private static func portfolio(_ id: Int, of person: Int?, _ kind: SourceName.Kind = .webdav) -> Portfolio {
    var portfolio = Portfolio(address: "\(id)", person: person, name: "Work", source: SourceName(kind, ""))
    portfolio.id = id
    return portfolio
  }

  @Test func `a look is due at its time, and where a clock that was ahead has put it off by months`() {
    var portfolio = Self.portfolio(1, of: 7)
    #expect(!portfolio.isDue(now: 1_000), "nobody has asked")
    for (next, isDue) in [(999.0, true), (1_001, false), (1_000 + PortfolioLimits.lookSeconds, false), (9e6, true)] {
      portfolio.nextAt = next
      #expect(portfolio.isDue(now: 1_000) == isDue, "\(next)")
    }
  }

  @Test func `one person has two places, the last one is for somebody else, and uploads have their own`() {
    var turns = SyncTurns()
    let ofAda = (1...5).map { Self.portfolio($0, of: 7) }
    #expect(begun(&turns, ofAda, at: 0) == [1, 2])
    let others = [Self.portfolio(6, of: 8), Self.portfolio(7, of: 8), Self.portfolio(8, of: nil)]
    #expect(begun(&turns, ofAda + others, at: 0) == [6, 8])
    #expect(turns.isWaiting(3) && turns.isWaiting(7) && !turns.isWaiting(6))
    #expect(begun(&turns, [Self.portfolio(9, of: 7, .uploads)], at: 0) == [9])
  }

  @Test func `a sync steps aside after its turn, for others, and goes on at its next one`() {
    var turns = SyncTurns()
    let slow = (1...4).map { Self.portfolio($0, of: $0) }
    #expect(begun(&turns, slow, at: 0) == [1, 2, 3, 4])
    var isAside = turns.stepAside(1, now: SyncTurns.seconds)
    #expect(!isAside, "nobody waits")
    let good = Self.portfolio(5, of: 5)
    #expect(begun(&turns, [good], at: 10) == [])
    isAside = turns.stepAside(1, now: SyncTurns.seconds - 1)
    #expect(!isAside)
    isAside = turns.stepAside(1, now: SyncTurns.seconds)
    #expect(isAside && turns.isAside(1) && turns.isUnderWay(1))
    // Whoever has just had a turn waits for whoever has not, though it was due before.
    #expect(begun(&turns, [slow[0], good], at: 400) == [5])
    #expect(turns.isAside(1))
    turns.end(5)
    #expect(begun(&turns, [slow[0]], at: 410) == [])
    #expect(!turns.isAside(1))
  }

  @Test func `a person's own portfolios take turns as well, as many as may have begun`() {
    var turns = SyncTurns()
    let all = (1...9).map { Self.portfolio($0, of: 7) }
    var order = begun(&turns, all, at: 0)
    for round in 1...4 {
      for one in all where turns.isUnderWay(one.id) { _ = turns.stepAside(one.id, now: Double(round) * 400) }
      order += begun(&turns, all, at: Double(round) * 400)
    }
    #expect(order == [1, 2, 3, 4, 5, 6])
    // The first two have had a second turn, and the next two have theirs.
    #expect(all.filter { turns.isUnderWay($0.id) && !turns.isAside($0.id) }.map(\.id) == [3, 4])
  }

  @Test func `the sync of a portfolio that is gone is found`() {
    var turns = SyncTurns()
    _ = turns.give(to: [Self.portfolio(1, of: 7), Self.portfolio(2, of: 7)], now: 0)
    turns.note(Task {}, of: 1)
    #expect(turns.tasks(except: [1, 2]).isEmpty && turns.tasks(except: [2]).count == 1)
  }

  @Test func `where turns are given elsewhere, what has stepped aside ends, and nobody is in line`() {
    var turns = SyncTurns()
    let slow = (1...4).map { Self.portfolio($0, of: $0) }
    _ = turns.give(to: slow, now: 0)
    for one in slow { turns.note(Task {}, of: one.id) }
    #expect(turns.leave().isEmpty)
    _ = turns.give(to: [Self.portfolio(5, of: 5), Self.portfolio(6, of: 6)], now: 10)
    _ = turns.stepAside(1, now: 400)
    #expect(turns.isAside(1) && turns.isWaiting(6))
    #expect(turns.leave().count == 1 && !turns.isWaiting(5) && !turns.isWaiting(6))
  }
}
