import AnchorWatch
import Wire

/// Reads what the Traccar client sends (traccar.org/osmand): the parameters of a query, or, since its version 9, JSON.
package enum TraccarReport {
  /// - Parameter parameters: of the query or of a form: id, lat, lon, timestamp, accuracy, batt, charge, …
  package static func read(_ parameters: [(name: String, value: String)]) throws(PhoneReport.Fault) -> PhoneReport {
    func text(_ names: String...) -> String? { parameters.first { names.contains($0.name) }?.value }
    func value(_ names: String...) -> Double? {
      parameters.first { names.contains($0.name) }.flatMap { number(in: $0.value) }
    }
    guard text("lat") != nil || text("location") != nil else {
      throw PhoneReport.Fault(
        message: "No position; parameters of the Traccar client are accepted: id, lat, lon, timestamp.")
    }
    var (latitude, longitude) = (value("lat"), value("lon"))
    if latitude == nil, let pair = text("location")?.split(separator: ","), pair.count == 2 {
      (latitude, longitude) = (number(in: pair[0]), number(in: pair[1]))
    }
    var report = PhoneReport()
    let time = text("timestamp").flatMap { seconds(ofTimestamp: $0) ?? number(in: $0) }
    report.add(latitude: latitude, longitude: longitude, time: time.map(fromMilliseconds)) { fix in
      fix.accuracy = known(value("accuracy"))
      fix.hdop = known(value("hdop"))
      fix.speed = known(value("speed")).map { $0 * knot }
      fix.course = known(value("bearing", "heading"))
    }
    if let percent = value("batt") { report.battery = share(percent / 100) }
    report.isCharging = text("charge").flatMap {
      ["true": true, "1": true, "false": false, "0": false][$0.lowercased()]
    }
    return report
  }

  /// - Parameter body: {"location": {"timestamp", "coords": {…}, "battery": {"level", "is_charging"}}, "device_id"}.
  package static func read(json body: [UInt8]) throws(PhoneReport.Fault) -> PhoneReport {
    let json = try parsed(body, "a report of the Traccar client such as {\"location\": {…}}")
    guard let location = json["location"], let coordinates = location["coords"] else {
      throw PhoneReport.Fault(
        message: "\(json.text.prefix(60)); a report of the Traccar client is accepted, with \"location\" in it.")
    }
    var report = PhoneReport()
    let time = location["timestamp"].flatMap { $0.string.map(seconds(ofTimestamp:)) ?? $0.number }
    report.add(
      latitude: coordinates["latitude"]?.number, longitude: coordinates["longitude"]?.number,
      time: time.map(fromMilliseconds)
    ) { fix in
      fix.accuracy = known(coordinates["accuracy"]?.number)
      fix.speed = known(coordinates["speed"]?.number)
      fix.course = known(coordinates["heading"]?.number)
    }
    report.battery = share(location["battery"]?["level"]?.number)
    report.isCharging = location["battery"]?["is_charging"]?.bool
    return report
  }
}
