import Analysis
import Graph
import Testing

struct LeakWatchTests {
  /// A view controller that holds a ring, or has released it.
  private func look(isHeld: Bool, ring: Int = 3, controller isThere: Bool = true) -> Examination {
    let sketch = Sketch()
    let controller = sketch.object("App.ViewController")
    let objects = sketch.ring(ring)
    if isThere { sketch.root("App.controller, global variable of app", controller) }
    if isHeld { sketch.refer(controller, "listOfObjects", objects[0]) }
    return sketch.examination
  }

  @Test func `a leak is told when two looks have found it, once, with the reference that let go`() throws {
    var watch = LeakWatch()
    #expect(watch.look(look(isHeld: true), at: 100).isEmpty)
    #expect(watch.look(look(isHeld: false), at: 130).isEmpty)
    let arisen = watch.look(look(isHeld: false), at: 160)
    let one = try #require(arisen.first)
    #expect(arisen.count == 1)
    #expect((one.id, one.before, one.after) == ("leak-1", 100, 130))
    #expect(one.vanished?.reference == "ViewController.listOfObjects")
    #expect(one.vanished?.root == "App.controller, global variable of app")
    #expect(one.vanished?.holder == 0x10000)
    for time in 0..<3 { #expect(watch.look(look(isHeld: false), at: 190 + Double(time) * 30).isEmpty) }
  }

  @Test func `what comes back within two looks is never told`() {
    var watch = LeakWatch()
    for (time, isHeld) in [true, false, true, false, true].enumerated() {
      #expect(watch.look(look(isHeld: isHeld), at: Double(time)).isEmpty)
    }
  }

  @Test func `what was lost before the first look is told without an origin`() {
    var watch = LeakWatch()
    #expect(watch.look(look(isHeld: false), at: 1).isEmpty)
    let arisen = watch.look(look(isHeld: false), at: 2)
    #expect(arisen.map(\.before) == [nil])
    #expect(arisen.map(\.vanished) == [nil])
  }

  @Test func `what was made and lost between two looks has no reference that let go`() {
    var watch = LeakWatch()
    let empty = Sketch()
    _ = empty.object("App.ViewController")
    #expect(watch.look(empty.examination, at: 1).isEmpty)
    #expect(watch.look(look(isHeld: false), at: 2).isEmpty)
    let arisen = watch.look(look(isHeld: false), at: 3).filter { $0.finding.kind == .leakedCycle }
    #expect(arisen.map(\.before) == [1])
    #expect(arisen.map(\.vanished) == [nil])
  }

  @Test func `where the holder itself has gone, its root is named`() {
    var watch = LeakWatch()
    _ = watch.look(look(isHeld: true), at: 1)
    _ = watch.look(look(isHeld: true, controller: false), at: 2)
    let arisen = watch.look(look(isHeld: true, controller: false), at: 3)
    #expect(arisen.map(\.vanished?.reference) == ["App.controller, global variable of app"])
    #expect(arisen.map(\.vanished?.holder) == [nil])
  }

  /// So many unreachable rings of two objects.
  private func rings(_ count: Int) -> Examination {
    let sketch = Sketch()
    for _ in 0..<count { sketch.pair("App.Boss", "worker", "App.Worker", "delegate") }
    return sketch.examination
  }

  @Test func `a leak that grows is told again when two looks have found twice as much of it`() {
    var watch = LeakWatch()
    _ = watch.look(rings(0), at: 0)
    var told: [(time: Double, news: LeakWatch.News)] = []
    // Each result is reported by the next look.
    for (time, count) in zip(1..., [4, 4, 5, 7, 8, 8, 9, 40, 40, 40]) {
      for news in watch.look(rings(count), at: Double(time)) { told.append((Double(time), news)) }
    }
    #expect(told.map(\.time) == [2, 6, 9])
    #expect(told.map(\.news.id) == ["leak-1", "leak-1", "leak-1"])
    #expect(told.map(\.news.before) == [0, 0, 0])
    let growth = told.compactMap(\.news.growth)
    #expect(growth.map(\.from) == [8, 16])
    #expect(growth.map(\.to) == [16, 80])
    #expect(growth.map(\.since) == [2, 6])
  }

  @Test func `what has grown in one look only is not told`() {
    var watch = LeakWatch()
    _ = watch.look(rings(0), at: 0)
    for (time, count) in zip(1..., [2, 2, 9, 2, 9, 3, 2]) {
      let news = watch.look(rings(count), at: Double(time))
      #expect(news.count == (time == 2 ? 1 : 0), "look \(time)")
    }
  }

  @Test func `what was there before the first look keeps its id when more of it arises`() {
    var watch = LeakWatch()
    var told: [LeakWatch.News] = []
    for (time, count) in [2, 2, 3, 3, 4, 4].enumerated() { told += watch.look(rings(count), at: Double(time)) }
    #expect(told.map(\.id) == ["leak-1", "leak-1"])
    #expect(told.map(\.before) == [nil, 1])
    #expect(told.map(\.growth) == [nil, nil])
  }
}
