import CivilTime
import Lifecycle
import Store

/// A place that does not exist, for `serve --demo`.
enum DemoPlace {
  /// Does nothing where there is the demo's place already.
  /// - Throws: `DemoRefusal` when the folder holds somebody's real one.
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
