import EventLoop
import Hub
import Lifecycle
import Observe
import Synchronization
import Testing
import World

struct HealthTests {
  /// A store with prescribed answers, which counts its calls.
  final class Patient: Sendable {
    struct State {
      var reads = 0
      var writes = 0
      var readFailure: String?
      var writeFailure: String?
      var log = ""
      var answers: [String?] = []
    }
    let state = Mutex(State())
    let time = VirtualTime()
    let loop: EventLoop
    let supervisor: Supervisor
    /// The store answers once this stream ends, if set.
    let silence: AsyncStream<Void>?

    init(silence: AsyncStream<Void>? = nil) {
      loop = EventLoop(time: time)
      supervisor = Supervisor(loop: loop, log: Log(time: time, sink: { _ in }), metrics: Metrics())
      self.silence = silence
      loop.turn(wait: 0)
    }

    var health: Health {
      Health(
        loop: loop, log: Log(time: time, sink: { line in self.state.withLock { $0.log += line } }),
        supervisor: supervisor,
        read: {
          if let silence = self.silence { for await _ in silence {} }
          return self.state.withLock { state in
            state.reads += 1
            return state.readFailure
          }
        },
        write: {
          self.state.withLock { state in
            state.writes += 1
            return state.writeFailure
          }
        })
    }

    var counts: [Int] { state.withLock { [$0.reads, $0.writes] } }
  }

  @Test func `a store that reads and writes is well, and is not asked again within a second`() async {
    let patient = Patient()
    let health = patient.health
    for _ in 0..<100 { #expect(await health.problem() == nil) }
    #expect(patient.counts == [1, 1])
    patient.time.advance(by: 1)
    #expect(await health.problem() == nil)
    #expect(patient.counts == [2, 1], "it is written at most every ten seconds")
    patient.time.advance(by: 9)
    #expect(await health.problem() == nil)
    #expect(patient.counts == [3, 2])
    #expect(patient.state.withLock(\.log) == "")
  }

  @Test func `a full disk is told, tried again each second, and written down once`() async {
    let patient = Patient()
    let health = patient.health
    patient.state.withLock { $0.writeFailure = "database or disk is full" }
    for second in 1...3 {
      #expect(await health.problem() == "The store cannot be written: database or disk is full.")
      #expect(patient.counts == [second, second])
      patient.time.advance(by: 1)
    }
    patient.state.withLock { $0.writeFailure = nil }
    #expect(await health.problem() == nil)
    let lines = patient.state.withLock(\.log).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("error the hub is not healthy") == true)
    #expect(lines.last?.contains("info the hub is healthy again") == true)
  }

  @Test func `a store that cannot be read is not written`() async {
    let patient = Patient()
    patient.state.withLock { $0.readFailure = "disk I/O error" }
    #expect(await patient.health.problem() == "The store cannot be read: disk I/O error.")
    #expect(patient.counts == [1, 0])
  }

  @Test func `a hub that ends asks its store no more, and says so`() async {
    let patient = Patient()
    let health = patient.health
    #expect(await patient.supervisor.end(within: 1).isEmpty)
    for _ in 0..<2 { #expect(await health.problem() == "The hub is ending.") }
    #expect(patient.counts == [0, 0])
  }

  @Test func `a store that stays silent is given up for everyone who waits, and asked no second time`() async throws {
    let (silence, end) = AsyncStream<Void>.makeStream()
    let patient = Patient(silence: silence)
    let health = patient.health
    for _ in 0..<3 {
      Task(executorPreference: patient.loop) {
        let answer = await health.problem()
        patient.state.withLock { $0.answers.append(answer) }
      }
    }
    // The timer is on the loop, whose time advances here.
    let limit = SystemTime().uptime + 10
    while patient.state.withLock(\.answers.count) < 3, SystemTime().uptime < limit {
      patient.loop.turn(wait: 0.01)
      patient.time.advance(by: 0.1)
    }
    let expected = "The store has not answered within 5 s."
    // A later call would wait for a loop that is not turned any more.
    try #require(patient.state.withLock(\.answers) == [expected, expected, expected])
    patient.time.advance(by: 60)
    #expect(await health.problem() == expected, "while the first check hangs, nobody waits for it")
    #expect(patient.counts == [0, 0])
    end.finish()
    while patient.counts != [1, 1], SystemTime().uptime < limit { await Task.yield() }
    #expect(patient.counts == [1, 1])
  }
}
