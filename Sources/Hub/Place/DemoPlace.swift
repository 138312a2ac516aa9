import CivilTime
import Lifecycle
import Store

/// A fictitious place, for `serve --demo`.
enum DemoPlace {
  /// Fills in the place, unless it is the demonstration's already.
  /// - Throws: `DemoRefusal` if the folder holds a real one.
  static func fill(_ hub: Hub) async throws {
    let isDemo = try await hub.store.read { database throws(StoreError) in try database.isDemo() }
    if isDemo == false {
      throw DemoRefusal("\(hub.dataFolder) holds a real space; --demo needs a folder of its own: --data DIR.")
    }
    if isDemo == true { return }
    let place = Place(
      name: "Hackerspace Nordlicht", address: "Am Speicher 8, 28195 Bremen, Germany",
      coordinates: .init(latitude: 53.0838, longitude: 8.7922), zone: (try? systemZone("Europe/Berlin")) ?? .utc)
    try await hub.store.write { database throws(StoreError) in try database.save(place: place, isDemo: true) }
  }
}
