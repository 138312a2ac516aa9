import AnchorWatch
import Wire

/// Reads the deltas of Signal K (specification 1.7): `navigation.position` of the server's own vessel, and what is told
/// beside it. Angles are in radians there.
package struct SignalKReader: ReceiverReader {
  private var objects = ObjectCutter()
  private var beside = Beside()
  /// The context of the own vessel: told by the server's greeting, or else that of the first position.
  private var own: String?
  private var hasDepthBelowSurface = false
  private var receivers = Receivers()
  /// The time of the first position of each source since the connection.
  private var first: [String: Double] = [:]

  package init() {}

  package mutating func restart() {
    var receivers = receivers
    receivers.pause()
    self = SignalKReader()
    self.receivers = receivers
  }

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void) {
    var cutter = objects
    cutter.feed(bytes) { read($0, received, take) }
    objects = cutter
  }

  package mutating func finish(_ take: (Reading) -> Void) {
    var cutter = objects
    cutter.finish { read($0, nil, take) }
    objects = cutter
  }

  /// The paths of what is read, to subscribe to.
  package static let paths = [
    "navigation.position", "navigation.gnss.horizontalDilution", "navigation.speedOverGround",
    "navigation.courseOverGroundTrue", "navigation.headingTrue", "environment.depth.belowSurface",
    "environment.depth.belowTransducer", "environment.wind.directionTrue", "environment.wind.speedTrue",
    "environment.wind.speedOverGround",
  ]

  private mutating func read(_ piece: ObjectCutter.Piece, _ received: Double?, _ take: (Reading) -> Void) {
    switch piece {
    case .refused(let refusal): take(.refused(refusal))
    case .object(let json): read(json, received, take)
    }
  }

  private mutating func read(_ json: JSON, _ received: Double?, _ take: (Reading) -> Void) {
    if let vessel = json["self"]?.string {
      own = vessel.hasPrefix("vessels.") ? vessel : "vessels.\(vessel)"
    }
    guard let updates = json["updates"]?.array else { return }
    let context = json["context"]?.string ?? Self.selfContext
    if context != Self.selfContext, let own, own != context { return }
    for update in updates {
      let told = plausible(update["timestamp"]?.string.flatMap(seconds(ofTimestamp:)))
      let source = Self.source(update)
      let values = update["values"]?.array ?? []
      for value in values { tell(value["path"]?.string ?? "", value["value"] ?? .null) }
      for value in values where value["path"]?.string == "navigation.position" {
        do throws(Refused) {
          let place = value["value"] ?? .null
          let position = try position(latitude: place["latitude"]?.number, longitude: place["longitude"]?.number)
          guard let time = told ?? received else { throw Refused(.timeMissing) }
          if own == nil { own = context }
          if let told, let received, isKept(source, told, received: received) { continue }
          let fix = Fix(time: time, position: position)
          take(receivers.counts(source, at: time) ? .fix(beside.join(fix)) : .witness(fix, of: source))
        } catch {
          take(.refused(error.refusal))
        }
      }
    }
  }

  /// True for an old position that a server has kept and begins with, which is no sign of life. One of a server whose
  /// clock is wrong counts as soon as its time goes on.
  private mutating func isKept(_ source: String, _ told: Double, received: Double) -> Bool {
    if let first = first[source] { return first == told && isOld(told, received) }
    if first.count < PositionLimits.receivers { first[source] = told }
    return isOld(told, received)
  }

  private func isOld(_ told: Double, _ received: Double) -> Bool {
    abs(told - received) > PositionLimits.keptSeconds
  }

  /// The receiver behind an update, as Signal K names it: "$source", or made of the parts of "source".
  private static func source(_ update: JSON) -> String {
    if let name = update["$source"]?.string { return name }
    guard let source = update["source"] else { return "" }
    let parts = [source["label"]?.string, source["src"]?.string ?? source["talker"]?.string]
    return parts.compactMap { $0 }.joined(separator: ".")
  }

  /// The context of the server's own vessel, whatever its name.
  private static let selfContext = "vessels.self"

  private mutating func tell(_ path: String, _ value: JSON) {
    guard let number = value.number else { return }
    let degrees = number * 180 / Double.pi
    switch path {
    case "navigation.gnss.horizontalDilution": if number > 0, number < 99 { beside.tell(\.hdop, number) }
    case "navigation.speedOverGround": beside.tell(\.speed, number)
    case "navigation.courseOverGroundTrue": beside.tell(\.course, degrees)
    case "navigation.headingTrue": beside.tell(\.heading, degrees)
    case "environment.depth.belowSurface":
      hasDepthBelowSurface = true
      beside.tell(\.depth, number)
    case "environment.depth.belowTransducer": if !hasDepthBelowSurface { beside.tell(\.depth, number) }
    case "environment.wind.directionTrue": beside.tell(\.windDirection, degrees)
    case "environment.wind.speedTrue", "environment.wind.speedOverGround": beside.tell(\.windSpeed, number)
    default: break
    }
  }
}
