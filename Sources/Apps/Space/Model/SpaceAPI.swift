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

  package static func document(_ settings: SpaceSettings, _ sign: Sign, past: [PastEvent]) -> JSON {
    var location: [JSON.Member] = []
    if let address = settings.address { location.append(.init("address", .string(address))) }
    location += [
      .init("lat", .double(settings.latitude)), .init("lon", .double(settings.longitude)),
      .init("timezone", .string(settings.timezone)),
    ]
    // An absent `open` says that the state is not known just now. null is refused by version 15, and "false" would be
    // a guess.
    var state: [JSON.Member] = []
    if let open = sign.open { state.append(.init("open", .bool(open))) }
    if let lastChange = sign.lastChange { state.append(.init("lastchange", .int(lastChange))) }
    if let by = sign.by { state.append(.init("trigger_person", .string(by))) }
    if let message = sign.message { state.append(.init("message", .string(message))) }

    var members: [JSON.Member] = [
      .init("api_compatibility", ["14", "15"]), .init("space", .string(settings.name)),
      .init("logo", .string(settings.logo)), .init("url", .string(settings.url)),
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
                  "name": .string(event.by ?? settings.name), "type": open ? "opened" : "closed",
                  "timestamp": .int(event.at),
                ]
              }
            })))
    }
    return .object(members)
  }
}
