import AnchorWatch
import Positions
import Wire

/// The readers of positions (of receivers, servers, files and phones), and of a watch's settings.
nonisolated(unsafe) let positionTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "nmea": { require(readings($0, NMEAReader(), whole) == readings($0, NMEAReader(), oneByOne)) },
  "gpsd": { require(readings($0, GPSDReader(), whole) == readings($0, GPSDReader(), oneByOne)) },
  "signalk": { require(readings($0, SignalKReader(), whole) == readings($0, SignalKReader(), oneByOne)) },
  "csv": { bytes in
    require(readings(bytes, CSVReader(), whole) == readings(bytes, CSVReader(), oneByOne))
    // And whatever it is taken for.
    guard var reader = TrackReader(recognising: Array(bytes)) else { return }
    reader.feed(bytes) { check($0) }
    reader.finish { check($0) }
  },
  "gpx": { bytes in
    let found = readings(bytes, GPXReader(), whole)
    require(found == readings(bytes, GPXReader(), oneByOne))
    // A written track is read again, to a centimetre and a millisecond.
    for case .fix(let fix) in found.prefix(3) {
      let text = GPXWriter.begin(name: "a", anchor: nil) + GPXWriter.point(fix) + GPXWriter.end
      let again = text.withUnsafeBufferPointer { readings($0, GPXReader(), whole) }
      guard again.count == 1, case .fix(let other) = again[0] else {
        // Within a centimetre of (0, 0) is written as just that.
        require(max(fix.position.latitude.magnitude, fix.position.longitude.magnitude) < 1e-7)
        continue
      }
      require(abs(other.time - fix.time) < 0.002 && fix.position.distance(to: other.position) < 0.02)
    }
  },
  "phones": { bytes in
    let body = Array(bytes)
    for report in [
      try? OwnTracksReport.read(body), try? OverlandReport.read(body), try? TraccarReport.read(json: body),
    ] {
      guard let report else { continue }
      report.fixes.forEach { check(.fix($0)) }
    }
  },
  "watch": { bytes in
    guard let json = try? JSON(parsing: Array(bytes)), let form = try? WatchSettingsForm(json) else { return }
    require((try? WatchSettingsForm(form.json)) == form)
  },
]

/// The readings of bytes in pieces, each of which is checked.
private func readings(
  _ bytes: UnsafeBufferPointer<UInt8>, _ start: some PositionReader,
  _ pieces: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
) -> [Reading] {
  var reader = start
  var found: [Reading] = []
  for piece in pieces(bytes) {
    reader.feed(UnsafeBufferPointer(rebasing: bytes[piece]), received: nil) { found.append($0) }
  }
  reader.finish { found.append($0) }
  found.forEach(check)
  return found
}

/// No fix is nowhere, or in a time that cannot be.
private func check(_ reading: Reading) {
  guard case .fix(let fix) = reading else { return }
  require(Position(latitude: fix.position.latitude, longitude: fix.position.longitude) != nil)
  require(fix.time.isFinite && fix.time >= 0)
}
