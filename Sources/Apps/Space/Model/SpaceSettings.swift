package import Calendar
package import Hub
import Pictures
package import Wire

/// What the owner says of the space.
package struct SpaceSettings: Equatable, Sendable {
  /// A place on the earth: degrees north and east, WGS 84.
  package struct Coordinates: Equatable, Sendable {
    package var latitude: Double
    package var longitude: Double
    package init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  package var name: String
  /// Where the logo is; nil: one that is uploaded, or the hub's own picture.
  package var logo: String?
  /// The space's own site; nil: the hub's address.
  package var url: String?
  /// The space's own colour as "#rrggbb".
  package var color: String?
  package var address: String?
  package var place: Coordinates?
  /// An IANA name such as Europe/Berlin.
  package var timezone: String
  /// SpaceAPI's contact object.
  package var contact: JSON
  /// Free text, or OpenStreetMap's opening_hours.
  package var openingHours: String?
  package var calendars: [CalendarSource]

  /// Everything, for the owner.
  package var json: JSON {
    var members = publicJSON.members ?? []
    members.append(JSON.Member("calendars", .array(calendars.map(\.json))))
    return .object(members)
  }

  /// What everyone may read. The addresses of calendars are left out: such an address is often itself the secret.
  package var publicJSON: JSON {
    [
      "name": .string(name), "logo": JSON(logo), "url": JSON(url), "color": JSON(color), "address": JSON(address),
      "lat": JSON(place?.latitude), "lon": JSON(place?.longitude), "timezone": .string(timezone), "contact": contact,
      "opening_hours": JSON(openingHours),
    ]
  }

  /// The same with the pictures that are kept here; a logo among them is shown instead of the one elsewhere.
  package func publicJSON(with pictures: [Picture]) -> JSON {
    var members = publicJSON.members ?? []
    if let logo = pictures.first(where: { $0.name == .logo }),
      let index = members.firstIndex(where: { $0.name == "logo" })
    {
      members[index].value = .string(logo.address)
    }
    let signs = pictures.filter { $0.name != .logo }
    members.append(
      JSON.Member("pictures", .object(signs.map { JSON.Member($0.name.rawValue, .string($0.address)) })))
    return .object(members)
  }
}

extension SpaceSettings {
  /// Reads the settings field by field.
  /// - Parameters:
  ///   - isZone: whether a time zone of that name is known.
  ///   - isAllowed: whether a file: address may be read.
  /// - Throws: all that is wrong, in the order of the fields.
  package init(checking json: JSON, isZone: (String) -> Bool, isAllowed: (String) -> Bool = { _ in true })
    throws(FieldErrors)
  {
    var check = FieldCheck(
      json,
      known: [
        "name", "logo", "url", "color", "address", "lat", "lon", "timezone", "contact", "opening_hours", "calendars",
      ], nullIsNothing: true)
    let name = check.text("name", longest: SpaceLimits.name, isNeeded: true)
    let logo = check.webAddress("logo", longest: SpaceLimits.url)
    let url = check.webAddress("url", longest: SpaceLimits.url)
    let color = check.color("color")
    let address = check.text("address", longest: SpaceLimits.text)
    let place = check.coordinates("lat", "lon")
    let timezone = check.text("timezone", longest: SpaceLimits.name, isNeeded: true)
    if let timezone, !isZone(timezone) {
      check.fail("timezone", .fieldNoZone, ["seen": .text(timezone)])
    }
    let contact = check.contact("contact")
    let openingHours = check.text("opening_hours", longest: SpaceLimits.text)
    let calendars = check.calendars("calendars", isAllowed: isAllowed)
    guard check.errors.isEmpty, let name, let timezone else {
      throw FieldErrors(check.errors)
    }
    self.init(
      name: name, logo: logo, url: url, color: color, address: address, place: place, timezone: timezone,
      contact: contact, openingHours: openingHours, calendars: calendars)
  }
}
