import Programme
import Testing
import Wire
import World

struct FavouriteTests {
  private static func random(_ generator: inout SeededGenerator) -> Favourite {
    let events = ["0123456789ab", "0123456789ac", "0123456789ad-20260601T180000Z", "0123456789ae-20260601"]
    let seen = EventGlance(
      title: ["a", "b"].randomElement(using: &generator)!, start: "2026-06-01T18:00:00Z", end: "2026-06-01T20:00:00Z",
      location: [nil, "x"].randomElement(using: &generator)!, status: "confirmed")
    return Favourite(
      event: events.randomElement(using: &generator)!, kept: Bool.random(using: &generator),
      at: Int.random(in: 0..<5, using: &generator), seen: Bool.random(using: &generator) ? seen : nil)
  }

  @Test(arguments: 0..<50)
  func `any order and any repetition of merges ends in the same list`(round: Int) {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed", seed)
    var generator = SeededGenerator(state: seed)
    let words = (0..<40).map { _ in Self.random(&generator) }
    let all = merged(words, [])
    #expect(Set(all.map(\.event)) == Set(words.map(\.event)), "none is lost")
    for favourite in all {
      #expect(!words.contains { $0.event == favourite.event && $0.wins(over: favourite) })
    }
    // Devices know parts of it, merge in random order, and repeat themselves.
    var devices = (0..<4).map { _ in merged(words.filter { _ in Bool.random(using: &generator) }, []) }
    devices.append(merged(words, []))
    for _ in 0..<60 {
      let (one, other) = (Int.random(in: 0..<5, using: &generator), Int.random(in: 0..<5, using: &generator))
      let both = merged(devices[one], devices[other])
      #expect(both == merged(devices[other], devices[one]))
      #expect(merged(both, devices[one]) == both)
      (devices[one], devices[other]) = (both, both)
    }
    let last = devices.reduce([]) { merged($0, $1) }
    #expect(last == all, "seed \(seed)")
    #expect(merged(merged(words.shuffled(using: &generator), words), words.reversed()) == all)
  }

  @Test func `the later word counts, and at the same moment what keeps it`() {
    let kept = Favourite(event: "0123456789ab", kept: true, at: 5)
    let removed = Favourite(event: "0123456789ab", kept: false, at: 5)
    #expect(merged([kept], [removed]) == [kept] && merged([removed], [kept]) == [kept])
    let later = Favourite(event: "0123456789ab", kept: false, at: 6)
    #expect(merged([kept], [later]) == [later])
  }

  @Test(arguments: [
    ("2026-11-20T18:40:00.123Z", 1_795_200_000_123), ("2026-11-20T18:40:00Z", 1_795_200_000_000),
    ("2026-11-20T19:40:00.1+01:00", 1_795_200_000_100), ("2026-11-20T18:40:00.12399999Z", 1_795_200_000_123),
    ("1969-12-31T23:59:59.999Z", -1),
  ])
  func `times have milliseconds`(text: String, milliseconds: Int) {
    #expect(parseMilliseconds(text) == milliseconds)
    #expect(parseMilliseconds(timestamp(milliseconds: milliseconds)) == milliseconds)
  }

  @Test func `what is in the future counts as now`() throws {
    let json = try JSON(parsing: #"{"favourites":[{"event":"0123456789ab","kept":true,"at":"2999-01-01T00:00:00Z"}]}"#)
    #expect(try Favourite.list(json, now: 77).map(\.at) == [77])
  }

  @Test func `an event has changed where it differs, and not where it is told in another zone`() {
    let seen = EventGlance(
      title: "A", start: "2026-06-01T18:00:00Z", end: "2026-06-01T20:00:00Z", location: nil, status: "confirmed")
    var now = seen
    now.start = "2026-06-01T20:00:00+02:00"
    #expect(seen.changes(to: now) == [])
    now.start = "2026-06-01T20:30:00+02:00"
    (now.title, now.location, now.status) = ("B", "Cellar", "cancelled")
    #expect(seen.changes(to: now) == ["title", "start", "location", "status"])
    now.isAllDay = true
    #expect(!seen.changes(to: now).contains("all_day"), "it was not remembered")
    var timed = now
    timed.isAllDay = false
    #expect(timed.changes(to: now) == ["all_day"])
  }
}
