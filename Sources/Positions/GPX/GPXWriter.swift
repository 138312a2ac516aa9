package import AnchorWatch
import Wire

/// Writes GPX 1.1 piece by piece, so that a track of days needs no memory: a beginning with the anchor, the points, a
/// new segment after each gap, the end.
package enum GPXWriter {
  /// The beginning.
  /// - Parameter anchor: the place and the time at which it was dropped.
  package static func begin(name: String, anchor: (position: Position, time: Double)?) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Eightbells" xmlns="http://www.topografix.com/GPX/1/1">

      """
    if let anchor {
      text += "<wpt \(attributes(anchor.position))><time>\(utcTimestamp(anchor.time))</time><name>Anchor</name></wpt>\n"
    }
    return Array((text + "<trk><name>\(name.escapedForMarkup)</name><trkseg>\n").utf8)
  }

  /// A gap in which nothing was told.
  package static let gap = Array("</trkseg><trkseg>\n".utf8)
  package static let end = Array("</trkseg></trk>\n</gpx>\n".utf8)

  package static func point(_ fix: Fix) -> [UInt8] {
    // The order of the elements is the schema's.
    let dilution = fix.hdop.map { "<hdop>\($0)</hdop>" } ?? ""
    return Array("<trkpt \(attributes(fix.position))><time>\(utcTimestamp(fix.time))</time>\(dilution)</trkpt>\n".utf8)
  }

  /// Seven decimals are a centimetre.
  private static func attributes(_ position: Position) -> String {
    "lat=\"\(decimal(position.latitude))\" lon=\"\(decimal(position.longitude))\""
  }

  private static func decimal(_ degrees: Double) -> String {
    let units = Int((degrees.magnitude * 1e7).rounded())
    let digits = String(units % 10_000_000)
    let fraction = String(repeating: "0", count: 7 - digits.count) + digits
    return "\(degrees < 0 ? "-" : "")\(units / 10_000_000).\(fraction)"
  }
}
