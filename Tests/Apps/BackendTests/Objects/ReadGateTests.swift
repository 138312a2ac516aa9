import Testing

@testable import Backend

struct ReadGateTests {
  @Test func `an app has its turns, the others wait in order, and who is too many is told so`() async {
    let gate = ReadGate()
    for _ in 0..<AppsLimits.reads { #expect(await gate.enter(1)) }
    #expect(await gate.enter(2), "another app does not wait")
    await withTaskGroup { group in
      for _ in 0..<AppsLimits.readsWaiting {
        group.addTask {
          #expect(await gate.enter(1))
          gate.leave(1)
        }
      }
      while gate.waiting(of: 1) < AppsLimits.readsWaiting { await Task.yield() }
      #expect(await !gate.enter(1))
      for _ in 0..<AppsLimits.reads { gate.leave(1) }
    }
    #expect(gate.waiting(of: 1) == 0)
    for _ in 0..<AppsLimits.reads { #expect(await gate.enter(1), "all turns are free again") }
  }
}
