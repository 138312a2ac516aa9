import CivilTime
import Hub
import Server
import Store
import Testing

/// A room that knows one evening's event.
private struct OneEvening: PlannedEvents {
  let feedPath: String? = "/evenings.ics"

  func times(from: CivilDate, to: CivilDate, for request: Request) async throws(HTTPError) -> PlannedTimes? {
    PlannedTimes(tag: "one") { [0..<3600] }
  }

  func takesPlace(_ event: PlannedEvent, in database: Database) throws(StoreError) -> Bool { true }
  func openers(of event: String, in database: Database) throws(StoreError) -> [Int] { [] }
  func nextOpening(after now: Int, in database: Database) throws(StoreError) -> Int? { nil }
  func putDown(opener person: Int, of event: PlannedEvent, in change: Change) throws -> Bool { false }
  func albumChanged(of event: String, in change: Change) {}
}

struct OffersTests {
  @Test func `what a room offers is there for whoever asks later, by its name and type`() async throws {
    let offers = Offers()
    #expect(offers[.plannedEvents] == nil, "no room that is on has it")
    offers.make(.plannedEvents, OneEvening())
    #expect(offers[.plannedEvents]?.feedPath == "/evenings.ics")
    offers.make(Offer<Int>("number"), 7)
    #expect(offers[Offer<Int>("number")] == 7 && offers[Offer<Int>("another")] == nil)
    #expect(offers[Offer<String>("number")] == nil, "it is of another type")
  }
}
