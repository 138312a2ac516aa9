import Agent
import AnchorWatch
import Device
import Foundation
import Positions
import SpeakingClock
import Testing
import Wire
import World

struct AnchorTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder(TemporaryFolder().path) }

  private func fix(_ time: Double, east: Double = 0, accuracy: Double? = nil) -> Fix {
    Fix(time: time, position: place(east), accuracy: accuracy)
  }

  private func place(_ east: Double) -> Position {
    Position(latitude: 54, longitude: 10)!.moved(bearing: 90, distance: east)
  }

  // MARK: The track log

  private func record(_ time: Double, source: String = "gpsd") -> TrackRecord {
    TrackRecord(time: time, latitude: 54.1, longitude: -0.0000001, accuracy: 4.5, source: source)
  }

  @Test func `A line of the track log comes back as it was`() {
    #expect(record(1_780_000_000.25).line == "1780000000.25,54.1000000,-0.0000001,4.5,,gpsd,\n")
    let lines = ["time,lat,lon,accuracy,hdop,source", "", "1,2", "x,54,10,,,a", "1,95,10,,,a", "nan,54,10,,,a"]
    for line in lines { #expect(TrackRecord(line: line) == nil) }
    let back = TrackRecord(line: "1780000000.25,54.1000000,-0.0000001,4.5,,gpsd")
    #expect(back == record(1_780_000_000.25), "an older log")
    var turned = record(1_780_000_000.25)
    turned.heading = 270.5
    #expect(TrackRecord(line: turned.line.dropLast()) == turned && turned.fix?.heading == 270.5)
  }

  @Test func `The track log is read by the replay`() throws {
    let log = try TrackLog(folder)
    for second in 0..<5 { try log.add(record(1_780_000_000 + Double(second))) }
    var reader = CSVReader()
    var times: [Double] = []
    let file = try #require(folder.read(TrackLog.file, atMost: 1 << 20))
    reader.feed(file) { if case .fix(let fix) = $0 { times.append(fix.time) } }
    #expect(times == (0..<5).map { 1_780_000_000 + Double($0) })
  }

  @Test func `A line that a loss of power tore is cut off, and all others stay`() throws {
    for torn in 1...60 {
      do {
        let log = try TrackLog(folder)
        try log.add(record(Double(torn)))
        try log.add(record(Double(torn) + 0.5))
      }
      let file = "\(folder.path)/\(TrackLog.file)"
      let whole = try #require(FileManager.default.contents(atPath: file))
      try whole.dropLast(torn % record(1).line.utf8.count).write(to: URL(filePath: file))
      let log = try TrackLog(folder)
      let last = try #require(log.last(bytes: 4_096).last)
      #expect(last.time == (torn % record(1).line.utf8.count == 0 ? Double(torn) + 0.5 : Double(torn)))
      try FileManager.default.removeItem(atPath: file)
    }
  }

  @Test func `A full track log becomes the one before`() throws {
    let log = try TrackLog(folder, most: 1_000)
    for second in 0..<100 {
      try log.add(record(Double(second)))
      #expect(log.last(bytes: 200).last?.time == Double(second))
    }
    for name in [TrackLog.file, TrackLog.before] {
      let size = try #require(folder.read(name, atMost: 1 << 20)).count
      #expect(size <= 1_000 && size > 100)
    }
  }

  // MARK: Battery and charger

  private func supply(_ files: [String: String]) throws -> PowerSupply.Reading {
    let place = "\(folder.path)/power"
    try? FileManager.default.removeItem(atPath: place)
    for (path, text) in files {
      let file = URL(filePath: "\(place)/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: file)
    }
    return PowerSupply(place).read()
  }

  @Test func `Batteries and chargers are read as the kernel tells them`() throws {
    #expect(try supply([:]) == PowerSupply.Reading())
    #expect(try supply([:]).isPlugged)
    let battery = ["BAT0/type": "Battery", "BAT0/capacity": "87", "BAT0/voltage_now": "12450000"]
    let mains = ["BAT0/status": "Discharging", "AC/type": "Mains", "AC/online": "0"]
    let pulled = try supply(battery.merging(mains) { $1 })
    #expect(pulled == PowerSupply.Reading(level: 0.87, isCharging: false, volts: 12.45) && !pulled.isPlugged)
    // Full, or held at a level: the charger is what counts.
    let plugged = try supply(
      battery.merging(["BAT0/status": "Not charging", "AC/type": "Mains", "AC/online": "1"]) { $1 })
    #expect(plugged.isCharging == true)
    #expect(try supply(battery.merging(["BAT0/status": "Charging"]) { $1 }).isCharging == true)
    // A mouse is no boat; a level can also be told as energy.
    let mouse = ["m/type": "Battery", "m/scope": "Device", "m/capacity": "3", "m/status": "Discharging"]
    #expect(try supply(mouse) == PowerSupply.Reading())
    let energy = ["b/type": "Battery", "b/energy_now": "30", "b/energy_full": "40", "b/status": "Discharging"]
    #expect(try supply(energy).level == 0.75)
    #expect(try supply(["b/type": "Battery", "b/capacity": "???"]) == PowerSupply.Reading())
  }

  // MARK: Sources

  @Test func `The best source feeds the watch until it is silent or another is far better`() {
    var choice = SourceChoice(["gpsd", "phone"])
    #expect(choice.heard(0, fix(0, accuracy: 5), uptime: 0) == .best)
    #expect(choice.heard(1, fix(0.5, accuracy: 4), uptime: 0.5) == .witness(objects: nil))
    #expect(choice.heard(0, fix(0, accuracy: 5), uptime: 1) == .stale)
    // Silent for a while.
    #expect(choice.heard(1, fix(12, accuracy: 4), uptime: 12) == .best)
    #expect(choice.heard(0, fix(13, accuracy: 5), uptime: 13) == .witness(objects: nil))
    // Much worse from now on, as a phone that moved below deck.
    var outcome = SourceChoice.Outcome.stale
    for second in 14..<60 {
      _ = choice.heard(1, fix(Double(second), accuracy: 50), uptime: Double(second))
      outcome = choice.heard(0, fix(Double(second) + 0.5, accuracy: 5), uptime: Double(second) + 0.5)
    }
    #expect(outcome == .best && choice.best == 0)
  }

  @Test(arguments: [Double.infinity, 4_294_967])
  func `One absurd estimate makes no other source the best`(error: Double) {
    var choice = SourceChoice(["gpsd", "nmea"])
    for second in 0..<90 {
      let time = Double(second)
      #expect(choice.heard(0, fix(time, accuracy: second == 6 ? error : 4), uptime: time) == .best)
      _ = choice.heard(1, fix(time, east: 900, accuracy: 10), uptime: time)
    }
    #expect(choice.agrees(uptime: 90) == false)
  }

  @Test func `A witness objects once to a watch, after a minute elsewhere, and agrees again`() {
    var choice = SourceChoice(["gpsd", "phone"])
    var objections: [Double] = []
    for second in 0..<200 {
      _ = choice.heard(0, fix(Double(second), accuracy: 5), uptime: Double(second))
      let east = (20..<150).contains(second) ? 90.0 : 3
      let outcome = choice.heard(1, fix(Double(second), east: east, accuracy: 5), uptime: Double(second))
      if case .witness(let metres?) = outcome {
        #expect(abs(metres - 90) < 1)
        objections.append(Double(second))
      }
      if second == 120 {
        #expect(choice.agrees(uptime: 120) == false)
        choice.begin()
      }
    }
    // On battery the receivers sleep between two looks.
    #expect(choice.agrees(uptime: 199) == true && choice.agrees(uptime: 259) == true)
    #expect(choice.agrees(uptime: 380) == nil)
    #expect(objections == [80, 121] && choice.sources[1].agrees == true)
  }

  @Test func `Another receiver in a source's stream is a witness by its own name`() {
    var choice = SourceChoice(["signalk"])
    var objections: [String] = []
    for second in 0..<200 {
      let time = Double(second)
      #expect(choice.heard(0, fix(time, accuracy: 5), uptime: time) == .best)
      // One stands still, one is mounted 12 m away, and one drags from the first minute on.
      for (receiver, east) in [("bow", 12.0), ("far", Double(max(0, second - 60)) + 0.5)] {
        let objection = choice.heard(receiver, beside: 0, fix(time, east: east, accuracy: 5), uptime: time)
        if let objection { objections.append("\(second) \(objection.name)") }
      }
    }
    #expect(objections == ["160 signalk: far"])
    #expect(choice.agrees(uptime: 199) == false && choice.sources.map(\.agrees) == [nil, true, false])
    #expect(choice.best == 0 && !choice.isTorn(uptime: 199))
  }

  @Test func `Receivers of two streams of one host are told apart, and those that come and go find places`() {
    var choice = SourceChoice(["nmea localhost", "nmea localhost"])
    var objections = 0
    for second in 0..<100 {
      let time = Double(second)
      _ = choice.heard(0, fix(time, accuracy: 5), uptime: time)
      _ = choice.heard("AI", beside: 0, fix(time, accuracy: 5), uptime: time)
      if choice.heard("AI", beside: 1, fix(time, east: 90, accuracy: 5), uptime: time) != nil { objections += 1 }
    }
    #expect(objections == 1)
    for number in 0..<40 {
      let time = 200 + 20 * Double(number)
      _ = choice.heard("tty\(number)", beside: 1, fix(time), uptime: time)
    }
    #expect(choice.sources.contains { $0.name == "nmea localhost: tty39" } && choice.sources.count < 40)
  }

  /// The seconds at which a source that tells these places, one a second, is told to be torn.
  private func torn(_ seconds: Range<Int>, _ east: (Int) -> Double) -> [Int] {
    var choice = SourceChoice(["nmea"])
    return seconds.filter { second in
      let time = Double(second)
      let here = fix(time, east: east(second))
      let isTold = choice.tears(0, here, uptime: time) != nil
      _ = choice.heard(0, here, uptime: time)
      if isTold { #expect(choice.agrees(uptime: time) == false && choice.isTorn(uptime: time)) }
      return isTold
    }
  }

  @Test func `A stream that leaps to and fro for a minute between two places is told once`() {
    // Two receivers without names, of which one drags: as soon as they are 50 m apart, and a minute.
    #expect(torn(0..<600) { $0 % 2 == 0 ? 0 : 1.5 * Double($0) } == [96])
    #expect(torn(0..<600) { $0 % 4 < 2 ? 0 : 1.5 * Double($0) }.count == 1)
    // The other one is heard seldom, and falls silent for a while.
    #expect(torn(0..<300) { $0 % 8 == 0 ? 300 : 0 }.count == 1)
    #expect(torn(0..<600) { $0 % 2 == 0 && !(200..<260).contains($0) ? 300 : 0 }.count == 2)
    // What no two receivers are: some metres of difference, a boat that drags or is under way, single errors.
    let harmless: [(Int) -> Double] = [
      { $0 % 2 == 0 ? 0 : 45 }, { 2 * Double($0) }, { 90 * Double($0) }, { $0 % 30 == 0 ? 5_000 : 0 },
      { $0 < 100 ? 0 : 400 }, { $0 % 300 < 40 && $0 % 2 == 0 ? 400 : 0 },
    ]
    for east in harmless { #expect(torn(0..<600, east) == []) }
  }

  @Test func `A receiver whose clock was set is believed again after some fixes`() {
    var choice = SourceChoice(["gpsd"])
    #expect(choice.heard(0, fix(1_000), uptime: 0) == .best)
    let outcomes = (0..<8).map { choice.heard(0, fix(100 + Double($0)), uptime: 1 + Double($0)) }
    // The first one goes back, and those that follow go on from there.
    #expect(outcomes.last == .best && outcomes.first == .stale)
  }

  @Test func `What was refused of a source is known until its next fix`() {
    var choice = SourceChoice(["nmea"])
    choice.refused(0, .noFix)
    choice.refused(0, .checksumMissing)
    #expect(choice.sources[0].refused?.count == 2 && choice.sources[0].refused?.last == .checksumMissing)
    _ = choice.heard(0, fix(1), uptime: 1)
    #expect(choice.sources[0].refused?.count == nil)
  }

  @Test func `Lines that datagrams cut anywhere are put together, each sender's own`() {
    var lines = DatagramLines()
    func take(_ text: String, from sender: UInt8 = 1) -> String {
      String(decoding: lines.take(Array(text.utf8), from: [sender]), as: UTF8.self)
    }
    #expect(take("$GPRMC,12*4") == "" && take("$HCHDG", from: 2) == "")
    #expect(take("7\r\n$GPG") == "$GPRMC,12*47\r\n")
    // The last line without an end: by its checksum, and by the next one that begins.
    #expect(take("GA*1F") == "$GPGGA*1F\n" && take("\r\n$GPGLL") == "\r\n")
    #expect(take("!AIVDM,") == "$GPGLL\n" && take(",1*00", from: 2) == "$HCHDG,1*00\n")
    // A line that never ends is not kept.
    #expect(take(String(repeating: "x", count: 9_000)).count == 9_008)
  }

  // MARK: The pace

  private func watch(_ east: Double) -> AnchorWatch {
    var watch = AnchorWatch(
      WatchSettings(anchor: Position(latitude: 54, longitude: 10)!, alarm: .circle(radius: 40)), since: 0)
    for second in 0..<5 { _ = watch.take(fix(Double(second), east: east)) }
    return watch
  }

  @Test func `On battery far from the edge it looks seldom, and else all the time`() {
    let battery = PowerSupply.Reading(level: 0.9, isCharging: false)
    let charger = PowerSupply.Reading(level: 0.9, isCharging: true)
    #expect(WatchPace(watch(2), charger, isRinging: false) == .continuous(.charger))
    #expect(WatchPace(watch(30), battery, isRinging: false) == .continuous(.nearEdge))
    #expect(WatchPace(watch(2), battery, isRinging: true) == .continuous(.alarm))
    #expect(WatchPace(watch(2), battery, isRinging: false, isTorn: true) == .continuous(.torn))
    #expect(WatchPace(nil, charger, isRinging: false) == .continuous(.noWatch))
    guard case .seldom(let seconds, .battery) = WatchPace(watch(2), battery, isRinging: false) else {
      Issue.record("it looks all the time on battery")
      return
    }
    #expect(seconds >= 20 && seconds <= 60)
    var unknown = AnchorWatch(watch(2).settings, since: 0)
    _ = unknown.pass(to: 1)
    #expect(WatchPace(unknown, battery, isRinging: false) == .continuous(.noPosition))
  }

  // MARK: The record

  private let settings = #"{"anchor":{"lat":54.1,"lon":10.2},"zone":{"shape":"circle","radius_m":35},"beat_s":30}"#

  private func told(_ text: String) throws -> JSON { try JSON(parsing: text) }

  @Test func `The hub's settings are taken by their number and kept`() throws {
    var state = AnchorState()
    let message = try told(#"{"version":3,"armed":true,"settings":\#(settings)}"#)
    let news = state.take(message, now: 100, isAnswer: false)
    #expect(news.hasChanged && news.fault == nil && !news.acknowledges)
    #expect(state.isArmed && state.since == 100 && state.form?.settings.beat == 30)
    state.ringing = AnchorState.Ringing(kind: "alarm", at: 120, isAlarm: true)
    #expect(state.afterKill == state)
    // An older push comes late.
    let older = try told(#"{"version":2,"armed":false,"settings":null}"#)
    #expect(!state.take(older, now: 130, isAnswer: false).hasChanged && state.isArmed)
    let weighed = try told(#"{"version":4,"armed":false,"settings":null}"#)
    #expect(state.take(weighed, now: 130, isAnswer: true).hasChanged && !state.isArmed && state.ringing == nil)
    #expect(state.form == nil && state.before?.settings.beat == 30, "the next anchor begins with these")
    #expect(state.afterKill == state)
  }

  @Test(arguments: [
    #"{"anchor":{"lat":0,"lon":0}}"#, #"{"anchor":{"lat":214.7483647,"lon":10}}"#, #"{}"#, "3",
    #"{"anchor":{"lat":54,"lon":10},"zone":{"shape":"circle","radius_m":-1}}"#,
  ])
  func `Settings that are wrong are told and never end a watch`(text: String) throws {
    var state = AnchorState()
    _ = state.take(try told(#"{"version":3,"armed":true,"settings":\#(settings)}"#), now: 100, isAnswer: false)
    let before = state
    let news = state.take(try told(#"{"version":4,"armed":true,"settings":\#(text)}"#), now: 101, isAnswer: false)
    #expect(news.fault != nil && state == before)
  }

  @Test func `Somebody is on it until she lies further out, or deeper in what is kept out`() throws {
    var settings = watch(2).settings
    settings.excluded = [Sector(from: 100, to: 200, inner: 20, outer: 60)]
    func lying(_ bearing: Double, _ distance: Double) -> AnchorWatch {
      let there = settings.anchor.moved(bearing: bearing, distance: distance)
      let last = Fix(time: 100, position: there)
      return AnchorWatch(settings, since: 0, last: last, state: .alarm)
    }
    var state = AnchorState()
    state.outside = AnchorState.Outside(lying(90, 45))
    let outside = try #require(state.outside)
    #expect(!outside.isLeft(by: lying(90, 45)) && !outside.isLeft(by: lying(80, 49)))
    #expect(outside.isLeft(by: lying(90, 51)) && !outside.isLeft(by: lying(140, 25)))
    #expect(outside.isLeft(by: lying(140, 35)), "at the rocks, and nearer to the anchor")
    #expect(AnchorState.Outside(watch(2)) == nil && AnchorState.Outside(nil) == nil)
    // It outlives a kill, and ends with the watch.
    #expect(state.afterKill?.outside == outside)
    state.arm(false, now: 0)
    #expect(state.outside == nil)
  }

  @Test func `An anchor dropped on the boat is not forgotten because the hub knows of none`() throws {
    var state = AnchorState.dropped(at: 5)
    let (sent, order) = (state, try #require(state.order))
    let member = try #require(state.orderMember(now: 65).first?.value)
    #expect(member["age_s"]?.number == 60 && member["dropped_age_s"]?.number == 60 && member["armed"] == true)
    #expect(member["version"] == 0 && member["settings"]?["anchor"]?["lat"]?.number == 54)
    // The answer to a report of before the order, and a push.
    let nothing = try told(#"{"version":9,"armed":false,"settings":null}"#)
    _ = state.take(nothing, now: 6, isAnswer: true)
    _ = state.take(nothing, now: 6, isAnswer: false)
    #expect(state.isArmed && state.order == order)
    #expect(state.afterKill == state)
    // The hub has taken it over.
    let settings = state.form?.json ?? .null
    let taken = JSON.object([.init("version", 10), .init("armed", true), .init("settings", settings)])
    let news = state.take(taken, now: 7, isAnswer: true, told: sent)
    #expect(news.hasChanged && state.isArmed && state.version == 10 && state.order == nil)
    #expect(state.orderMember(now: 8).isEmpty)
    // Weighed at the hub afterwards.
    _ = state.take(try told(#"{"version":11,"armed":false,"settings":null}"#), now: 8, isAnswer: true)
    #expect(!state.isArmed)
  }

  @Test func `A newer change at the hub counts, and a hub that takes no orders ends no watch`() throws {
    var state = AnchorState.dropped(at: 5)
    var other = state
    let sent = state
    let weighed = try told(#"{"version":4,"armed":false,"settings":null}"#)
    _ = state.take(weighed, now: 6, isAnswer: true, told: sent)
    #expect(!state.isArmed && state.order == nil)
    other.order?.isRefused = true
    #expect(other.orderMember(now: 6).isEmpty)
    _ = other.take(weighed, now: 6, isAnswer: true)
    #expect(other.isArmed && other.version == 4 && other.order == nil)
    _ = other.take(try told(#"{"version":5,"armed":false,"settings":null}"#), now: 7, isAnswer: true)
    #expect(!other.isArmed)
  }

  @Test func `An order follows the one before it, also if that one was still on its way`() throws {
    var state = AnchorState.dropped(at: 5)
    let sent = state
    let settings = state.form?.json ?? .null
    // Weighed a second later, before the hub's answer comes.
    state.form = nil
    state.arm(false, now: 6)
    state.ordered(at: 6, isDrop: false)
    var other = state
    let taken = JSON.object([.init("version", 3), .init("armed", true), .init("settings", settings)])
    let news = state.take(taken, now: 7, isAnswer: true, told: sent)
    #expect(!news.hasChanged && state.form == nil && state.order?.at == 6)
    #expect(state.orderMember(now: 8).first?.value["version"] == 3)
    // The hub has something newer than the first order, of which nobody on board knew.
    let newer = try told(#"{"version":3,"armed":false,"settings":null}"#)
    _ = other.take(newer, now: 7, isAnswer: true, told: sent)
    #expect(other.orderMember(now: 8).first?.value["version"] == 0)
  }

  @Test func `The watch speaks in the clock's language`() {
    let english = AnchorWords(.english)
    #expect(english.report(.holding, distance: 18.2, battery: 0.9) == "Holding, 18 metres, battery 90 per cent.")
    #expect(english.report(.lost, distance: 18.2, battery: nil) == "Position lost.")
    #expect(AnchorWords(.german).report(.holding, distance: 1, battery: 0.5) == "Anker hält, 1 Meter, Akku 50 Prozent.")
    for kind in WatchKind.allCases where kind != .gap { #expect(english.title(kind) != nil) }
  }
}
