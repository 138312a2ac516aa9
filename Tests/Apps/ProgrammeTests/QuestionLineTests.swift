import EventLoop
import Hub
import Lifecycle
import Observe
import Server
import Programme
import Synchronization
import Testing
import World

/// An actor with a thread of its own, which can be blocked.
private actor Oracle {
  private nonisolated let worker = WorkerThread(name: "oracle")
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
  private(set) var answered: [Int] = []

  func answer(_ number: Int) -> Int {
    answered.append(number)
    return number
  }
}

@Suite(.timeLimit(.minutes(1)))
struct QuestionLineTests {
  private let oracle = Oracle()
  private let supervisor = Supervisor(
    loop: EventLoop(time: VirtualTime()), log: Log(time: VirtualTime(), sink: { _ in }), metrics: Metrics())
  private let line: QuestionLine<Oracle>
  /// Blocks the oracle until it is opened.
  private let gate = Gate()

  init() { line = QuestionLine("oracle", limit: 12, share: 4, Metrics(), supervisor) }

  /// Asks, after the gate, for a number.
  private func ask(_ number: Int, by asker: String = "somebody", isStranger: Bool = false) -> Task<Int?, Never> {
    Task { [oracle, line] in
      try? await line.ask(oracle, "\(number)", by: asker, isStranger: isStranger) { $0.answer(number) }
    }
  }

  /// Blocks the oracle with one question, so that all others wait in the line.
  private func occupy() async -> Task<Int?, Never> {
    let busy = Task { [oracle, line, gate] in
      try? await line.ask(oracle, "busy", by: "another") { _ in
        gate.wait()
        return 0
      }
    }
    await gate.reached()
    return busy
  }

  private func untilWaiting(_ count: Int) async {
    while line.waiting != count { await Task.yield() }
  }

  @Test func `the same question is computed once for all who ask it`() async {
    let busy = await occupy()
    let asked = (0..<100).map { ask(7, by: "person \($0)") }
    await untilWaiting(1)
    for _ in 0..<100 { await Task.yield() }
    #expect(line.waiting == 1)
    gate.open()
    for task in asked { #expect(await task.value == 7) }
    _ = await busy.value
    #expect(await oracle.answered == [7])
  }

  @Test func `one asker has a share of the line, and all together have an end`() async {
    let busy = await occupy()
    let greedy = (1...10).map { ask($0, by: "greedy") }
    await untilWaiting(4)
    let others = (11...20).map { ask($0, by: "person \($0)") }
    await untilWaiting(12)
    // Two of the others find the line full.
    gate.open()
    var (got, refused) = (0, 0)
    for task in greedy + others { if await task.value == nil { refused += 1 } else { got += 1 } }
    _ = await busy.value
    #expect((got, refused) == (12, 8))
    #expect(line.waiting == 0)
  }

  @Test func `strangers leave half of the line to those who are known`() async {
    let busy = await occupy()
    let strangers = (1...20).map { ask($0, by: "198.51.100.\($0)", isStranger: true) }
    await untilWaiting(6)
    let known = (21...26).map { ask($0, by: "person \($0)") }
    await untilWaiting(12)
    gate.open()
    var got = 0
    for task in strangers where await task.value != nil { got += 1 }
    #expect(got == 6)
    for task in known { #expect(await task.value != nil) }
    _ = await busy.value
  }

  @Test func `what nobody waits for any more is not computed`() async {
    let busy = await occupy()
    let left = (1...3).map { ask($0, by: "left") }
    let shared = [ask(4, by: "stays"), ask(4, by: "left")]
    await untilWaiting(4)
    for task in left + [shared[1]] { task.cancel() }
    for task in left { #expect(await task.value == nil) }
    #expect(line.waiting == 1)
    gate.open()
    #expect(await shared[0].value == 4)
    _ = await busy.value
    #expect(await oracle.answered == [4])
  }

  @Test func `what is asked while the hub goes down is refused at once`() async {
    let loop = EventLoop(time: VirtualTime())
    loop.runInBackground(name: "test")
    let supervisor = Supervisor(loop: loop, log: Log(time: VirtualTime(), sink: { _ in }), metrics: Metrics())
    let line = QuestionLine<Oracle>("oracle", limit: 12, share: 4, Metrics(), supervisor)
    #expect(await supervisor.end(within: 1) == [])
    await #expect(throws: HTTPError.self) { try await line.ask(oracle, "late", by: "somebody") { $0.answer(1) } }
    #expect(line.waiting == 0)
    #expect(await oracle.answered == [])
    loop.stop()
  }

  @Test func `an answer may be none`() async throws {
    let none: Int? = try await line.ask(oracle, "none", by: "somebody") { _ in nil }
    #expect(none == nil)
  }
}

/// Blocks a thread until it is opened.
private final class Gate: Sendable {
  private let isReached = Atomic(false)
  private let isOpen = Atomic(false)
  private let signal = ThreadSignal()

  func wait() {
    isReached.store(true, ordering: .releasing)
    while !isOpen.load(ordering: .acquiring) { signal.wait(atMost: 0.01) }
  }

  func open() { isOpen.store(true, ordering: .releasing) }

  func reached() async {
    while !isReached.load(ordering: .acquiring) { await Task.yield() }
  }
}
