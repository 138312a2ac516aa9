import AnchorWatch
import Wire

/// Reads what OwnTracks sends over HTTP and MQTT (owntracks.org/booklet/tech/json): one object, or a list of them that
/// waited. Its encrypted form is not read: the way to the hub is encrypted already.
package enum OwnTracksReport {
  /// A report with the positions of "location" messages and "transition" messages; other messages are an empty one.
  package static func read(_ body: [UInt8]) throws(PhoneReport.Fault) -> PhoneReport {
    let json = try parsed(body, "a message of OwnTracks such as {\"_type\": \"location\", …}")
    var report = PhoneReport()
    let messages = json.array ?? [json]
    for message in messages {
      guard let type = message["_type"]?.string else {
        throw PhoneReport.Fault(
          message: "\(message.text.prefix(60)); a message of OwnTracks is accepted, with \"_type\" in it.")
      }
      guard type != "encrypted" else {
        throw PhoneReport.Fault(
          message: "An encrypted message; plain ones are accepted: leave the encryption key in OwnTracks empty.")
      }
      if type == "location" || type == "transition" { read(message, &report) }
    }
    return report
  }

  private static func read(_ message: JSON, _ report: inout PhoneReport) {
    // "created_at" is when it was sent; "tst" is when the position was taken.
    report.add(
      latitude: message["lat"]?.number, longitude: message["lon"]?.number, time: message["tst"]?.number
    ) { fix in
      fix.accuracy = known(message["acc"]?.number)
      fix.speed = known(message["vel"]?.number).map { $0 / 3.6 }
      fix.course = known(message["cog"]?.number)
    }
    if let percent = message["batt"]?.number { report.battery = share(percent / 100) }
    switch message["bs"]?.int {
    case 1: report.isCharging = false
    case 2, 3: report.isCharging = true
    default: break
    }
    switch message["m"]?.int {
    case 1: report.isSparing = true
    case 2: report.isSparing = false
    default: break
    }
    report.name(message["tid"]?.string)
    report.trigger = message["t"]?.string.map { String($0.prefix(8)) }
  }
}

/// JSON of a phone's report.
func parsed(_ body: [UInt8], _ accepted: String) throws(PhoneReport.Fault) -> JSON {
  guard body.count <= PositionLimits.reportBytes else {
    throw PhoneReport.Fault(message: "\(body.count) bytes; at most \(PositionLimits.reportBytes) are accepted.")
  }
  do {
    return try JSON(parsing: body)
  } catch {
    throw PhoneReport.Fault(message: "No JSON (line \(error.line): \(error.message)); \(accepted) is accepted.")
  }
}
