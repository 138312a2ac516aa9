import AnchorWatch
import Testing

struct WatchTests {
  @Test func `a warning, then the alarm, then all clear, each when it has been so for the grace`() {
    var boat = Boat()
    #expect(boat.watch.state == .waiting)
    boat.lie(20, seconds: 10)
    #expect(boat.watch.state == .holding && abs(boat.watch.distance - 20) < 0.01 && abs(boat.watch.share - 0.5) < 0.001)
    #expect(abs(boat.watch.bearing - 90) < 0.01 && abs(boat.watch.room - 20) < 0.01)
    boat.lie(35, seconds: 40)
    #expect(boat.watch.state == .warning)
    boat.lie(45, seconds: 30)
    #expect(boat.watch.state == .warning)
    boat.lie(45)
    #expect(boat.watch.state == .alarm)
    boat.lie(31, seconds: 31)
    #expect(boat.watch.state == .holding)
    #expect(boat.kinds == [.warning, .alarm, .clear] && boat.times == [41, 81, 112])
  }

  @Test func `a jump straight out is an alarm alone, and coming back to the brink is clear and a warning`() {
    var boat = Boat()
    boat.lie(30, seconds: 5)
    boat.lie(45, seconds: 31)
    boat.lie(36, seconds: 31)
    boat.lie(25, seconds: 31)
    #expect(boat.kinds == [.alarm, .clear, .warning, .clear])
  }

  @Test func `a moment outside rings for nobody`() {
    var boat = Boat()
    for _ in 0..<20 {
      boat.lie(31, seconds: 10)
      boat.lie(44, seconds: 25)
    }
    #expect(boat.kinds == [] && boat.watch.state == .holding)
  }

  @Test func `a receiver that sees few satellites is given more time, up to four times the grace`() {
    for (hdop, seconds) in [(0.8, 31.0), (1.5, 46), (2, 61), (9, 121)] {
      var boat = Boat()
      boat.lie(5)
      boat.lie(45, seconds: 200) { $0.hdop = hdop }
      #expect(boat.kinds == [.alarm] && boat.times == [seconds + 1])
    }
    var boat = Boat()
    boat.lie(5)
    boat.lie(45, seconds: 200) { $0.accuracy = 10 }
    #expect(boat.times == [62])
  }

  @Test func `a silence is a gap, then the position is lost, and found again`() {
    var boat = Boat()
    boat.lie(20, seconds: 10)
    boat.wait(59)
    #expect(boat.kinds == [])
    boat.wait(1)
    boat.wait(59)
    #expect(boat.kinds == [.gap] && boat.watch.state == .holding && boat.watch.gaps == 1)
    boat.wait(1)
    #expect(boat.watch.state == .lost)
    boat.wait(5_000)
    boat.lie(20)
    #expect(boat.watch.state == .holding)
    #expect(boat.kinds == [.gap, .positionLost, .positionBack] && boat.times == [70, 130, 5_131])
  }

  @Test func `a place that is told seldom is old after the usual silence, and lost only after its own`() {
    var boat = Boat { $0.lost = 4_200 }
    for _ in 0..<3 {
      boat.lie(20)
      boat.wait(119)
      #expect(!boat.watch.isOld(at: boat.time, lost: 120))
      boat.wait(1)
      #expect(boat.watch.isOld(at: boat.time, lost: 120) && boat.watch.state == .holding)
      boat.wait(1_980)
    }
    #expect(!boat.kinds.contains(.positionLost))
  }

  @Test func `whoever only tells fixes hears the same`() {
    var boat = Boat()
    boat.lie(20, seconds: 10)
    boat.time += 5_120
    boat.lie(20)
    #expect(boat.kinds == [.gap, .positionLost, .positionBack] && boat.times == [70, 130, 5_131])
  }

  @Test func `a watch that never hears anything says so`() {
    var boat = Boat()
    boat.wait(119)
    #expect(boat.watch.state == .waiting)
    boat.wait(1)
    #expect(boat.watch.state == .lost && boat.kinds == [.positionLost])
  }

  @Test func `outside when last seen, and silent since, is an alarm`() {
    var boat = Boat()
    boat.lie(20, seconds: 10)
    boat.lie(50, seconds: 3)
    boat.wait(70)
    #expect(boat.kinds == [.gap, .alarm] && boat.times == [73, 73])
    boat.wait(60)
    #expect(boat.watch.state == .alarm && boat.kinds == [.gap, .alarm, .positionLost])
  }

  @Test func `four jumps in a row are a receiver's errors; the fifth is the boat, and outside since the first`() {
    var boat = Boat()
    boat.lie(20, seconds: 10)
    for _ in 0..<10 {
      boat.lie(5_000, seconds: 4)
      boat.lie(20)
    }
    #expect(boat.kinds == [] && boat.watch.refused == 40 && abs(boat.watch.distance - 20) < 0.01)
    boat.lie(5_000, seconds: 31)
    #expect(boat.kinds == [.alarm] && boat.times == [91] && boat.watch.refused == 44)
  }

  @Test(arguments: [1, 2, 4, 10, 15.0]) func `a real drag rings, whatever its speed`(metresASecond: Double) {
    var boat = Boat()
    boat.lie(10, seconds: 60)
    var distance = 10.0
    var left: Double?
    while !boat.kinds.contains(.alarm), distance < 2_000 {
      distance += metresASecond
      boat.lie(distance)
      if distance > 40 { left = left ?? boat.time }
    }
    #expect(boat.watch.refused == 0)
    #expect(boat.events.last!.at - left! <= 31)
  }

  @Test func `times that go back or stand still are refused, five in a row are a clock that was set`() {
    var boat = Boat()
    boat.lie(30, seconds: 100)
    boat.time -= 1
    boat.lie(30)
    boat.time -= 51
    boat.lie(30, seconds: 4)
    boat.time += 48
    boat.lie(30)
    #expect(boat.watch.refused == 5)
    boat.time -= 7_200
    boat.lie(30, seconds: 4)
    #expect(boat.watch.refused == 9)
    boat.lie(45, seconds: 100)
    #expect(boat.watch.refused == 9 && boat.kinds == [.alarm])
  }

  @Test func `a phone whose clock is a day ahead, and its late reports, change nothing`() {
    var boat = Boat()
    boat.lie(20, seconds: 100)
    boat.wait(1)
    for late in stride(from: 86_400.0, to: 0, by: -1_000) {
      let old = Fix(time: boat.time - late, position: Boat.place(300))
      let ahead = Fix(time: boat.time + 86_400, position: Boat.place(300))
      boat.events += boat.watch.take(old) + boat.watch.take(ahead)
    }
    boat.lie(20, seconds: 100)
    #expect(boat.kinds == [] && boat.watch.state == .holding)
  }

  @Test func `a clock that is set back does not hide a silence`() {
    var boat = Boat()
    boat.lie(20, seconds: 100)
    boat.wait(50)
    boat.wait(-7_200)
    boat.wait(69)
    #expect(boat.watch.state == .holding)
    boat.wait(1)
    #expect(boat.watch.state == .lost)
  }

  @Test func `a coarse fix is used only where it decides in spite of its error`() {
    var boat = Boat()
    boat.lie(20, seconds: 10)
    boat.lie(90, seconds: 40) { $0.accuracy = 1_500 }
    #expect(boat.watch.refused == 40 && boat.kinds == [])
    boat.lie(2_000, seconds: 125) { $0.accuracy = 1_500 }
    #expect(boat.kinds.contains(.alarm))
  }

  @Test func `the bow is judged where the heading is told`() {
    var boat = Boat { $0.bow = 10 }
    boat.lie(45, 90) { $0.heading = 270 }
    #expect(abs(boat.watch.distance - 35) < 0.01)
    boat.lie(45, 90)
    #expect(abs(boat.watch.distance - 45) < 0.01)
  }

  @Test func `an hour's middle that moves is creep, once for each move`() {
    var boat = Boat()
    boat.lie(5, 0, seconds: 3_700)
    #expect(boat.kinds == [])
    boat.lie(20, 0, seconds: 7_200)
    #expect(boat.kinds == [.creep])
    boat.lie(30, 0, seconds: 7_200)
    #expect(boat.kinds == [.creep])
    boat.lie(5, 0, seconds: 7_200)
    #expect(boat.kinds == [.creep, .creep])
  }

  @Test func `wind that turns and water that falls are told where somebody told them`() {
    var boat = Boat {
      $0.windShift = 45
      $0.depthMin = 3
    }
    boat.lie(5, seconds: 200) { $0.windDirection = 350 }
    boat.lie(5, seconds: 300) { $0.windDirection = 20 }
    #expect(boat.kinds == [])
    boat.lie(5, seconds: 300) { $0.windDirection = 60 }
    boat.lie(5, seconds: 20) { $0.depth = 2.5 }
    boat.lie(5, seconds: 1) { $0.depth = 3.5 }
    #expect(boat.kinds == [.windShift])
    boat.lie(5, seconds: 100) { $0.depth = 2.5 }
    boat.lie(5, seconds: 100)
    #expect(boat.kinds == [.windShift, .depth])
  }

  @Test func `a restart forgets neither a silence nor an alarm`() {
    var boat = Boat()
    boat.lie(30)
    boat.lie(45, seconds: 31)
    let last = boat.watch.lastFix
    boat.events = []
    boat.watch = AnchorWatch(boat.watch.settings, since: Boat.start, last: last, state: boat.watch.state)
    #expect(boat.watch.state == .alarm && abs(boat.watch.distance - 45) < 0.01)
    boat.wait(119)
    boat.watch = AnchorWatch(boat.watch.settings, since: Boat.start, last: last, state: boat.watch.state)
    boat.wait(1)
    #expect(boat.kinds == [.gap, .gap, .positionLost] && boat.watch.state == .alarm)
    boat.lie(31, seconds: 31)
    #expect(boat.kinds.suffix(2) == [.positionBack, .clear])
  }

  @Test func `a moved anchor keeps an alarm until the boat lies well`() {
    var boat = Boat()
    boat.lie(50, seconds: 31)
    #expect(boat.watch.state == .alarm)
    boat.moveAnchor(to: Boat.place(50))
    #expect(boat.watch.distance < 0.01 && boat.watch.state == .alarm)
    boat.lie(50, seconds: 31)
    #expect(boat.kinds == [.alarm, .clear])
  }

  @Test func `looks are more often the nearer the edge, rarer with an empty battery, and never a gap`() {
    func look(_ distance: Double, charging: Bool = false, battery: Double? = nil) -> Double {
      var boat = Boat(.circle(radius: 100))
      boat.lie(distance)
      return boat.watch.nextCheck(charging: charging, battery: battery)
    }
    #expect(Boat().watch.nextCheck(charging: false, battery: 1) == 1)
    #expect(look(10) == 30 && look(10, charging: true) == 1)
    #expect(abs(look(60) - 20) < 0.1 && abs(look(75) - 5) < 0.1 && look(80) == 1 && look(120) == 1)
    #expect(
      look(10, battery: 0.5) == 30 && abs(look(10, battery: 0.25) - 42) < 0.1 && abs(look(10, battery: 0) - 54) < 0.1)
    #expect(look(79.5, battery: 0) == 1)
    let rows = stride(from: 0.0, through: 120, by: 1).map { look($0, battery: 0.1) }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 >= $1 } && rows.allSatisfy { (1..<60).contains($0) })
  }
}
