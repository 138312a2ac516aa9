package import CivilTime
package import Hub
package import Wire

/// The last report of a sensor.
package struct Sensor: Equatable, Sendable {
  /// A name of `SensorKind`.
  package var kind: String
  package var name: String
  /// SpaceAPI's fields, without name and lastchange.
  package var fields: JSON
  /// The times of the last change of its value, and of its last report, in seconds since 1970.
  package var changedAt: Double
  package var reportedAt: Double
  /// Seconds within which it promised the next report.
  package var heartbeat: Double

  /// The time when two reports are overdue, as with the door contact.
  package var staleAt: Double { reportedAt + 2 * heartbeat }
  package func isStale(now: Double) -> Bool { staleAt <= now }

  /// The form for the API and the live channel.
  package func json(zone: Zone, now: Double) -> JSON {
    func told(_ instant: Double) -> JSON { JSON(instant: Int(instant), in: zone) }
    let named: JSON = ["kind": .string(kind), "name": .string(name)]
    return named.with(fields).with([
      "changed_at": told(changedAt), "reported_at": told(reportedAt), "stale": .bool(isStale(now: now)),
      "stale_at": told(staleAt),
    ])
  }

  /// SpaceAPI's `sensors`: only fresh ones, since SpaceAPI cannot mark old values.
  package static func spaceAPI(_ sensors: [Sensor], now: Double) -> JSON? {
    var kinds: [JSON.Member] = []
    var radiation: [JSON.Member] = []
    for kind in SensorKind.all {
      let fresh = sensors.filter { $0.kind == kind.name && !$0.isStale(now: now) }.sorted { $0.name < $1.name }
      if fresh.isEmpty { continue }
      let list = JSON.array(
        fresh.map { $0.fields.with(["name": .string($0.name), "lastchange": .int(Int($0.changedAt))]) })
      if kind.name.hasPrefix("radiation.") {
        radiation.append(.init(String(kind.name.dropFirst("radiation.".count)), list))
      } else {
        kinds.append(.init(kind.name, list))
      }
    }
    if !radiation.isEmpty { kinds.append(.init("radiation", .object(radiation))) }
    return kinds.isEmpty ? nil : .object(kinds)
  }
}

/// A sensor's report: SpaceAPI's fields, and the time until the next.
package struct SensorReport: Equatable, Sendable {
  package var fields: JSON
  package var heartbeat: Double

  package init(_ json: JSON, kind: SensorKind) throws(FieldErrors) {
    var known = ["location", "description", "heartbeat_s"]
    if case .properties = kind.value { known.append("properties") } else { known.append("value") }
    if kind.units != nil { known.append("unit") }
    let isRadiation = kind.name.hasPrefix("radiation.")
    if isRadiation { known += ["dead_time", "conversion_factor"] }
    if kind.name == "people_now_present" { known.append("names") }
    if kind.name == "network_connections" { known.append("type") }
    var check = FieldCheck(json, known: known, nullIsNothing: true)
    var fields: [JSON.Member] = []
    func add(_ name: String, _ value: JSON?) { if let value { fields.append(.init(name, value)) } }

    switch kind.value {
    case .number: add("value", check.number("value", in: SensorReport.numbers).map { .double($0) })
    case .count: add("value", check.number("value", in: SensorReport.counts).map { .double($0) })
    case .flag: add("value", check.flag("value").map { .bool($0) })
    case .properties(let properties): add("properties", check.properties("properties", properties))
    }
    if let units = kind.units { add("unit", check.unit("unit", units).map { .string($0) }) }
    add("location", check.text("location", longest: SpaceLimits.name, isNeeded: kind.needsLocation).map { .string($0) })
    add("description", check.text("description", longest: SpaceLimits.text).map { .string($0) })
    for name in ["dead_time", "conversion_factor"] where isRadiation && json[name] != nil {
      add(name, check.number(name, in: SensorReport.counts).map { .double($0) })
    }
    if kind.name == "people_now_present", json["names"] != nil { add("names", check.names("names")) }
    if kind.name == "network_connections", json["type"] != nil {
      add("type", check.unit("type", ["wifi", "cable", "spacenet"]).map { .string($0) })
    }
    var heartbeat = SpaceLimits.sensorHeartbeat
    if let given = json["heartbeat_s"], given != .null {
      heartbeat = check.number("heartbeat_s", in: SpaceLimits.heartbeat) ?? heartbeat
    }
    guard check.errors.isEmpty else { throw FieldErrors(check.errors) }
    self.fields = .object(fields)
    self.heartbeat = heartbeat
  }

  /// The range of numbers: beyond any instrument, and with few enough digits to be readable.
  static let numbers = -1e12...1e12
  private static let counts = 0.0...1_000_000
}

extension FieldCheck {
  fileprivate mutating func unit(_ field: String, _ units: [String]) -> String? {
    guard let unit = text(field, longest: SpaceLimits.name, isNeeded: true) else { return nil }
    if units.isEmpty || units.contains(unit) { return unit }
    fail(field, "\"\(unit)\"; \(units.joined(separator: ", ")) is accepted.")
    return nil
  }

  /// - Returns: nil for none, since SpaceAPI's list of names is never empty.
  fileprivate mutating func names(_ field: String) -> JSON? {
    guard let list = self[field]?.array, list.count <= SpaceLimits.namesPresent,
      list.allSatisfy({ $0.string.map { !$0.isEmpty && FieldCheck.fits($0, SpaceLimits.name) } ?? false })
    else {
      fail(field, "not as expected; a list of at most \(SpaceLimits.namesPresent) names is accepted.")
      return nil
    }
    return list.isEmpty ? nil : .array(list)
  }

  fileprivate mutating func properties(_ field: String, _ properties: [SensorKind.Property]) -> JSON? {
    let accepted = properties.map(\.name).joined(separator: ", ")
    guard let given = self[field], let members = given.members, !members.isEmpty else {
      fail(field, "\(self[field]?.kind ?? "missing"); an object with \(accepted) is needed.")
      return nil
    }
    for member in members where !properties.contains(where: { $0.name == member.name }) {
      fail("\(field).\(member.name)", "unknown; \(accepted) are accepted.")
    }
    var read: [JSON.Member] = []
    for property in properties {
      let path = "\(field).\(property.name)"
      guard let object = given[property.name] else {
        if property.isNeeded { fail(path, "missing; an object such as {\"value\": 1, …} is needed.") }
        continue
      }
      let known = ["value"] + (property.units.isEmpty ? [] : ["unit"]) + (property.hasMaximum ? ["maximum"] : [])
      var inner = FieldCheck(object, known: known, nullIsNothing: true)
      let numbers = SensorReport.numbers
      let value = inner.number("value", in: property.units.isEmpty ? 0...numbers.upperBound : numbers)
      var one: [JSON.Member] = value.map { [.init("value", .double($0))] } ?? []
      if !property.units.isEmpty {
        one += inner.unit("unit", property.units).map { [.init("unit", .string($0))] } ?? []
      }
      if property.hasMaximum, object["maximum"] != nil {
        one += inner.number("maximum", in: 0...1e15).map { [.init("maximum", .double($0))] } ?? []
      }
      for error in inner.errors {
        fail("\(path).\(error.field)", error.reason.text)
      }
      read.append(.init(property.name, .object(one)))
    }
    return .object(read)
  }
}
