import Delivery
import Hub
import Store

/// The people who are rung, in their order: whoever armed the watch, those who have subscribed, the owners.
struct Crew: Equatable, Sendable {
  let persons: [Int]

  init(_ database: Database, armedBy person: Int?) throws(StoreError) {
    var persons: [Int] = []
    func add(_ person: Int) { if !persons.contains(person) { persons.append(person) } }
    if let person, try database.isPerson(person) { add(person) }
    for case .person(let id) in try database.subscribers(of: AnchorBell.topic.id) { add(id) }
    for id in try database.personIDs(of: .owner) { add(id) }
    self.persons = Array(persons.prefix(WatchLimits.crew))
  }

  /// The first so many, at least one.
  func first(_ count: Int) -> [Int] { Array(persons.prefix(max(count, 1))) }

  /// Their devices that can be rung.
  func devices(_ database: Database) throws(StoreError) -> [PushDevice] {
    var devices: [PushDevice] = []
    for person in persons {
      devices += try database.pushDevices(ofPerson: person).filter { !$0.channels.isEmpty && $0.kind != .webhook }
    }
    return Array(devices.prefix(WatchLimits.drilled))
  }
}
