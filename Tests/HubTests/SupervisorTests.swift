import EventLoop
import Hub
import HubWorld
import Observe
import Server
import Store
import Synchronization
import Testing
import Wire
import World

/// Background tasks are run again when they fail, and end when told.
@Suite(.timeLimit(.minutes(1)))
struct SupervisorTests {
  struct Broken: Error {}

  final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }

  @Test func `a task that fails is run again, later and later, and the others go on`() async throws {
    let test = try await TestHub()
    let (failing, steady) = (Counter(), Counter())
    test.hub.supervisor.run("failing") {
      failing.add()
      throw Broken()
    }
    let poller = Poller(test.loop)
    test.hub.supervisor.run("steady") {
      try await poller.run {
        steady.add()
        return 1
      }
    }
    try await test.wait { failing.count == 1 && steady.count == 1 }
    // After 1, 2 and 4 seconds.
    let supervisor = test.hub.supervisor
    for (restarts, seconds) in [(1, 1.0), (2, 2.0), (3, 4.0)] {
      try await test.wait { supervisor.reports["failing"]?.restarts == restarts }
      // The failure is recorded before the pause, in the same turn of the loop.
      await test.turn()
      test.time.advance(by: seconds - 0.5)
      for _ in 0..<5 { await test.turn() }
      #expect(failing.count == restarts)
      test.time.advance(by: 0.5)
      try await test.wait { failing.count == restarts + 1 }
    }
    #expect(steady.count > 1)
    #expect(test.hub.supervisor.reports["steady"] == Supervisor.Report())
    #expect(test.hub.supervisor.failing == ["failing"])
    guard case .bytes(let told) = try await test.ask(.get, "/healthz").body else { throw Broken() }
    #expect(try JSON(parsing: told)["failing_tasks"] == ["failing"])
    let metrics = String(decoding: test.hub.metrics.text(), as: UTF8.self)
    #expect(metrics.contains(#"eightbells_task_restarts_total{task="failing"} "#), "\(metrics)")
    await test.end()
  }

  static let away: [any Error] = [
    HTTPError(.databaseAway, "It is away.", help: "None."),
    // Of one that lets nobody change anything, as a replica.
    StoreError(.server("25006"), "It is read-only", context: "test"),
  ]

  @Test(arguments: away)
  func `of a task that fails while the database server is away the log has one line`(error: any Error) async throws {
    let test = try await TestHub()
    let lines = Counter()
    let log = Log(time: test.time, sink: { line in if line.contains("a task failed") { lines.add() } })
    let supervisor = Supervisor(loop: test.loop, log: log, metrics: Metrics())
    supervisor.run("failing") { throw error }
    try await test.wait(passing: 1) { supervisor.reports["failing"]?.restarts ?? 0 >= 3 }
    #expect(lines.count == 1)
    #expect(await supervisor.end(within: 10) == [])
    await test.end()
  }

  @Test func `once a full disk has room, tasks go on within seconds`() async throws {
    let test = try await TestHub()
    let lines = Counter()
    let log = Log(time: test.time, sink: { line in if line.contains("a task failed") { lines.add() } })
    let supervisor = Supervisor(loop: test.loop, log: log, metrics: Metrics())
    supervisor.run("failing") { throw HTTPError(.diskFull, "It is full.", help: "None.") }
    try await test.wait(passing: 1) { supervisor.reports["failing"]?.restarts ?? 0 >= 8 }
    let began = test.time.uptime
    try await test.wait(passing: 1) { supervisor.reports["failing"]?.restarts ?? 0 >= 9 }
    #expect(test.time.uptime - began <= 10, "as after an hour")
    #expect(lines.count == 1)
    #expect(await supervisor.end(within: 10) == [])
    await test.end()
  }

  @Test func `all tasks end when they are told, and one that does not is named`() async throws {
    let test = try await TestHub()
    let poller = Poller(test.loop)
    test.hub.supervisor.run("polite") { try await poller.wait(atMost: nil) }
    let deaf = Waiter()
    test.hub.supervisor.run("deaf") { await deaf.wait() }
    try await test.wait { deaf.isWaiting }
    let supervisor = test.hub.supervisor
    let isOver = Counter()
    let ended = Task {
      let late = await supervisor.end(within: 10)
      isOver.add()
      return late
    }
    try await test.wait(passing: 10) { isOver.count == 1 }
    #expect(await ended.value == ["deaf"])
    deaf.go()
    await test.end()
  }

  @Test func `what runs once is cancelled and waited for at the end, and nothing is begun after it`() async throws {
    let test = try await TestHub()
    let supervisor = test.hub.supervisor
    let (ended, quick) = (Counter(), Counter())
    supervisor.once("quick") { quick.add() }
    for _ in 0..<3 {
      let poller = Poller(test.loop)
      supervisor.once("patient") {
        try? await poller.wait(atMost: nil)
        ended.add()
      }
    }
    try await test.wait { quick.count == 1 }
    #expect(ended.count == 0)
    #expect(await supervisor.end(within: 10) == [])
    #expect(ended.count == 3)
    #expect(supervisor.once("late") { quick.add() } == nil)
    await test.end()
    #expect(quick.count == 1)
  }

  /// Waits, ignoring its task's cancellation.
  final class Waiter: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
    var isWaiting: Bool { continuation.withLock { $0 != nil } }
    func wait() async { await withCheckedContinuation { one in continuation.withLock { $0 = one } } }
    func go() { continuation.withLock { $0 }?.resume() }
  }
}
