import CivilTime
package import Hub
package import Wire

/// The document for directories of hackerspaces (spaceapi.io), valid for versions 14 and 15 at once.
package enum SpaceAPI {
  /// A past change of the sign.
  package struct PastEvent: Equatable, Sendable {
    /// Nil for a change to unknown.
    package var open: Bool?
    package var at: Int
    package var by: String?
    package init(open: Bool?, at: Int, by: String?) {
      self.open = open
      self.at = at
      self.by = by
    }
  }

  /// Another space in SpaceAPI's list of linked spaces.
  package struct LinkedSpace: Equatable, Sendable {
    package var endpoint: String
    package var website: String?
  }

  /// - Parameters:
  ///   - feed: the path of a calendar feed, such as "/space/calendar.ics".
  ///   - origin: the hub's own address, such as "https://hub.example", since the document needs absolute addresses.
  package static func document(
    _ place: Place, _ settings: SpaceSettings, _ sign: Sign, past: [PastEvent], pictures: [Picture] = [],
    sensors: [Sensor] = [], linked: [LinkedSpace] = [], feed: String? = nil, origin: String, now: Double = 0
  ) -> JSON {
    var location: [JSON.Member] = []
    if let address = place.address { location.append(.init("address", .string(address))) }
    if let point = place.coordinates {
      location += [.init("lat", .double(point.latitude)), .init("lon", .double(point.longitude))]
    }
    location.append(.init("timezone", .string(place.zone.name)))
    let uploaded = pictures.first { $0.name == .logo }?.address
    let logo = uploaded.map { origin + $0 } ?? settings.logo ?? "\(origin)/icon-512.png"
    // Without `open` the state is unknown. Version 15 refuses null, and "false" would be a guess.
    var state: [JSON.Member] = []
    if let open = sign.open { state.append(.init("open", .bool(open))) }
    if let lastChange = sign.lastChange { state.append(.init("lastchange", .int(lastChange))) }
    if let by = sign.by { state.append(.init("trigger_person", .string(by))) }
    if let message = sign.message { state.append(.init("message", .string(message))) }
    // Only one of the two pictures would be invalid.
    if let open = pictures.first(where: { $0.name == .open }),
      let closed = pictures.first(where: { $0.name == .closed })
    {
      let icon: JSON = ["open": .string(origin + open.address), "closed": .string(origin + closed.address)]
      state.append(.init("icon", icon))
    }

    var members: [JSON.Member] = [
      // Version 14 requires a location.
      .init("api_compatibility", place.coordinates == nil ? ["15"] : ["14", "15"]),
      .init("space", .string(place.name)), .init("logo", .string(logo)),
      .init("url", .string(settings.url ?? origin)),
      .init("location", .object(location)), .init("state", .object(state)), .init("contact", settings.contact),
    ]
    if !past.isEmpty {
      // The space's name instead of the person's: everybody reads this, and people's habits are private.
      let events = past.compactMap { event -> JSON? in
        guard let open = event.open else { return nil }
        return ["name": .string(place.name), "type": open ? "opened" : "closed", "timestamp": .int(event.at)]
      }
      members.append(.init("events", .array(events)))
    }
    if let sensors = Sensor.spaceAPI(sensors, now: now) { members.append(.init("sensors", sensors)) }
    if let feed {
      let calendar: JSON = ["type": "ical", "url": .string(origin + feed)]
      members.append(.init("feeds", ["calendar": calendar]))
    }
    members.append(.init("links", [["name": "Sign and programme", "url": .string("\(origin)/")]]))
    if !linked.isEmpty {
      let spaces = linked.map { space -> JSON in
        let website = space.website.map { [JSON.Member("website", .string($0))] } ?? []
        return .object([.init("endpoint", .string(space.endpoint))] + website)
      }
      members.append(.init("linked_spaces", .array(spaces)))
    }
    return .object(members)
  }
}
