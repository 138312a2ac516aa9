/// A line of the track log: a fix that the watch was fed with, by the source that it came from.
package struct TrackRecord: Equatable, Sendable {
  /// Seconds since 1970, to a hundredth.
  package var time: Double
  package var latitude: Double
  package var longitude: Double
  /// Metres.
  package var accuracy: Double?
  package var hdop: Double?
  package var source: String
  /// Degrees true of the bow.
  package var heading: Double?

  package init(
    time: Double, latitude: Double, longitude: Double, accuracy: Double? = nil, hdop: Double? = nil, source: String,
    heading: Double? = nil
  ) {
    (self.time, self.latitude, self.longitude) = (time, latitude, longitude)
    (self.accuracy, self.hdop, self.source, self.heading) = (accuracy, hdop, source, heading)
  }

  /// The first line, by which `eightbells anchor replay` reads the log too.
  static let head = "time,lat,lon,accuracy,hdop,source,heading\n"

  /// With its end.
  package var line: String {
    "\(Self.fixed(time, 2)),\(Self.fixed(latitude, 7)),\(Self.fixed(longitude, 7)),"
      + "\(accuracy.map { Self.fixed($0, 1) } ?? ""),\(hdop.map { Self.fixed($0, 1) } ?? ""),\(source),"
      + "\(heading.map { Self.fixed($0, 1) } ?? "")\n"
  }

  /// Nil for a line that is none of the log's. Older logs have no headings.
  package init?(line: some StringProtocol) {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false)
    guard (6...7).contains(parts.count), let time = Double(parts[0]), let latitude = Double(parts[1]),
      let longitude = Double(parts[2]), time.isFinite, abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    self.init(
      time: time, latitude: latitude, longitude: longitude, accuracy: Double(parts[3]), hdop: Double(parts[4]),
      source: String(parts[5]), heading: parts.count > 6 ? Double(parts[6]) : nil)
  }

  /// A number with so many digits after its point, one or more.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e11 else { return "none" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((abs(value) * Double(scale)).rounded())
    let rest = String(whole % scale)
    let sign = value < 0 && whole > 0 ? "-" : ""
    return "\(sign)\(whole / scale).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
