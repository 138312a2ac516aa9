import Hub
import Testing

/// The moments at which those who listen at a hub that leaves are told to go.
struct DrainTests {
  /// The number, of 1,000, that are told in each of the steps, whose lengths differ as on a busy machine.
  private func told(over seconds: Double, steps: [Double]) -> [Double] {
    let drain = Drain(seconds: seconds)
    var (before, left, all) = (0.0, 1_000.0, [Double]())
    for now in steps {
      let share = drain.share(from: before, to: now)
      #expect((0...1).contains(share))
      all.append(left * share)
      left -= left * share
      before = now
    }
    #expect(left == 0, "all are told in the end")
    return all
  }

  @Test func `nobody is told in the first sixth, and then as many in each second`() {
    let found = told(over: 30, steps: (1...30).map(Double.init))
    #expect(found.prefix(5).allSatisfy { $0 == 0 })
    #expect(found.dropFirst(5).allSatisfy { abs($0 - 40) < 1e-6 })
  }

  @Test func `a step that takes long tells those of its time`() {
    let found = told(over: 12, steps: [1, 3, 4, 9, 12])
    let expected = [0, 100, 100, 500, 300.0]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(told(over: 6, steps: [20]) == [1_000], "past the end nobody is left")
  }
}
