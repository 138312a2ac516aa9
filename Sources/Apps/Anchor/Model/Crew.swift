import Delivery
import Hub
import Store
import Wire

/// Those who are rung: the persons in their order (whoever armed the watch, those who have subscribed, the owners), and
/// the single devices that have subscribed, such as a box in the cabin, which ring from the first ring on.
struct Crew: Equatable, Sendable {
  let persons: [Int]
  /// Those of them who have no device that can be heard.
  let withoutDevice: [Int]
  let boxes: [Int]

  init(_ database: Database, armedBy person: Int?) throws(StoreError) {
    var persons: [Int] = []
    var boxes: [Int] = []
    func add(_ person: Int) { if !persons.contains(person) { persons.append(person) } }
    if let person, try database.isPerson(person) { add(person) }
    for subscriber in try database.subscribers(of: AnchorBell.topic.id) {
      switch subscriber {
      case .person(let id): add(id)
      case .device(let id): boxes.append(id)
      }
    }
    for id in try database.personIDs(with: .beWoken) { add(id) }
    // Nobody hears the rings of whoever has no device: theirs come last.
    let without = try database.audibleDevices(of: persons.map(Recipient.person)).without
    persons = Array((persons.filter { !without.contains($0) } + without).prefix(WatchLimits.crew))
    self.persons = persons
    withoutDevice = without.filter(persons.contains)
    self.boxes = Array(boxes.prefix(WatchLimits.crew))
  }

  var isEmpty: Bool { persons.isEmpty && boxes.isEmpty }

  /// All of them, as recipients of a bell.
  var all: JSON { Self.recipients(persons, boxes) }

  /// The first so many persons, at least one, as recipients.
  func first(_ count: Int) -> JSON { Self.recipients(Array(persons.prefix(max(count, 1))), boxes) }

  /// All of them, and this person before.
  func all(after person: Int?) -> JSON {
    guard let person, !persons.contains(person) else { return all }
    return Self.recipients([person] + persons, boxes)
  }

  private static func recipients(_ persons: [Int], _ boxes: [Int]) -> JSON {
    .array(persons.map { ["person": JSON(id: $0)] } + boxes.map { ["device": JSON(id: $0)] })
  }

  /// Their devices that can be heard.
  func devices(_ database: Database) throws(StoreError) -> [PushDevice] {
    try database.audibleDevices(of: persons.map(Recipient.person) + boxes.map(Recipient.device)).devices
  }
}

extension Double {
  /// Rounded to a tenth: metres and seconds as people read them.
  var tenths: Double { (self * 10).rounded() / 10 }
}
