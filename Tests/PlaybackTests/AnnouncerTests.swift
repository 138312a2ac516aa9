import CivilTime
import Foundation
import Lifecycle
import Playback
import Sound
import SpeakingClock
import Testing
import World

/// Seconds since 1970 of a time of day on 2026-06-01, UTC.
private func at(_ hour: Int, _ minute: Int, _ second: Double = 0) -> Double {
  1_780_272_000 + Double(hour * 3600 + minute * 60) + second
}

struct AnnouncerTests {
  private func room(_ start: Double) -> VirtualRoom {
    let room = VirtualRoom(start)
    room.start()
    return room
  }

  private func says(_ room: VirtualRoom) -> [Double] { room.heard.map(\.at) }

  @Test func `It speaks at the exact second, and wakes up a few seconds before`() {
    let room = room(at(14, 1))
    room.run(until: at(14, 44))
    #expect(says(room) == [at(14, 15), at(14, 30)])
    #expect(room.reports.map(\.what) == [.spoke, .spoke] && room.reports.map(\.lateMilliseconds) == [0, 0])
    #expect(room.reports.map { $0.announcement.parts.map(\.name) } == [["2", "15", "PM"], ["2", "30", "PM"]])
    // Armed, begun, over: it is awake for no other reason.
    #expect(room.wakings.count == 6 && room.wakings[0] == at(14, 14, 56))
  }

  @Test func `A start ten seconds before still announces`() {
    let room = room(at(14, 14, 50))
    room.run(until: at(14, 20))
    #expect(says(room) == [at(14, 15)])
  }

  @Test func `Started a second late it speaks, twenty seconds late it does not`() {
    let soon = room(at(14, 15, 1.5))
    soon.run(until: at(14, 20))
    #expect(says(soon) == [at(14, 15, 1.5)] && soon.reports[0].lateMilliseconds == 1_500)
    let late = room(at(14, 15, 20))
    late.run(until: at(14, 20))
    #expect(says(late) == [])
  }

  @Test func `Killed while it speaks, it does not say the same again`() {
    let room = room(at(14, 14))
    room.run(until: at(14, 15, 0.1))
    room.start()
    room.run(until: at(14, 31))
    #expect(says(room) == [at(14, 15), at(14, 30)])
  }

  @Test func `Killed while it is armed, the next start announces`() {
    let room = room(at(14, 14))
    room.run(until: at(14, 14, 58))
    room.start()
    room.run(until: at(14, 16))
    #expect(says(room) == [at(14, 15)])
  }

  @Test(arguments: [30, 3_600, 1_728_000] as [Double])
  func `After a sleep nothing is made up for`(seconds: Double) {
    let room = room(at(14, 14, 40))
    room.suspend(for: seconds)
    let awake = room.time.now
    room.run(until: awake + 60)
    #expect(says(room).allSatisfy { $0 > awake && $0.truncatingRemainder(dividingBy: 900) == 0 })
    #expect(room.heard.count <= 1)
    room.run(until: awake + 3_600)
    #expect(room.heard.count == 4)
  }

  @Test(arguments: [-31_536_000, -1_200, -1, 1, 1_200, 31_536_000] as [Double])
  func `A clock that is set says what it shows then, and nothing twice`(step: Double) {
    for second in [10.0, 57, 60.2] {
      let room = room(at(14, 14))
      room.run(until: at(14, 14, second))
      room.setClock(by: step)
      let now = room.time.now
      room.run(until: now + 3_600)
      let heard = says(room)
      #expect(heard.allSatisfy { $0.truncatingRemainder(dividingBy: 900) < 3 }, "\(second) \(step)")
      #expect((3...6).contains(heard.count), "\(second) \(step): \(heard)")
      // A clock that is put back by more than a minute shows the same time again.
      #expect(Set(heard).count == heard.count || step == -1_200, "\(second) \(step): \(heard)")
      #expect(!room.reports.contains { $0.what == .spoke && ($0.lateMilliseconds ?? 0) > 3_000 })
    }
  }

  @Test func `The hub and its own schedule name the same instant, which is said once`() {
    let room = room(at(14, 14))
    let parts: [Part] = [.number(2), .number(15), .word(.pm)]
    for _ in 0..<3 { room.announcer?.told(at: EpochSeconds(at(14, 15)), parts: parts) }
    room.run(until: at(14, 15, 0.5))
    room.announcer?.told(at: EpochSeconds(at(14, 15)), parts: parts)
    room.run(until: at(14, 31))
    #expect(says(room) == [at(14, 15), at(14, 30)] && room.reports.map(\.source) == [.push, .own])
  }

  @Test func `What the hub alone knows is said too`() {
    let room = room(at(14, 14))
    room.announcer?.told(at: EpochSeconds(at(14, 20)), parts: [.number(2), .number(20), .word(.pm)])
    room.run(until: at(14, 21))
    #expect(says(room) == [at(14, 15), at(14, 20)])
  }

  @Test func `While an alarm rings it keeps still, also in the middle of a word`() {
    let room = room(at(14, 14))
    room.run(until: at(14, 15, 0.1))
    room.announcer?.alarm(rings: true)
    room.run(until: at(14, 31))
    #expect(room.reports.map(\.what) == [.alarm, .alarm] && room.heard.count == 1)
    room.announcer?.alarm(rings: false)
    room.run(until: at(14, 46))
    #expect(room.reports.last?.what == .spoke)
  }

  @Test func `What the hub tells is not said in quiet hours`() {
    let room = room(at(14, 13))
    var orders = ClockOrders()
    orders.settings.quiet = QuietHours(from: 14 * 60, to: 15 * 60)
    room.announcer?.change(orders)
    room.announcer?.told(at: EpochSeconds(at(14, 15)), parts: orders.settings.parts(at: 14 * 60 + 15))
    room.run(until: at(14, 16))
    #expect(room.reports.map(\.what) == [.muted] && room.heard.isEmpty)
  }

  @Test func `Muted, switched off and on again`() {
    let room = room(at(14, 14, 57))
    var orders = ClockOrders()
    orders.mutedUntil = EpochSeconds(at(14, 30))
    room.announcer?.change(orders)
    room.run(until: at(14, 16))
    #expect(room.reports.map(\.what) == [.muted] && room.heard.isEmpty)
    room.run(until: at(14, 31))
    #expect(says(room) == [at(14, 30)])
    orders.isOn = false
    room.announcer?.change(orders)
    let wakings = room.wakings.count
    room.run(until: at(18, 0))
    #expect(room.wakings.count == wakings && room.heard.count == 1)
    orders.isOn = true
    room.announcer?.change(orders)
    room.run(until: at(18, 16))
    #expect(says(room) == [at(14, 30), at(18, 15)] || says(room) == [at(14, 30), at(18, 0), at(18, 15)])
  }

  @Test(arguments: [(30, 15, 30.0), (6, 1, 6.0), (58, 1, 0.0), (3, 1, 36.0)])
  func `Strokes that last too long are struck once or not at all, and the hour is said`(
    stroke: Int, every: Int, seconds: Double
  ) {
    let room = VirtualRoom(at(11, 59, 30))
    room.voice = LongStrokes(seconds: stroke)
    var orders = ClockOrders()
    (orders.settings.every, orders.settings.strokes) = (every, .hours)
    room.start(orders)
    room.run(until: at(12, 1, 30))
    #expect(says(room) == Array([at(12, 0), at(12, 1)].prefix(every == 1 ? 2 : 1)))
    #expect(room.reports.allSatisfy { $0.what == .spoke && $0.lateMilliseconds == 0 })
    // The words are the same two beeps.
    #expect(room.heard[0].seconds > seconds && room.heard[0].seconds < seconds + 0.5, "\(room.heard[0].seconds)")
    #expect(room.faults.map(\.code) == (seconds == 36 ? [] : [.tooLarge]))
  }

  @Test func `A device that is taken away is tried again by the next announcement`() {
    let room = room(at(14, 14))
    room.fault = "it was taken away"
    room.run(until: at(14, 16))
    #expect(room.reports.map(\.what) == [.noAudio] && room.reports[0].reason == "it was taken away")
    room.fault = nil
    room.run(until: at(14, 31))
    #expect(says(room) == [at(14, 30)])
  }

  @Test func `Another sound waits until no announcement is near`() {
    let room = room(at(14, 14, 50))
    let clip = Clip(samples: [Float](repeating: 0.1, count: 8_000 * 20), rate: 8_000)
    var ends: [PlaybackEnd] = []
    #expect(room.announcer?.say(clip, { ends.append($0) }) == true)
    room.run(until: at(14, 16))
    #expect(room.heard.count == 2 && abs(room.heard[1].at - at(14, 15) - room.heard[0].seconds) < 0.01)
    #expect(ends.count == 1 && room.heard[1].seconds == 20)
    for _ in 0..<20 { _ = room.announcer?.say(clip) { _ in } }
    #expect(room.announcer?.say(clip, { _ in }) == false)
  }

  @Test func `A zone that is crossed skips no later announcement and repeats none`() {
    let room = room(at(14, 10))
    room.run(until: at(14, 16))
    room.offset = { _ in 5 * 3600 + 45 * 60 }
    room.run(until: at(14, 31))
    #expect(room.reports.map { $0.announcement.minute } == [14 * 60 + 15, 20 * 60 + 15])
  }

  @Test func `A year passes in seconds, and memory stays flat`() throws {
    let zone = try systemZone("Europe/Berlin")
    let room = VirtualRoom(1_767_222_000)
    room.keepsAll = false
    room.offset = zone.offset(at:)
    room.start()
    let begin = try processorSeconds()
    room.run(until: 1_767_222_000 + 86_400)
    let before = try residentBytes()
    room.run(until: 1_767_222_000 + 365 * 86_400)
    // From 0:00 on New Year's Day, with it, to the next one without it.
    #expect(room.count == 365 * 96)
    let grown = try residentBytes() - before
    // Other tests run in this process meanwhile; the sounds of a year would be 300 MB.
    #expect(grown < 64 << 20, "\(grown) bytes more")
    let seconds = try processorSeconds() - begin
    #expect(seconds < 10, "\(seconds) s")
  }

  /// This thread's alone: others of the test run do not count.
  private func processorSeconds() throws -> Double {
    var time = timespec()
    try #require(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The memory of this process that is in use (statm(5)).
  private func residentBytes() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(words[1])) * 4096
  }
}
