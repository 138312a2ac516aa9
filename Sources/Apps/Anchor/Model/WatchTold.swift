import AnchorWatch
import CivilTime
import MQTTClient
import Wire

/// The watch as other programs on a boat are told it: Home Assistant by its discovery over MQTT, and instruments by the
/// paths of Signal K.
struct WatchTold: Equatable, Sendable {
  var state = "idle"
  var anchor: Position?
  /// Metres: the farthest edge of the zone, and the way from the anchor to the boat.
  var radius: Double?
  var distance: Double?
  /// Degrees true, from the anchor to the boat.
  var bearing: Double?
  var battery: Double?

  static let prefix = "eightbells/anchor"
  static let online = "\(prefix)/online"

  init() {}

  init(_ watch: HubWatch) {
    guard let settings = watch.settings else { return }
    state = watch.standing.state
    anchor = settings.anchor
    radius = settings.alarm.reach(from: settings.anchor)
    guard let judged = watch.watch, judged.lastFix != nil else { return }
    (distance, bearing) = (judged.distance.tenths, judged.bearing.rounded())
    battery = watch.chosen.flatMap { watch.sources[$0]?.battery }
  }

  /// The state that is published when it has changed.
  func messages(now: Int) -> [BrokerConnection.Message] {
    let told: JSON = [
      "state": .string(state), "alarm": .bool(state == "alarm" || state == "lost"), "distance_m": JSON(distance),
      "bearing_deg": JSON(bearing), "radius_m": JSON(radius), "battery": JSON(battery),
    ]
    let own = [("state", told), ("signalk", delta(now: now))].map { Self.message("\(Self.prefix)/\($0)", $1) }
    let paths = values.map { path, value in Self.message("vessels/self/\(path.replacing(".", with: "/"))", value) }
    return own + paths
  }

  /// The values of Signal K's specification: metres, and degrees for positions alone; null while no anchor is down.
  private var values: [(path: String, value: JSON)] {
    let position = anchor.map { ["latitude": .double($0.latitude), "longitude": .double($0.longitude)] as JSON }
    let isAlarm = state == "alarm" || state == "lost"
    let notification: JSON = [
      "state": .string(isAlarm ? "emergency" : state == "warning" ? "warn" : "normal"),
      "method": isAlarm ? ["visual", "sound"] : [], "message": .string("Anchor watch: \(state)"),
    ]
    return [
      ("navigation.anchor.position", position ?? .null), ("navigation.anchor.maxRadius", JSON(radius)),
      ("navigation.anchor.currentRadius", JSON(distance)), ("notifications.navigation.anchor", notification),
    ]
  }

  private func delta(now: Int) -> JSON {
    [
      "context": "vessels.self",
      "updates": [
        [
          "source": ["label": "eightbells"], "timestamp": .string(timestamp(now, in: .utc)),
          "values": .array(values.map { ["path": .string($0.path), "value": $0.value] }),
        ]
      ],
    ]
  }

  private static func message(_ topic: String, _ json: JSON) -> BrokerConnection.Message {
    BrokerConnection.Message(topic, json.bytes, isRetained: true)
  }

  /// Home Assistant's discovery: one device with its entities, whose names it shows behind the device's.
  static var discovery: [BrokerConnection.Message] {
    func entity(_ kind: String, _ id: String, _ name: String?, _ template: String, _ more: [JSON.Member])
      -> BrokerConnection.Message
    {
      let members: [JSON.Member] = [
        .init("name", name.map { JSON.string($0) } ?? .null), .init("unique_id", .string("eightbells_anchor_\(id)")),
        .init("state_topic", .string("\(prefix)/state")), .init("value_template", .string("{{ \(template) }}")),
        .init("availability_topic", .string(online)),
        .init("device", ["identifiers": ["eightbells_anchor"], "name": "Anchor watch", "manufacturer": "Eightbells"]),
      ]
      return message("homeassistant/\(kind)/eightbells_anchor/\(id)/config", .object(members + more))
    }
    func number(_ id: String, _ name: String, _ unit: String, _ more: JSON.Member...) -> BrokerConnection.Message {
      entity(
        "sensor", id, name, "value_json.\(id)",
        [.init("unit_of_measurement", .string(unit)), .init("state_class", "measurement")] + more)
    }
    let states: JSON = ["idle", "waiting", "holding", "warning", "alarm", "lost"]
    return [
      entity(
        "binary_sensor", "alarm", "Alarm", "'ON' if value_json.alarm else 'OFF'",
        [.init("device_class", "safety")]),
      entity(
        // Without a name it is the device itself.
        "sensor", "state", nil, "value_json.state",
        [.init("device_class", "enum"), .init("options", states), .init("icon", "mdi:anchor")]),
      number("distance_m", "Distance", "m", .init("device_class", "distance")),
      number("radius_m", "Swinging radius", "m", .init("device_class", "distance")),
      number("bearing_deg", "Bearing", "°"),
    ]
  }
}

extension Shape {
  /// The farthest that a boat may be from her anchor, in metres.
  func reach(from anchor: Position) -> Double {
    switch self {
    case .circle(let radius): radius
    case .sector(let sector): sector.outer
    case .polygon(let corners): corners.map { anchor.distance(to: $0) }.max() ?? 0
    }
  }
}
