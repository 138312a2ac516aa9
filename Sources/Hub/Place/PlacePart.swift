import Lifecycle
import Store
import Wire

/// The place as a part of the settings.
struct PlacePart: SettingsPart {
  let place: HubPlace
  let fields = ["name", "address", "lat", "lon", "timezone", "legal_notice", "privacy"]

  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? { try database.place()?.members }

  func read(_ check: inout FieldCheck) -> SettingsDraft? {
    guard let wanted = Place(&check) else { return nil }
    return SettingsDraft(wanted.members) { [place] change in try place.save(wanted, in: change) }
  }
}

extension Place {
  /// Reads the place field by field.
  /// - Returns: nil if a required field is missing or wrong; `check` has the errors.
  package init?(_ check: inout FieldCheck) {
    let name = check.text("name", longest: PlaceLimits.name, isNeeded: true)
    let address = check.text("address", longest: PlaceLimits.address)
    let coordinates = check.coordinates("lat", "lon")
    let timezone = check.text("timezone", longest: PlaceLimits.zone, isNeeded: true)
    let zone = timezone.flatMap { try? systemZone($0) }
    if let timezone, zone == nil { check.fail("timezone", .fieldNoZone, ["seen": .text(timezone)]) }
    let legalNotice = check.webAddress("legal_notice", longest: PlaceLimits.url)
    let privacy = check.webAddress("privacy", longest: PlaceLimits.url)
    guard let name, let zone else { return nil }
    self.init(
      name: name, address: address, coordinates: coordinates, zone: zone, legalNotice: legalNotice, privacy: privacy)
  }
}

extension FieldCheck {
  /// Degrees north and east, both or neither.
  mutating func coordinates(_ north: String, _ east: String) -> Place.Coordinates? {
    let before = errors.count
    let latitude = number(north, in: -90...90, isNeeded: false)
    let longitude = number(east, in: -180...180, isNeeded: false)
    if let latitude, let longitude { return .init(latitude: latitude, longitude: longitude) }
    guard errors.count == before else { return nil }
    if latitude != nil { fail(east, .fieldNoPair, ["one": .text(north), "other": .text(east)]) }
    if longitude != nil { fail(north, .fieldNoPair, ["one": .text(north), "other": .text(east)]) }
    return nil
  }
}

extension Reason.Kind {
  static let fieldNoPair = Self("field-no-pair", "missing; {one} and {other} are given together or not at all.")
}
