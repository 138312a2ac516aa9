import Agent
import AnchorWatch
import Positions
import Testing
import Wire

/// The agent's record of its watch where the hub, or the machine's clock, is not what it was.
struct AnchorRecordTests {
  private static let place = Position(latitude: 54, longitude: 10)!

  /// Armed at the hub of this address, whose message had the number 5.
  private func armed(at hub: String? = "http://boat") throws -> AnchorState {
    var state = AnchorState()
    _ = state.take(try message(5, anchor: Self.place), now: 100, isAnswer: true, hub: hub)
    #expect(state.isArmed && state.version == 5 && state.hub == hub)
    return state
  }

  /// The hub's message; without an anchor that of one where none is down.
  private func message(_ version: Int, anchor: Position? = nil) throws -> JSON {
    .object([
      .init("version", .int(version)), .init("armed", .bool(anchor != nil)),
      .init("settings", anchor.map { WatchSettingsForm(anchor: $0).json } ?? .null),
    ])
  }

  // MARK: Ringing

  /// The ringing after these events, of which the first come while she lies outside.
  private func ringing(outside: [WatchKind], _ events: [WatchKind]) -> AnchorState.Ringing? {
    let begun: AnchorState.Ringing? = outside.reduce(nil) { AnchorState.Ringing.after($1, at: 1, $0, isOutside: true) }
    return events.reduce(begun) { AnchorState.Ringing.after($1, at: 2, $0, isOutside: false) }
  }

  @Test func `An alarm that nobody acted upon is reminded of, whichever way she comes back`() {
    let reminder = AnchorState.Ringing(kind: "alarm", at: 1, isAlarm: true, isOver: true)
    for way: [WatchKind] in [[.clear], [.clear, .warning, .clear], [.clear, .warning, .creep], [.clear, .windShift]] {
      #expect(ringing(outside: [.alarm], way) == reminder)
    }
    // A warning alone is over once she is back, and says nothing beside an alarm.
    #expect(ringing(outside: [], [.warning])?.isAlarm == false && ringing(outside: [], [.warning, .clear]) == nil)
    #expect(ringing(outside: [.alarm, .creep], [])?.kind == "alarm")
    // Outside again she rings anew, also when she was out of sight meanwhile.
    let again = ringing(outside: [.alarm], [.clear, .warning, .alarm])
    #expect(again == AnchorState.Ringing(kind: "alarm", at: 2, isAlarm: true))
    #expect(ringing(outside: [.positionLost, .positionBack], [])?.kind == "alarm")
    #expect(ringing(outside: [], [.depth, .clear])?.isOver == false)
  }

  @Test func `A drill keeps back no warning, and goes on beside what needs none`() {
    let drill = AnchorState.Ringing(kind: "drill", at: 1, isAlarm: true)
    for event: WatchKind in [.warning, .creep, .windShift] {
      let rung = AnchorState.Ringing(kind: "\(event.name)", at: 2, isAlarm: false)
      #expect(AnchorState.Ringing.after(event, at: 2, drill, isOutside: false) == rung)
    }
    for event: WatchKind in [.gap, .clear, .positionBack] {
      #expect(AnchorState.Ringing.after(event, at: 2, drill, isOutside: false) == drill)
    }
  }

  // MARK: Reports

  private func record(_ time: Double) -> TrackRecord {
    TrackRecord(time: time, latitude: 54, longitude: 10, source: "gpsd")
  }

  private func times(_ report: (fixes: [JSON], events: [JSON])) -> [Double] {
    report.fixes.compactMap { $0.array?.first?.number }
  }

  @Test(arguments: [-7_200.0, 259_200])
  func `What waits for the hub goes in its order, by the clock of the report, when the clock is set`(step: Double) {
    var queue = ReportQueue()
    for second in 0..<3 { queue.add(record(10_000 + Double(second))) }
    let first = queue.report()
    #expect(times(first) == [10_000, 10_001, 10_002])
    // It is set before the answer comes.
    queue.add(record(10_003))
    queue.add(event: ["at": 10_003, "kind": "warning"])
    queue.clockWasSet(by: step)
    queue.add(record(10_004 + step))
    let isSettled = queue.settle()
    #expect(isSettled && queue.waiting == 3)
    let next = queue.report()
    #expect(times(next) == [10_003 + step, 10_004 + step])
    #expect(next.events == [["at": .double(10_003 + step), "kind": "warning"]])
    // After a kill those that were not told are known by their place in the log.
    let log = [10_000, 10_001, 10_002, 10_003, 10_004 + step].map(record)
    var restored = ReportQueue(queue.json, track: log)
    let rest = restored.report()
    #expect(times(rest) == [10_003, 10_004 + step])
    let (isDone, isDoneAgain) = (restored.settle(), restored.settle())
    #expect(isDone && !isDoneAgain && restored.waiting == 0)
    #expect(ReportQueue(restored.json, track: log).waiting == 0)
  }

  @Test func `A queue that is thinned while a report is on its way loses none but those`() {
    var queue = ReportQueue()
    for second in 0..<20_000 { queue.add(record(Double(second + 1))) }
    let sent = times(queue.report())
    queue.add(record(20_001))
    let isSettled = queue.settle()
    #expect(isSettled && queue.waiting == 10_001 - sent.count / 2)
    let next = times(queue.report())
    #expect(sent.last == 500 && next.first == 501)
    #expect(ReportQueue(nil, track: [record(1), record(2)]).waiting == 2)
  }

  // MARK: The clock

  private func ages(_ state: AnchorState, now: Double) -> [Double?] {
    let order = state.orderMember(now: now).first?.value
    return [order?["age_s"]?.number, order?["dropped_age_s"]?.number]
  }

  @Test(arguments: [1_795_000_000.0, 259_200, -7_200])
  func `An order is as old as it is, whatever the clock shows by now`(step: Double) {
    let began = 1_000_000.0
    var state = AnchorState.dropped(at: began)
    state.ringing = AnchorState.Ringing(kind: "alarm", at: began + 40, isAlarm: true)
    state.acknowledged = began + 20
    state.clockWasSet(by: step)
    #expect(ages(state, now: began + step + 60) == [60, 60])
    #expect(state.since == began + step && state.acknowledged == began + step + 20)
    #expect(state.ringing?.at == began + step + 40)
  }

  @Test func `A weighing from before a sleep is not younger than what was dropped meanwhile`() {
    var state = AnchorState.dropped(at: 1_000)
    state.form = nil
    state.arm(false, now: 2_000)
    state.ordered(at: 2_000, isDrop: false)
    state.clockWasSet(by: 28_800)
    #expect(ages(state, now: 2_000 + 28_800) == [28_800, 29_800])
    state.clockWasSet(by: -28_800)
    #expect(ages(state, now: 2_000) == [28_800, 29_800], "a clock that goes back is no sleep")
  }

  @Test func `An order of a clock that knew no time is one that the hub takes`() {
    var state = AnchorState.dropped(at: 60)
    let (now, most) = (1_795_000_000.0, 90 * 86_400.0)
    #expect(ages(state, now: now) == [0, 0], "begun now, so that nothing older ends it")
    #expect(ages(state, now: 60 + most) == [most, most])
    state.form = nil
    state.arm(false, now: 60)
    #expect(ages(state, now: now) == [most, most])
  }

  // MARK: Hubs

  @Test(arguments: [("http://boat", 3), ("http://boat", 0), ("http://club", 3), ("http://club", 5), ("http://club", 9)])
  func `A hub that knows nothing of an armed watch is told of it, and weighs it afterwards`(
    hub: String, version: Int
  ) throws {
    var state = try armed()
    let watch = state.form
    let news = state.take(try message(version), now: 160, isAnswer: true, told: state, hub: hub)
    #expect(news.isKept && news.hasChanged && state.isArmed && state.form == watch)
    let order = try #require(state.orderMember(now: 161).first?.value)
    #expect(order["version"]?.int == version && order["armed"] == true && order["age_s"]?.number == 1)
    #expect(order["dropped_age_s"]?.number == 61, "it has lain there since it was armed")
    // After a kill it is told all the same.
    #expect(state.afterKill == state && state.hub == hub)
    // The hub has taken it over; what it says afterwards counts.
    let sent = state
    let taken = try message(version + 1, anchor: Self.place)
    let answered = state.take(taken, now: 162, isAnswer: true, told: sent, hub: hub)
    #expect(!answered.isKept && state.order == nil && state.version == version + 1)
    _ = state.take(try message(version + 2), now: 163, isAnswer: false, hub: hub)
    #expect(!state.isArmed && state.form == nil)
  }

  @Test func `A hub that has gone back to an earlier night does not take the boat there`() throws {
    var state = try armed()
    let bay = Self.place.moved(bearing: 0, distance: 9_000)
    var news = state.take(try message(4, anchor: bay), now: 160, isAnswer: true, hub: "http://boat")
    #expect(news.isKept && state.form?.settings.anchor == Self.place && state.order?.droppedAt == 100)
    // If it has the same, nothing is told.
    state = try armed()
    news = state.take(try message(4, anchor: Self.place), now: 160, isAnswer: true, hub: "http://boat")
    #expect(!news.isKept && state.order == nil && state.version == 4)
    // Another hub that watches an anchor is believed.
    news = state.take(try message(2, anchor: bay), now: 160, isAnswer: true, hub: "http://club")
    #expect(!news.isKept && state.isArmed && state.form?.settings.anchor == bay)
  }

  @Test func `An answer that a push has overtaken changes nothing, and no push of an unknown hub does`() throws {
    let sent = try armed()
    var state = sent
    let bay = Self.place.moved(bearing: 0, distance: 90)
    _ = state.take(try message(6, anchor: bay), now: 101, isAnswer: false, hub: "http://boat")
    let late = state
    let news = state.take(try message(5, anchor: Self.place), now: 102, isAnswer: true, told: sent, hub: "http://boat")
    #expect(state == late && !news.isKept && !news.hasChanged)
    _ = state.take(try message(9), now: 103, isAnswer: false, hub: "http://club")
    #expect(state == late)
    // Weighed there while the boat could not be reached.
    _ = state.take(try message(7), now: 104, isAnswer: true, told: late, hub: "http://boat")
    #expect(!state.isArmed)
  }

  @Test func `A record of an older agent learns its hub`() throws {
    var state = try armed(at: nil)
    let news = state.take(try message(5, anchor: Self.place), now: 101, isAnswer: true, hub: "http://boat")
    #expect(news.hasChanged && state.hub == "http://boat" && state.isArmed)
  }
}

extension AnchorState {
  /// Dropped on board at this time of the machine's clock, without a hub.
  static func dropped(at now: Double) -> AnchorState {
    var state = AnchorState()
    state.form = WatchSettingsForm(anchor: Position(latitude: 54, longitude: 10)!)
    state.arm(true, now: now)
    state.ordered(at: now, isDrop: true)
    return state
  }

  /// The record as it is read after a kill; nil if a part of it is damaged.
  var afterKill: AnchorState? {
    var fault: String?
    let state = (try? JSON(parsing: json.bytes)).map { AnchorState($0, fault: &fault) }
    return fault == nil ? state : nil
  }
}
