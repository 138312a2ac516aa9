import EventLoop
import Synchronization
import Testing
import World

/// An alarm follows the wall clock, also when it is set; timers and pollers follow uptime.
struct AlarmTests {
  final class Rung: Sendable {
    private let moments = Mutex<[Double]>([])
    var all: [Double] { moments.withLock { $0 } }
    func note(_ moment: Double) { moments.withLock { $0.append(moment) } }
  }

  let time = VirtualTime()
  let loop: EventLoop
  let alarm: Alarm
  let rung = Rung()

  init() {
    loop = EventLoop(time: time)
    alarm = Alarm(loop)
    loop.turn(wait: 0)
  }

  /// Sets the alarm so many seconds ahead, in wall clock time.
  func set(ahead seconds: Double) -> Double {
    let moment = time.now + seconds
    alarm.set(at: moment) { [rung, time] in rung.note(time.now) }
    loop.turn(wait: 0)
    return moment
  }

  func pass(_ seconds: Double, step: Double = 0.5) {
    for _ in 0..<Int(seconds / step) {
      time.advance(by: step)
      loop.turn(wait: 0)
    }
  }

  @Test func `an alarm rings when its moment has come, and once`() {
    let moment = set(ahead: 3_600)
    pass(3_599.5)
    #expect(rung.all == [])
    pass(0.5)
    #expect(rung.all == [moment])
    pass(7_200, step: 60)
    #expect(rung.all.count == 1)
  }

  @Test func `what was set last rings, and nothing once that is taken back`() {
    _ = set(ahead: 10)
    let moment = set(ahead: 20)
    pass(30)
    #expect(rung.all == [moment])
    _ = set(ahead: 10)
    alarm.set(at: nil) {}
    loop.turn(wait: 0)
    pass(30)
    #expect(rung.all.count == 1)
  }

  @Test func `a moment that has passed rings soon`() {
    _ = set(ahead: -86_400)
    loop.turn(wait: 0)
    #expect(rung.all.count == 1)
  }

  @Test(arguments: [3_599.0, 3_600, 3_700, 86_400])
  func `a clock that is set forward brings the alarm, late by a few seconds at most`(seconds: Double) {
    let moment = set(ahead: 3_600)
    pass(100)
    time.setClock(by: seconds - 100)
    let jumped = time.uptime
    pass(Alarm.recheckSeconds + 1)
    #expect(rung.all.count == 1)
    #expect((rung.all.first ?? 0) >= moment)
    #expect(time.uptime - jumped <= Alarm.recheckSeconds + 1)
  }

  @Test(arguments: [600.0, 3_600, 31_536_000])
  func `a clock that is set back rings soon, as another time may come first, and once`(ahead: Double) {
    _ = set(ahead: ahead)
    pass(300)
    time.setClock(by: -86_400 * 3)
    let back = time.now
    pass(Alarm.recheckSeconds)
    #expect(rung.all.count == 1)
    #expect((rung.all.first ?? 0) <= back + Alarm.recheckSeconds)
    time.setClock(by: -3_600)
    pass(4_000)
    #expect(rung.all.count == 1)
  }

  @Test(arguments: [0.99, 0.9999, 1.0001, 1.01])
  func `a clock that drifts for a night rings at the moment that it shows`(pace: Double) {
    time.setPace(pace)
    let moment = set(ahead: 8 * 3_600)
    while rung.all.isEmpty, time.uptime < 9 * 3_600 { pass(0.25, step: 0.25) }
    let late = (rung.all.first ?? .infinity) - moment
    // Time advances by quarters of a second in this test.
    #expect((0..<0.5).contains(late), "late by \(late) s")
  }

  @Test func `a timer and a poller do not feel that the clock is set`() {
    let ticks = Rung()
    let fired = Rung()
    loop.schedule(after: 60) { [fired, time] in fired.note(time.uptime) }
    let poller = Poller(loop)
    let task = Task(executorPreference: loop) { [time] in
      try await poller.run {
        ticks.note(time.uptime)
        return 10
      }
    }
    EventLoopTests.turn(loop) { ticks.all.count == 1 }
    // The task sets the timer, in a turn of the loop.
    loop.turn(wait: 0)
    time.setClock(by: 86_400)
    time.setPace(3)
    for round in 1...3 {
      time.advance(by: 9.5)
      for _ in 0..<3 { loop.turn(wait: 0) }
      #expect(ticks.all.count == round)
      time.setClock(by: -2 * 86_400)
      time.advance(by: 0.5)
      EventLoopTests.turn(loop) { ticks.all.count == round + 1 }
      loop.turn(wait: 0)
    }
    #expect(fired.all == [])
    time.advance(by: 30)
    loop.turn(wait: 0)
    #expect(fired.all == [60])
    task.cancel()
  }
}
