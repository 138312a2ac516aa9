import Testing

@testable import Portfolio

/// The PIN of a link, whose tries the hub counts.
struct PINTests {
  private func link(_ pin: String = "2468") -> SentPortfolio {
    var sent = SentPortfolio(portfolio: 1, address: "a", title: "Two series")
    sent.pin = pin
    return sent
  }

  @Test func `of 10,000 guesses a hundred count, and then the link is locked for the right PIN too`() {
    var sent = link("9999")
    var outcomes: [SentPortfolio.PINOutcome] = []
    // One every ten seconds: most of them while the link waits.
    for guess in 0..<10_000 {
      let digits = String(guess)
      let pin = String(repeating: "0", count: 4 - digits.count) + digits
      outcomes.append(sent.take(pin: pin, at: Double(guess) * 10))
    }
    #expect(outcomes.filter { $0 == .wrong }.count == SentLimits.triesInAll - 1)
    #expect(outcomes.filter { $0 == .nowLocked }.count == 1)
    #expect(!outcomes.contains(.right))
    #expect(sent.take(pin: "9999", at: 1e9) == .locked)
  }

  @Test func `each ten wrong ones wait twice as long, up to an hour`() {
    var sent = link()
    var (now, waits): (Double, [Double]) = (0, [])
    while waits.count < 9 {
      switch sent.take(pin: "0000", at: now) {
      case .wait(let seconds):
        waits.append(seconds)
        now += seconds
      case .wrong: continue
      case .right, .locked, .nowLocked: Issue.record("\(waits)")
      }
    }
    #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
    #expect(sent.take(pin: "2468", at: now) == .right)
  }

  @Test func `a clock that was set back makes nobody wait for longer than an hour`() {
    var sent = link()
    for _ in 0..<SentLimits.triesBeforeWait { _ = sent.take(pin: "0000", at: 90_000) }
    #expect(sent.take(pin: "2468", at: 90_000) == .wait(60))
    #expect(sent.take(pin: "2468", at: 3_600) == .right)
  }

  @Test func `a link without a PIN lets everybody in, and ends at its time`() {
    var sent = link("")
    #expect(sent.take(pin: "whatever", at: 0) == .right)
    sent.until = 100
    #expect(sent.isOpen(at: 99) && !sent.isOpen(at: 100))
    (sent.until, sent.withdrawnAt) = (nil, 5)
    #expect(!sent.isOpen(at: 6))
  }
}
