/// The kinds of sensors in SpaceAPI (versions 14 and 15), with their required fields.
package struct SensorKind: Sendable {
  package enum Value: Sendable {
    case number
    case count
    case flag
    /// These properties instead of a single value.
    case properties([Property])
  }
  package struct Property: Sendable {
    var name: String
    /// Empty without a unit.
    var units: [String] = []
    var isNeeded = true
    /// True if a maximum may be given besides.
    var hasMaximum = false
  }

  /// "temperature", or "radiation.alpha" for SpaceAPI's nested kinds.
  package var name: String
  package var value: Value = .number
  /// The units that both versions of SpaceAPI accept; nil for a kind without a unit, empty for any text.
  package var units: [String]?
  package var needsLocation = false

  package static func named(_ name: String) -> SensorKind? { all.first { $0.name == name } }

  private static let radiationUnits = ["cpm", "r/h", "µSv/h", "mSv/a", "µSv/a"]

  package static let all: [SensorKind] =
    [
      SensorKind(
        name: "temperature", units: ["°C", "°F", "K", "°De", "°N", "°R", "°Ré", "°Rø"], needsLocation: true),
      SensorKind(name: "carbondioxide", units: ["ppm", "vol%"], needsLocation: true),
      SensorKind(name: "door_locked", value: .flag, needsLocation: true),
      SensorKind(name: "barometer", units: ["hPa"], needsLocation: true),
      SensorKind(name: "humidity", units: ["%"], needsLocation: true),
      SensorKind(name: "beverage_supply", units: ["btl", "crt"]),
      SensorKind(name: "power_consumption", units: ["W", "VA"], needsLocation: true),
      SensorKind(name: "power_generation", units: ["W", "VA"], needsLocation: true),
      SensorKind(
        name: "wind",
        value: .properties([
          Property(name: "speed", units: ["m/s", "km/h", "kn"]), Property(name: "gust", units: ["m/s", "km/h", "kn"]),
          Property(name: "direction", units: ["°"]), Property(name: "elevation", units: ["m"]),
        ]), needsLocation: true),
      SensorKind(name: "network_connections", value: .count),
      SensorKind(name: "account_balance", units: []),
      SensorKind(name: "total_member_count", value: .count),
      SensorKind(name: "people_now_present", value: .count),
      SensorKind(
        name: "network_traffic",
        value: .properties([
          Property(name: "bits_per_second", isNeeded: false, hasMaximum: true),
          Property(name: "packets_per_second", isNeeded: false),
        ])),
    ] + ["alpha", "beta", "gamma", "beta_gamma"].map { SensorKind(name: "radiation.\($0)", units: radiationUnits) }
}
