import CivilTime
import Lifecycle
package import Store

/// The table of the place: one row, or none.
enum PlaceTable {
  static let migration = Migration(
    room: "hub", number: 10,
    sql: """
      CREATE TABLE hub_place (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT NOT NULL,
        address TEXT,
        latitude REAL,
        longitude REAL,
        -- An IANA name such as Europe/Berlin.
        zone TEXT NOT NULL,
        legal_notice TEXT,
        privacy TEXT,
        -- Whether it was made up for --demo.
        is_demo INTEGER NOT NULL DEFAULT 0
      )
      """)
}

extension Database {
  /// - Throws: also if this machine does not know the zone.
  package func place() throws(StoreError) -> Place? {
    let kept = try first(
      "SELECT name, address, latitude, longitude, zone, legal_notice, privacy FROM hub_place WHERE id = 1"
    ) { row in
      let hasPoint = !row.isNull(2) && !row.isNull(3)
      let place = Place(
        name: row.text(0), address: row.optionalText(1),
        coordinates: hasPoint ? .init(latitude: row.double(2), longitude: row.double(3)) : nil, zone: .utc,
        legalNotice: row.optionalText(5), privacy: row.optionalText(6))
      return (place: place, zone: row.text(4))
    }
    guard var place = kept?.place, let zone = kept?.zone else { return nil }
    do throws(SystemZoneError) {
      place.zone = try systemZone(zone)
    } catch {
      throw StoreError(
        .open, error.description,
        context: "the hub's time zone; is tzdata installed, and tzdata-legacy for an old name?")
    }
    return place
  }

  /// True if the place was made for `--demo`; nil without a place.
  package func isDemo() throws(StoreError) -> Bool? {
    try first("SELECT is_demo FROM hub_place WHERE id = 1") { $0.bool(0) }
  }

  /// - Parameter isDemo: used only for the first place that is saved.
  package func save(place: Place, isDemo: Bool = false) throws(StoreError) {
    try run(
      """
      INSERT INTO hub_place (id, name, address, latitude, longitude, zone, legal_notice, privacy, is_demo)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address, latitude = excluded.latitude,
        longitude = excluded.longitude, zone = excluded.zone, legal_notice = excluded.legal_notice,
        privacy = excluded.privacy
      """, .text(place.name), Value(place.address), Value(place.coordinates?.latitude),
      Value(place.coordinates?.longitude), .text(place.zone.name), Value(place.legalNotice), Value(place.privacy),
      Value(isDemo))
  }
}
