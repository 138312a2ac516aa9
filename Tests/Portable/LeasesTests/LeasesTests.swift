import Leases
import Testing

struct LeasesTests {
  private let day = 86_400.0

  @Test func `ended by habit, an alarm dies after eight hours, and nobody hears it`() {
    let night = LeaseNight(.fatalHabit, PhoneSystem.ios6.rules, seconds: day)
    #expect(night.end == .killed && night.isSilent && night.said == [])
    #expect(night.watched > 7.5 * 3_600 && night.watched < 9 * 3_600 && night.leases == 64)
  }

  @Test func `each used to its end, 64 leases of ten minutes are ten hours and forty minutes`() {
    let night = LeaseNight(.full, PhoneSystem.strict.rules, seconds: day)
    #expect(night.watched >= 10 * 3_600 + 40 * 60 && night.leases == 64)
    #expect(night.end == .ended && !night.isSilent && night.longestGap <= 60)
  }

  @Test func `the more is lent, the longer it watches`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let night = LeaseNight(.full, PhoneSystem.ios6.rules, seconds: 3 * day, seed: seed)
      // As long as the rules allow: no second of the 64 leases is given away.
      #expect(night.watched >= 64 * 900 && night.watched <= 64 * 1_200 && night.end == .ended && !night.isSilent)
      #expect(night.watched > LeaseNight(.fatalHabit, PhoneSystem.ios6.rules, seconds: day, seed: seed).watched * 1.8)
    }
    let night = LeaseNight(.full, PhoneSystem.ios5.rules, seconds: 3 * day)
    #expect(night.end == .morning && night.watched > 3 * day - 60 && night.longestGap <= 60)
  }

  @Test func `from the last lease but one on, the device says when the watch will end, and not too late`() throws {
    let night = LeaseNight(.full, PhoneSystem.strict.rules, seconds: day)
    let told = night.said.filter { $0.kind == .willEnd }
    #expect(told.map(\.at) == [62 * 600, 63 * 600] && told.map(\.until) == [64 * 600, 64 * 600])
    #expect(night.said.last?.kind == .ends && night.said.last?.at == night.watched)
    for seed in 1...20 as ClosedRange<UInt64> {
      let night = LeaseNight(.full, PhoneSystem.ios6.rules, seconds: day, seed: seed)
      let told = night.said.filter { $0.kind == .willEnd }
      #expect(told.count == 2 && told.allSatisfy { $0.until <= night.watched })
    }
  }

  @Test(arguments: PhoneSystem.allCases) func `no system ends it in silence`(system: PhoneSystem) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let night = LeaseNight(.full, system.rules, seconds: 2 * day, seed: seed)
      #expect(!night.isSilent && night.longestGap <= 60, "\(system.name) \(seed)")
    }
  }

  @Test func `a program that vanishes is missed by the device three minutes later`() {
    let night = LeaseNight(.full, PhoneSystem.vanishing.rules, seconds: day)
    #expect(night.end == .killed && night.said.map(\.kind) == [.silent])
    #expect(night.said[0].at - night.watched == LeaseLimits.silence && night.said[0].until == night.watched)
    #expect(LeaseNight(.fatalHabit, PhoneSystem.vanishing.rules, seconds: day).isSilent)
  }

  @Test func `rules that change in the night shorten it, and it is seen in time`() {
    let night = LeaseNight(.full, PhoneSystem.changing.rules, seconds: 2 * day)
    #expect(night.end == .ended && !night.isSilent && night.watched > 10 * 3_600)
  }

  @Test func `nobody warns: each lease is left five seconds before its end`() {
    var rules = PhoneSystem.strict.rules
    rules.warning = 0
    let night = LeaseNight(.full, rules, seconds: day)
    #expect(night.end == .ended && !night.isSilent && night.watched == 64 * 595)
  }

  @Test func `positions come only when they are started again, and a callback makes no sound`() {
    var phone = SimulatedPhone(PhoneSystem.ios6.rules)
    phone.check()
    #expect(phone.checks == 0 && !phone.sound(fromCallback: true) && !phone.sound(fromCallback: false))
    phone.startPositions()
    #expect(phone.beginLease() && phone.sound(fromCallback: false) && !phone.sound(fromCallback: true))
    phone.check()
    #expect(phone.checks == 1 && phone.remaining == .infinity)
    phone.pass(650)
    #expect(phone.remaining <= 600 && phone.remaining > 0)
    phone.pass(3_000)
    #expect(phone.state == .suspended && !phone.beginLease())
    phone.rest(until: phone.now + 100)
    #expect(phone.state == .killed)
    var old = SimulatedPhone(PhoneSystem.ios5.rules)
    old.check()
    #expect(old.checks == 1)
  }
}
