import AnchorWatch
import Hub
import Testing
import Wire

@testable import Anchor

struct AnchorModelTests {
  private func source(battery: Double, charging: Bool? = false) -> Source {
    var source = Source(name: "phone", kind: .owntracks, last: 0)
    (source.battery, source.isCharging) = (battery, charging)
    return source
  }

  @Test func `a battery rings at 20 and at 10 per cent, once each until it is charged`() {
    var phone = source(battery: 0.2)
    func news(_ was: Bool? = false) -> [BatteryNews] {
      Battery.news(of: &phone, wasCharging: was, history: [], now: 0, morning: 0)
    }
    #expect(news() == [.low(0.2)])
    #expect(news() == [])
    phone.battery = 0.1
    #expect(news() == [.empty(0.1)])
    #expect(news() == [])
    phone.isCharging = true
    #expect(news() == [])
    (phone.isCharging, phone.battery) = (false, 0.19)
    #expect(news(true) == [.unplugged, .low(0.19)])
    phone.isCharging = true
    #expect(news(false) == [.plugged])
  }

  @Test func `an alarm knows who hears its next rings, and when`() {
    var alarm = OpenAlarm(kind: .alarm, since: 0, distance: 50)
    #expect(!alarm.hasReached(0) && alarm.nextRing(of: 0) == nil)
    alarm = alarm.rung(now: 100)
    #expect(alarm.hasReached(0) && !alarm.hasReached(1))
    #expect([0, 1, 2].map { alarm.nextRing(of: $0) } == [130, 190, 280])
    #expect(!alarm.isDue(now: 100) && alarm.isDue(now: 130))
    #expect(alarm.isDue(now: 130 - 1_500), "a clock that is put back silences nothing for as long")
    alarm = alarm.rung(now: 130).rung(now: 160)
    #expect(!alarm.hasReached(1) && alarm.nextRing(of: 1) == 190)
    alarm = alarm.rung(now: 190)
    #expect(alarm.hasReached(1) && !alarm.hasReached(2) && alarm.nextRing(of: 1) == 220)
    #expect(alarm.rings(at: 50, beyond: 10))
    alarm.acknowledge(by: "Ada", now: 200, distance: 50, beyond: 10)
    #expect(!alarm.rings(at: 54, beyond: 14) && alarm.rings(at: 56, beyond: 10))
    #expect(alarm.rings(at: 50, beyond: 16), "deeper in a sector that is kept out, no further from the anchor")
    #expect(alarm.nextRing(of: 0) == nil && !alarm.isDue(now: 200))
  }

  @Test func `a battery that does not reach the morning rings early`() {
    // 2 % in five minutes from 90 %: empty after 3 h 45 min.
    let history = (0..<12).map { Charge(at: Double($0) * 300, share: 0.9 - 0.02 * Double($0)) }
    let now = 3_300.0
    let end = Battery.emptyAt(history, now: now)
    #expect(end.map { abs($0 - 13_500) < 60 } == true)
    var phone = source(battery: 0.68)
    let morning = now + 12 * 3_600
    #expect(Battery.news(of: &phone, wasCharging: false, history: history, now: now, morning: morning).count == 1)
    #expect(Battery.news(of: &phone, wasCharging: false, history: history, now: now, morning: morning).isEmpty)
    let words = Bell.Words("Tue 07:00", german: "Di 07:00")
    let title = AnchorBell.battery(.slope(13_500), of: phone, morning: words, to: [:]).title
    #expect(title.english.hasSuffix("until Tue 07:00") && title.german.hasSuffix("bis Di 07:00"))
    #expect(Battery.emptyAt(Array(history.prefix(3)), now: now) == nil, "a quarter of an hour says nothing")
    #expect(Battery.emptyAt(history.map { Charge(at: $0.at, share: 0.9) }, now: now) == nil)
  }

  @Test func `the clock of a phone that is a day off is found out, and what comes late is not taken for that`() {
    let place = Position(latitude: 54, longitude: 10)!
    var phone = source(battery: 1)
    // Ahead: at once.
    let ahead = phone.corrected([Fix(time: 186_400, position: place)], now: 100_000)
    #expect(ahead.map(\.time) == [100_000])
    // Behind: as soon as it is always the same.
    phone = source(battery: 1)
    var times: [Double] = []
    for minute in 0..<4 {
      let now = 200_000 + Double(minute) * 60
      times.append(phone.corrected([Fix(time: now - 86_400, position: place)], now: now)[0].time - now)
    }
    #expect(times == [-86_400, -86_400, 0, 0])
    // A night's fixes that come at once are what they say.
    phone = source(battery: 1)
    for batch in 0..<20 {
      let at = 300_000 + Double(batch) * 500
      #expect(phone.corrected([Fix(time: at, position: place)], now: 400_000 + Double(batch))[0].time == at)
    }
    // Nor are those of an hour without a network, which come one by one, as quickly as they can be sent.
    phone = source(battery: 1)
    for number in 0..<40 {
      let fixes = [Fix(time: 300_000 + 25 * Double(number), position: place)]
      #expect(phone.corrected(fixes, now: 304_000 + 0.3 * Double(number)) == fixes)
    }
    #expect(phone.clockError == nil)
  }

  @Test func `a clock that is minutes behind is found out, and positions that are minutes late are not`() {
    let place = Position(latitude: 54, longitude: 10)!
    /// How old the newest position of each report counts as, if there is one each minute.
    func ages(_ errors: [Double]) -> [Double] {
      var phone = source(battery: 1)
      return errors.enumerated().map { minute, error in
        let now = 200_000 + Double(minute) * 60
        return now - phone.corrected([Fix(time: now - error, position: place)], now: now)[0].time
      }
    }
    #expect(ages([300, 303, 298, 301, 0]) == [300, 303, 0, 1, 0])
    #expect(ages([63, 62, 64, 55, 58, 20]) == [63, 62, 1, 0, 0, 20], "one at the edge stays found")
    #expect(ages([55, 58, 52, 59]) == [55, 58, 52, 59])
    #expect(ages([300, 240, 180, 120]) == [300, 240, 180, 120], "what waited is sent")
    #expect(ages([90, 150, 210, 270]) == [90, 150, 210, 270], "the same position again and again")
    #expect(ages([90, 130, 70, 110]) == [90, 130, 70, 110])
  }
}
