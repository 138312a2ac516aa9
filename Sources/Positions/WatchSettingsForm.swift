package import AnchorWatch
package import Wire

/// The settings of a watch as the API, the agent's state and the page have them, with the boat and its rode:
/// `{"anchor":{"lat":54.1,"lon":10.2},"zone":{"shape":"circle","radius_m":40},"warning":0.8,"excluded":[],"gap_s":60,
/// "lost_s":120,"grace_s":30,"creep":0.3,"wind_shift_deg":null,"depth_m":null,"beat_s":60,"boat":{"length_m":10,
/// "beam_m":3.2,"bow_m":4},"rode":null,"still_watching":{"every_s":0,"spoken":true}}`.
package struct WatchSettingsForm: Equatable, Sendable {
  package var settings: WatchSettings
  package var boat = Boat()
  package var rode: Rode?
  package var stillWatching = StillWatching()

  package struct Boat: Equatable, Sendable {
    package var length = 10.0
    package var beam = 3.2
    /// Metres from the antenna forward to the bow.
    package var bow = 4.0
  }

  /// The rode between bow and anchor; metres.
  package struct Rode: Equatable, Sendable {
    package var length: Double
    package var depth: Double
    package var bowHeight = 1.2
    package var tide = 0.0
    package var isChain = true
  }

  /// A sign that the watch goes on: seconds from one to the next, 0 for none.
  package struct StillWatching: Equatable, Sendable {
    package var every = 0.0
    package var isSpoken = true
  }

  package struct Fault: Error, Equatable, Sendable {
    /// A sentence with what was seen and what is accepted.
    package var message: String
  }

  /// The settings that are offered around an anchor.
  package init(anchor: Position, radius: Double = 40) {
    settings = WatchSettings(anchor: anchor, alarm: .circle(radius: radius))
    settings.bow = boat.bow
  }

  /// The settings that are offered for an anchor that is dropped: those of the one before, with a radius of 20 m and
  /// 2.5 times the HDOP beyond the swing. The swing is that of the rode, or as far as the boat lies from the anchor
  /// now; while nobody knows it, the radius stays. It is a circle: what else was drawn belongs to the place before.
  /// - Parameters:
  ///   - before: the settings of the anchor before.
  ///   - boat: where her antenna is.
  package static func offered(
    at anchor: Position, after before: WatchSettingsForm?, boat place: Position?, hdop: Double?
  ) -> WatchSettingsForm {
    let usual = WatchSettingsForm(anchor: anchor)
    var form = before ?? usual
    form.settings.anchor = anchor
    form.settings.excluded = []
    // A drawing on the chart, and the bearings of a sector, belong to the place before.
    switch form.settings.alarm {
    case .circle: break
    case .sector(let sector): form.settings.alarm = .circle(radius: sector.outer)
    case .polygon: form.settings.alarm = usual.settings.alarm
    }
    let bow = form.settings.bow
    var radius: Double?
    if let swing = form.rode.flatMap(straight) {
      radius = offeredRadius(swing, bow, hdop)
    } else if let distance = place.map({ anchor.distance(to: $0) }), distance > bow {
      radius = offeredRadius(distance, 0, hdop)
    }
    if let radius { form.settings.alarm = .circle(radius: min(radius.rounded(), AnchorLimits.radius.upperBound)) }
    return form
  }

  /// Reads what `json` wrote: the anchor is needed, the rest may be missing. What a later version has besides is left
  /// out.
  package init(_ json: JSON) throws(Fault) {
    guard let anchor = json["anchor"] else { throw Fault(message: "anchor is missing: \(FormReader.placeWords).") }
    let place = try FormReader("anchor", anchor).place()
    self = try WatchSettingsForm(anchor: place).reading(json)
  }

  /// These settings with the members that an object has instead. A member that does not exist is refused: whoever
  /// mistyped one would believe that it is set.
  package func changed(by json: JSON) throws(Fault) -> WatchSettingsForm {
    try Self.demandKnown("", json)
    for member in json.members ?? [] {
      for part in member.value.array ?? [member.value] { try Self.demandKnown(member.name, part) }
    }
    return try reading(json)
  }

  private static let sectors = ["from_deg", "to_deg", "inner_m", "outer_m"]
  /// The members of the settings, which have no name here, and of the objects among them.
  private static let known: [String: [String]] = [
    "": [
      "anchor", "anchor_by", "zone", "warning", "excluded", "gap_s", "lost_s", "grace_s", "creep", "wind_shift_deg",
      "depth_m", "beat_s", "boat", "rode", "still_watching",
    ],
    "zone": ["shape", "radius_m", "points"] + sectors, "excluded": sectors, "depth_m": ["min", "max"],
    "boat": ["length_m", "beam_m", "bow_m"],
    "rode": ["length_m", "depth_m", "bow_height_m", "tide_m", "chain"], "still_watching": ["every_s", "spoken"],
  ]

  private static func demandKnown(_ name: String, _ json: JSON) throws(Fault) {
    guard let known = known[name] else { return }
    for member in json.members ?? [] where !known.contains(member.name) {
      let seen = name.isEmpty ? member.name : "\(name).\(member.name)"
      throw Fault(message: "\(seen.prefix(60)): unknown; \(known.joined(separator: ", ")) are accepted.")
    }
  }

  private func reading(_ json: JSON) throws(Fault) -> WatchSettingsForm {
    guard let members = json.members else {
      throw Fault(message: "\(json.text.prefix(60)); an object is accepted.")
    }
    var form = self
    for member in members { try form.set(FormReader(member.name, member.value)) }
    let settings = form.settings
    guard settings.lost >= settings.gap else {
      throw Fault(
        message: "lost_s: \(settings.lost); at least gap_s is accepted, which is \(settings.gap): a position is lost "
          + "after a gap.")
    }
    if let low = settings.depthMin, let high = settings.depthMax, low >= high {
      throw Fault(message: "depth_m: min \(low), max \(high); a min below max is accepted.")
    }
    return form
  }

  private mutating func set(_ value: FormReader) throws(Fault) {
    switch value.name {
    case "anchor": settings.anchor = try value.place()
    case "zone": settings.alarm = try value.shape()
    case "warning": settings.warning = try value.number(0.1...1)
    case "excluded": settings.excluded = try value.sectors()
    case "gap_s": settings.gap = try value.number(5...3_600)
    case "lost_s": settings.lost = try value.number(10...7_200)
    case "grace_s": settings.grace = try value.number(0...600)
    case "creep": settings.creep = try value.number(0...10)
    case "wind_shift_deg": settings.windShift = try value.optionalNumber(5...180)
    case "depth_m":
      if value.json == .null {
        (settings.depthMin, settings.depthMax) = (nil, nil)
      } else {
        if let least = try value.present("min") { settings.depthMin = try least.optionalNumber(0...500) }
        if let most = try value.present("max") { settings.depthMax = try most.optionalNumber(0...500) }
      }
    case "beat_s": settings.beat = try value.number(10...3_600)
    case "boat":
      try value.change("length_m", &boat.length, 1...400)
      try value.change("beam_m", &boat.beam, 0.3...80)
      try value.change("bow_m", &boat.bow, 0...400)
      settings.bow = boat.bow
    case "rode": rode = value.json == .null ? nil : try value.rode()
    case "still_watching":
      if let every = try value.present("every_s") { stillWatching.every = try every.interval() }
      if let spoken = try value.present("spoken") { stillWatching.isSpoken = try spoken.bool() }
    // A later version may have more.
    default: break
    }
  }

  // MARK: Writing

  package var json: JSON {
    let depth: JSON =
      settings.depthMin == nil && settings.depthMax == nil
      ? .null : ["min": JSON(settings.depthMin), "max": JSON(settings.depthMax)]
    let rode = self.rode.map { rode -> JSON in
      [
        "length_m": .double(rode.length), "depth_m": .double(rode.depth), "bow_height_m": .double(rode.bowHeight),
        "tide_m": .double(rode.tide), "chain": .bool(rode.isChain),
      ]
    }
    return [
      "anchor": settings.anchor.json, "zone": Self.json(settings.alarm), "warning": .double(settings.warning),
      "excluded": .array(settings.excluded.map { .object(Self.members($0)) }),
      "gap_s": .double(settings.gap), "lost_s": .double(settings.lost), "grace_s": .double(settings.grace),
      "creep": .double(settings.creep), "wind_shift_deg": JSON(settings.windShift), "depth_m": depth,
      "beat_s": .double(settings.beat),
      "boat": ["length_m": .double(boat.length), "beam_m": .double(boat.beam), "bow_m": .double(boat.bow)],
      "rode": rode ?? .null,
      "still_watching": ["every_s": .double(stillWatching.every), "spoken": .bool(stillWatching.isSpoken)],
    ]
  }

  private static func json(_ shape: Shape) -> JSON {
    switch shape {
    case .circle(let radius): ["shape": "circle", "radius_m": .double(radius)]
    case .sector(let sector): .object([JSON.Member("shape", "sector")] + members(sector))
    case .polygon(let corners):
      [
        "shape": "polygon",
        "points": .array(corners.map { .array([.double($0.latitude), .double($0.longitude)]) }),
      ]
    }
  }

  private static func members(_ sector: Sector) -> [JSON.Member] {
    [
      JSON.Member("from_deg", .double(sector.from)), JSON.Member("to_deg", .double(sector.to)),
      JSON.Member("inner_m", .double(sector.inner)), JSON.Member("outer_m", .double(sector.outer)),
    ]
  }
}

/// Metres from anchor to bow on a straight rode; nil for one that does not reach the ground.
private func straight(_ rode: WatchSettingsForm.Rode) -> Double? {
  Rode(length: rode.length, depth: rode.depth, bowHeight: rode.bowHeight, tide: rode.tide, isChain: rode.isChain)
    .straight
}

private func offeredRadius(_ swing: Double, _ bow: Double, _ hdop: Double?) -> Double {
  Rode.radius(swing: swing, bow: bow, hdop: hdop)
}

extension Position {
  package var json: JSON { ["lat": .double(latitude), "lon": .double(longitude)] }

  /// Nil for what is no place.
  package init?(json: JSON) {
    guard let latitude = json["lat"]?.number, let longitude = json["lon"]?.number else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension WatchSettings {
  /// The instruments without which what is asked for cannot ring: "depth", "wind".
  package var instruments: [String] {
    (depthMin == nil && depthMax == nil ? [] : ["depth"]) + (windShift == nil ? [] : ["wind"])
  }
}
