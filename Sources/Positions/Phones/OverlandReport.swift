import AnchorWatch
package import Wire

/// Reads the batches of Overland (github.com/aaronpk/Overland-iOS): a list of GeoJSON features under "locations". Its
/// answer has to be {"result": "ok"}, else it sends the batch again.
package enum OverlandReport {
  package static let answer: JSON = ["result": "ok"]

  package static func read(_ body: [UInt8]) throws(PhoneReport.Fault) -> PhoneReport {
    let json = try parsed(body, "a batch of Overland such as {\"locations\": […]}")
    guard let locations = json["locations"]?.array else {
      throw PhoneReport.Fault(
        message: "\(json.text.prefix(60)); a batch of Overland is accepted, with a list \"locations\" in it.")
    }
    var report = PhoneReport()
    for location in locations { read(location, &report) }
    return report
  }

  private static func read(_ location: JSON, _ report: inout PhoneReport) {
    let properties = location["properties"] ?? .null
    let pair = location["geometry"]?["coordinates"]?.array ?? []
    // Notices of visits and of the app's start have no position, or one without a time.
    if !pair.isEmpty {
      report.add(
        latitude: pair.count > 1 ? pair[1].number : nil, longitude: pair[0].number,
        time: properties["timestamp"]?.string.flatMap(seconds(ofTimestamp:))
      ) { fix in
        fix.accuracy = known(properties["horizontal_accuracy"]?.number)
        fix.speed = known(properties["speed"]?.number)
        fix.course = known(properties["course"]?.number)
      }
    }
    if let level = properties["battery_level"]?.number { report.battery = share(level) }
    switch properties["battery_state"]?.string {
    case "charging", "full": report.isCharging = true
    case "unplugged": report.isCharging = false
    default: break
    }
    report.name(properties["device_id"]?.string)
  }
}
