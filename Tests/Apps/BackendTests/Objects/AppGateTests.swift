import Testing

@testable import Backend

struct AppGateTests {
  @Test func `an app has its turns, the others wait in order, and who is too many is told so`() async {
    let gate = AppGate(2, waiting: 100)
    for _ in 0..<2 { #expect(await gate.enter(1)) }
    #expect(await gate.enter(2), "another app does not wait")
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          #expect(await gate.enter(1))
          gate.leave(1)
        }
      }
      while gate.waiting(of: 1) < 100 { await Task.yield() }
      #expect(await !gate.enter(1))
      for _ in 0..<2 { gate.leave(1) }
    }
    #expect(gate.waiting(of: 1) == 0)
    for _ in 0..<2 { #expect(await gate.enter(1), "all turns are free again") }
  }
}
