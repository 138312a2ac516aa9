import EventLoop
import Glibc
import Lifecycle
import Synchronization
import Testing
import World

struct EventLoopTests {
  /// Collects events, from any thread.
  final class Diary: Sendable {
    private let entries = Mutex<[String]>([])
    func write(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  /// Turns the loop until a condition holds, for at most a few seconds of real time.
  static func turn(_ loop: EventLoop, until isSo: () -> Bool) {
    let limit = SystemTime().uptime + 5
    while !isSo(), SystemTime().uptime < limit { loop.turn(wait: 0.01) }
    #expect(isSo(), "nothing happened within 5 seconds")
  }

  @Test func `a thread that gathers its wakes hands over everything before the loop begins`() {
    let loop = EventLoop(time: SystemTime())
    let diary = Diary()
    loop.runInBackground(name: "gathering")
    Wakes.gather {
      for number in 0..<3 { loop.execute { diary.write("\(number)") } }
      usleep(20_000)
      #expect(diary.all == [])
    }
    let limit = SystemTime().uptime + 5
    while diary.all.count < 3, SystemTime().uptime < limit { usleep(1_000) }
    #expect(diary.all == ["0", "1", "2"])
    loop.stop()
  }

  @Test func `timers fire by their deadline, and equal ones in the order they were made`() {
    let time = VirtualTime()
    let loop = EventLoop(time: time)
    let diary = Diary()
    loop.turn(wait: 0)
    for (name, seconds) in [("c", 3.0), ("a", 1), ("b1", 2), ("b2", 2)] {
      loop.schedule(after: seconds) { diary.write(name) }
    }
    let cancelled = loop.schedule(after: 1) { diary.write("cancelled") }
    cancelled.cancel()
    loop.turn(wait: 0)
    #expect(diary.all == [])
    time.advance(by: 2)
    loop.turn(wait: 0)
    #expect(diary.all == ["a", "b1", "b2"])
    time.advance(by: 8 * 3600)
    loop.turn(wait: 0)
    #expect(diary.all == ["a", "b1", "b2", "c"])
  }

  @Test func `a timer that is set anew at once waits for the next turn`() {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    var count = 0
    func again() {
      count += 1
      if count < 100 { loop.schedule(after: 0) { again() } }
    }
    again()
    loop.turn(wait: 0)
    #expect(count == 2)
  }

  @Test func `a cancelled timer lets go of its work at once, wherever it stands in the queue`() {
    final class Work: Sendable {}
    let time = VirtualTime()
    let loop = EventLoop(time: time)
    let diary = Diary()
    loop.turn(wait: 0)
    var generator = SeededGenerator(state: 7)
    var timers: [(deadline: Double, timer: LoopTimer)] = []
    weak var kept: Work?
    for number in 0..<500 {
      let deadline = Double(Int.random(in: 1...100, using: &generator))
      let work = Work()
      if number == 250 { kept = work }
      timers.append(
        (
          deadline,
          loop.schedule(after: deadline) {
            _ = work
            diary.write("\(Int(deadline))")
          }
        ))
    }
    timers[250].timer.cancel()
    #expect(kept == nil)
    var left: [Double] = []
    for (index, entry) in timers.enumerated() where index != 250 {
      if Bool.random(using: &generator) { entry.timer.cancel() } else { left.append(entry.deadline) }
    }
    for _ in 0..<100 {
      time.advance(by: 1)
      loop.turn(wait: 0)
    }
    #expect(diary.all == left.sorted().map { "\(Int($0))" })
  }

  @Test func `a task bound to the loop runs on its thread and comes back to it`() {
    let loop = EventLoop(time: SystemTime())
    let worker = WorkerThread(name: "test")
    actor Far {
      nonisolated let worker: WorkerThread
      nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
      init(_ worker: WorkerThread) { self.worker = worker }
      func isHere(_ loop: EventLoop) -> Bool { loop.isCurrent }
    }
    let far = Far(worker)
    let diary = Diary()
    loop.turn(wait: 0)
    Task(executorPreference: loop) {
      diary.write("before \(loop.isCurrent)")
      diary.write("far \(await far.isHere(loop))")
      diary.write("after \(loop.isCurrent)")
    }
    Self.turn(loop) { diary.all.count == 3 }
    #expect(diary.all == ["before true", "far false", "after true"])
  }

  @Test func `work from other threads arrives in order`() {
    let loop = EventLoop(time: SystemTime())
    let diary = Diary()
    for number in 0..<1000 { loop.execute { diary.write("\(number)") } }
    Self.turn(loop) { diary.all.count == 1000 }
    #expect(diary.all == (0..<1000).map(String.init))
  }

  @Test func `what is left for the end of a turn runs after its events, and may leave more`() {
    let loop = EventLoop(time: VirtualTime())
    let diary = Diary()
    loop.turn(wait: 0)
    loop.execute {
      loop.atEndOfTurn {
        diary.write("end")
        loop.atEndOfTurn { diary.write("end of the end") }
      }
      diary.write("event")
    }
    loop.turn(wait: 0)
    #expect(diary.all == ["event", "end", "end of the end"])
  }

  final class Reader: Watcher {
    let diary: Diary
    let name: String
    var action: () -> Void = {}
    init(_ diary: Diary, _ name: String) {
      self.diary = diary
      self.name = name
    }
    func ready(_ readiness: Readiness) {
      diary.write(name)
      action()
    }
  }

  @Test func `an event for a descriptor that was closed meanwhile does not reach its successor`() throws {
    let loop = EventLoop(time: VirtualTime())
    let diary = Diary()
    var first: (Int32, Int32) = (0, 0)
    var second: (Int32, Int32) = (0, 0)
    func pair() -> (Int32, Int32) {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      return (ends[0], ends[1])
    }
    first = pair()
    second = pair()
    defer { for end in [first.0, first.1, second.1] { close(end) } }
    let successor = Reader(diary, "successor")
    let old = Reader(diary, "old")
    let closer = Reader(diary, "closer")
    // The first one closes the other's descriptor and opens a new one, which gets the same number.
    closer.action = {
      loop.unwatch(second.0)
      // Closes the old descriptor and opens a new one with its number, in one step, since other tests open descriptors
      // as well.
      dup2(first.1, second.0)
      loop.watch(second.0, for: .readable, successor)
    }
    loop.turn(wait: 0)
    loop.watch(first.0, for: .readable, closer)
    loop.watch(second.0, for: .readable, old)
    write(first.1, "x", 1)
    write(second.1, "x", 1)
    loop.turn(wait: 0)
    #expect(diary.all == ["closer"])
    loop.unwatch(second.0)
    close(second.0)
  }

  @Test func `what is to run next waits for nothing but what asked for it`() {
    let loop = EventLoop(time: VirtualTime())
    let diary = Diary()
    var pipes: [[Int32]] = [[0, 0], [0, 0]]
    loop.turn(wait: 0)
    var readers: [Reader] = []
    for index in pipes.indices {
      pipe(&pipes[index])
      let reader = Reader(diary, "event \(index)")
      reader.action = {
        loop.runNext {
          diary.write("next")
          Task(executorPreference: loop) { diary.write("its job") }
        }
        diary.write("done")
      }
      readers.append(reader)
      loop.watch(pipes[index][0], for: .readable, reader)
      write(pipes[index][1], "x", 1)
    }
    for name in ["call 0", "call 1"] {
      loop.execute {
        loop.runNext { diary.write("next") }
        diary.write(name)
      }
    }
    loop.turn(wait: 0)
    let handled = ["done", "next", "its job"]
    #expect(diary.all == ["event 0"] + handled + ["event 1"] + handled + ["call 0", "next", "call 1", "next"])
    for end in pipes.joined() { close(end) }
  }

  @Test func `what is put off to the next turn comes behind what happens in it, and only once`() {
    let loop = EventLoop(time: SystemTime())
    let diary = Diary()
    loop.turn(wait: 0)
    loop.atNextTurn {
      diary.write("first")
      loop.atNextTurn { diary.write("second") }
    }
    #expect(diary.all == [])
    // Returns without waiting for another event.
    loop.turn(wait: 5)
    #expect(diary.all == ["first"])
    loop.turn(wait: 5)
    #expect(diary.all == ["first", "second"])
    loop.turn(wait: 0)
    #expect(diary.all == ["first", "second"])
  }
}
