import AnchorWatch
import Wire

/// Reads the JSON of gpsd (gpsd_json(5)): TPV has the positions, SKY the dilution, ATT the heading. Of several
/// receivers the first one that has a fix counts, and another one when that has told nothing for a while.
package struct GPSDReader: ReceiverReader {
  private var objects = ObjectCutter()
  private var beside = Beside()
  private var receivers = Receivers()

  package init() {}

  package mutating func restart() {
    (objects, beside) = (ObjectCutter(), Beside())
    receivers.pause()
  }

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void) {
    var cutter = objects
    cutter.feed(bytes) { read($0, take) }
    objects = cutter
  }

  package mutating func finish(_ take: (Reading) -> Void) {
    var cutter = objects
    cutter.finish { read($0, take) }
    objects = cutter
  }

  private mutating func read(_ piece: ObjectCutter.Piece, _ take: (Reading) -> Void) {
    switch piece {
    case .refused(let refusal): take(.refused(refusal))
    case .object(let json):
      do throws(Refused) {
        if let reading = try reading(json) { take(reading) }
      } catch {
        take(.refused(error.refusal))
      }
    }
  }

  private mutating func reading(_ json: JSON) throws(Refused) -> Reading? {
    switch json["class"]?.string {
    case "TPV": return try report(json)
    case "SKY":
      if let hdop = json["hdop"]?.number, hdop > 0, hdop < 99 { beside.tell(\.hdop, hdop) }
    case "ATT":
      if let heading = json["heading"]?.number { beside.tell(\.heading, heading) }
      if let depth = json["depth"]?.number { beside.tell(\.depth, depth) }
    default: break
    }
    return nil
  }

  private mutating func report(_ json: JSON) throws(Refused) -> Reading {
    // 2 and 3 are fixes in the plane and in space. Status 5 is dead reckoning alone (6 is with satellites), 7 a place
    // that was surveyed or typed in: neither would ever show a drag.
    guard let mode = json["mode"]?.int, mode >= 2, ![5, 7].contains(json["status"]?.int) else {
      throw Refused(.noFix)
    }
    let position = try position(latitude: json["lat"]?.number, longitude: json["lon"]?.number)
    let told = json["time"].flatMap { $0.string.map(seconds(ofTimestamp:)) ?? $0.number }
    // The first reports of a receiver have a position, but no time yet.
    guard let time = plausible(told) else { throw Refused(.timeMissing) }
    var fix = Fix(time: time, position: position)
    fix.accuracy = known(json["eph"]?.number ?? Self.horizontal(json["epx"]?.number, json["epy"]?.number))
    fix.speed = json["speed"]?.number
    fix.course = json["track"]?.number
    fix.depth = json["depth"]?.number
    let device = json["device"]?.string ?? ""
    return receivers.counts(device, at: time) ? .fix(beside.join(fix)) : .witness(fix, of: device)
  }

  private static func horizontal(_ east: Double?, _ north: Double?) -> Double? {
    guard let east, let north else { return nil }
    return (east * east + north * north).squareRoot()
  }
}
