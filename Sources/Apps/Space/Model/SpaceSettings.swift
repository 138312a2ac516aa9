import CivilTime
package import Hub
package import Wire

/// The owner's settings of the space, in addition to the hub's place.
package struct SpaceSettings: Equatable, Sendable {
  package static let fields = ["logo", "url", "color", "contact", "opening_hours"]

  /// The logo's address; nil for an uploaded one, or the hub's default.
  package var logo: String?
  /// The space's own site; nil for the hub's address.
  package var url: String?
  /// The space's own colour as "#rrggbb".
  package var color: String?
  /// SpaceAPI's contact object.
  package var contact: JSON = [:]
  /// Free text, or OpenStreetMap's opening_hours.
  package var openingHours: String?

  package init(
    logo: String? = nil, url: String? = nil, color: String? = nil, contact: JSON = [:], openingHours: String? = nil
  ) {
    self.logo = logo
    self.url = url
    self.color = color
    self.contact = contact
    self.openingHours = openingHours
  }

  /// Parses the settings field by field; faults are added to `check`.
  package init(_ check: inout FieldCheck) {
    logo = check.webAddress("logo", longest: SpaceLimits.url)
    url = check.webAddress("url", longest: SpaceLimits.url)
    color = check.color("color")
    contact = check.contact("contact")
    openingHours = check.text("opening_hours", longest: SpaceLimits.text)
  }

  /// The form for the store and for the owner.
  package var members: [JSON.Member] {
    [
      .init("logo", JSON(logo)), .init("url", JSON(url)), .init("color", JSON(color)), .init("contact", contact),
      .init("opening_hours", JSON(openingHours)),
    ]
  }

  /// The public data of the space: its place, and its stored pictures; a stored logo takes precedence over an address.
  package func publicJSON(_ place: Place, pictures: [Picture]) -> JSON {
    let logo = pictures.first { $0.name == .logo }?.address ?? logo
    let signs = pictures.filter { $0.name != .logo }
    return [
      "name": .string(place.name), "logo": JSON(logo), "url": JSON(url), "color": JSON(color),
      "address": JSON(place.address), "lat": JSON(place.coordinates?.latitude),
      "lon": JSON(place.coordinates?.longitude), "timezone": .string(place.zone.name), "contact": contact,
      "opening_hours": JSON(openingHours),
      "pictures": .object(signs.map { JSON.Member($0.name.rawValue, .string($0.address)) }),
    ]
  }
}
