import Testing
import World

@testable import Flickr

struct CallRateTests {
  @Test func `in no hour are there more than 3,600 calls, and they are spread`() {
    let time = VirtualTime()
    var rate = CallRate()
    var made: [Double] = []
    for _ in 0..<9_000 {
      time.advance(by: rate.take(at: time.uptime))
      made.append(time.uptime)
    }
    #expect(made[FlickrLimits.callsAtOnce - 1] == 0)
    var first = 0
    for last in made.indices {
      while made[last] - made[first] >= 3_600 { first += 1 }
      #expect(last - first < FlickrLimits.callsAnHour)
    }
    for (one, next) in zip(made, made.dropFirst()) { #expect(next - one < 1.1) }
  }

  @Test func `after a pause, some calls go at once again`() {
    var rate = CallRate(limit: 10, burst: 4, seconds: 60)
    #expect((0..<5).map { _ in rate.take(at: 0) } == [0, 0, 0, 0, 10])
    #expect((0..<5).map { _ in rate.take(at: 1_000) } == [0, 0, 0, 0, 10])
    #expect(rate.take(at: 1_010) == 10)
  }

  @Test func `a host that fails is left alone for longer and longer, up to a bound`() {
    var pauses = BackOff()
    #expect(pauses.wait(at: 0) == 0)
    var before = 0.0
    for attempt in 0..<40 {
      let now = Double(attempt) * 10_000
      pauses.fail(at: now, retryAfter: nil, chance: 0.5)
      #expect(pauses.wait(at: now) >= before && pauses.wait(at: now) <= FlickrLimits.longestPause)
      before = pauses.wait(at: now)
    }
    #expect(before == FlickrLimits.longestPause)
    pauses.succeed()
    pauses.fail(at: 0, retryAfter: 60, chance: 0)
    #expect(pauses.wait(at: 0) == 60 && pauses.wait(at: 61) == 0)
  }
}
