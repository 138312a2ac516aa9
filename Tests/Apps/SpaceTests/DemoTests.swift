import Lifecycle
import Space
import Testing

struct DemoTests {
  @Test func `the year of the sign alternates and ends before now`() throws {
    let zone = try systemZone("Europe/Berlin")
    let now = 1_795_196_400
    let turns = SpaceDemo.history(before: now, zone: zone)
    #expect(turns.count > 150)
    for (one, next) in zip(turns, turns.dropFirst()) {
      #expect(one.open != next.open)
      #expect(try #require(one.lastChange) < (try #require(next.lastChange)))
    }
    #expect(try #require(turns.last?.lastChange) < now)
    #expect(try #require(turns.first?.lastChange) > now - 367 * 86_400)
  }
}
