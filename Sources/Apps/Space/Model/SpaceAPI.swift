import CivilTime
package import Hub
package import Wire

/// The document that directories of hackerspaces read (spaceapi.io): valid for versions 14 and 15 at once.
package enum SpaceAPI {
  /// A change of the sign that is over.
  package struct PastEvent: Equatable, Sendable {
    /// nil: from then on it was not known.
    package var open: Bool?
    package var at: Int
    package var by: String?
    package init(open: Bool?, at: Int, by: String?) {
      self.open = open
      self.at = at
      self.by = by
    }
  }

  /// Another space that ours feels connected to.
  package struct LinkedSpace: Equatable, Sendable {
    package var endpoint: String
    package var website: String?
    package init(endpoint: String, website: String?) {
      self.endpoint = endpoint
      self.website = website
    }
  }

  /// - Parameters:
  ///   - feed: the path of a calendar to subscribe to, such as "/space/calendar.ics".
  ///   - origin: the hub's own address, such as "https://hub.example": the document's addresses are whole.
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
    // An absent `open` says that the state is not known just now. null is refused by version 15, and "false" would be
    // a guess.
    var state: [JSON.Member] = []
    if let open = sign.open { state.append(.init("open", .bool(open))) }
    if let lastChange = sign.lastChange { state.append(.init("lastchange", .int(lastChange))) }
    if let by = sign.by { state.append(.init("trigger_person", .string(by))) }
    if let message = sign.message { state.append(.init("message", .string(message))) }
    // Both, or none: half of it is refused.
    if let open = pictures.first(where: { $0.name == .open }),
      let closed = pictures.first(where: { $0.name == .closed })
    {
      let icon: JSON = ["open": .string(origin + open.address), "closed": .string(origin + closed.address)]
      state.append(.init("icon", icon))
    }

    var members: [JSON.Member] = [
      // Version 14 cannot do without a place.
      .init("api_compatibility", place.coordinates == nil ? ["15"] : ["14", "15"]),
      .init("space", .string(place.name)), .init("logo", .string(logo)),
      .init("url", .string(settings.url ?? origin)),
      .init("location", .object(location)), .init("state", .object(state)), .init("contact", settings.contact),
    ]
    if !past.isEmpty {
      members.append(
        .init(
          "events",
          .array(
            past.compactMap { event in
              event.open.map { open in
                [
                  // Not who it was: everybody reads this, and when somebody comes and goes is theirs.
                  "name": .string(place.name), "type": open ? "opened" : "closed", "timestamp": .int(event.at),
                ]
              }
            })))
    }
    if let sensors = Sensor.spaceAPI(sensors, now: now) { members.append(.init("sensors", sensors)) }
    if let feed {
      let calendar: JSON = ["type": "ical", "url": .string(origin + feed)]
      members.append(.init("feeds", ["calendar": calendar]))
    }
    members.append(
      .init("links", [["name": "Sign and programme", "url": .string("\(origin)/")]]))
    if !linked.isEmpty {
      members.append(
        .init(
          "linked_spaces",
          .array(
            linked.map { space in
              let website = space.website.map { [JSON.Member("website", .string($0))] } ?? []
              return .object([.init("endpoint", .string(space.endpoint))] + website)
            })))
    }
    return .object(members)
  }
}
