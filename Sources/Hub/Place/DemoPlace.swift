import CivilTime
import Crypto
import Lifecycle
import Store
import Terminal

/// A fictitious place with its people, for `serve --demo`.
enum DemoPlace {
  /// Fills in place and people, unless they are the demonstration's already.
  /// - Throws: `DemoRefusal` if the folder holds a real one.
  static func fill(_ hub: Hub) async throws {
    let isDemo = try await hub.store.read { database throws(StoreError) in try database.isDemo() }
    if isDemo == false {
      throw DemoRefusal("\(hub.dataFolder) holds a real space; --demo needs a folder of its own: --data DIR.")
    }
    if isDemo == true { return }
    let club = DemoClub(isGerman: asksForGerman(environment()))
    let place = Place(
      name: "Hackerspace Nordlicht",
      address: "Am Speicher 8, 28195 Bremen, " + club("Germany", german: DemoClub.germany),
      coordinates: .init(latitude: 53.0838, longitude: 8.7922), zone: (try? systemZone("Europe/Berlin")) ?? .utc)
    let now = hub.time.now
    try await hub.store.write { database throws(StoreError) in
      try database.save(place: place, isDemo: true)
      for (number, somebody) in DemoClub.Somebody.allCases.enumerated() {
        let joined = now - Double(400 - 60 * number) * 86_400
        let person = try database.addPerson(name: somebody.name, role: somebody.role, now: joined)
        // Nobody has the secret of a random digest.
        let phone = try database.addDevice(
          person: person, name: phones[number % phones.count], digest: Digest.random(32), letInBy: nil, now: joined)
        try database.note(device: phone, seenAt: now - Double(number * number + 1) * 5_000)
      }
    }
  }

  private static let phones = ["Firefox on Android", "Safari on iPhone", "Chrome on Android"]

  /// The language of messages, as POSIX says where it stands.
  static func asksForGerman(_ variables: [String: String]) -> Bool {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty }
    return set?.hasPrefix("de") ?? false
  }
}
