import AnchorWatch
import Wire

/// A named value of the settings' JSON; reads it, or says what was seen and what is accepted.
struct FormReader {
  typealias Fault = WatchSettingsForm.Fault

  let name: String
  let json: JSON

  init(_ name: String, _ json: JSON) { (self.name, self.json) = (name, json) }

  static let placeWords = "{\"lat\": 54.1, \"lon\": 10.2} is accepted, in degrees, anywhere but exactly 0, 0"

  func wrong(_ accepted: String) -> Fault {
    Fault(message: "\(name): \(json.text.prefix(60)); \(accepted).")
  }

  /// A member of this object; null if it is missing.
  func member(_ name: String) throws(Fault) -> FormReader {
    guard json.members != nil else { throw wrong("an object is accepted") }
    return FormReader("\(self.name).\(name)", json[name] ?? .null)
  }

  /// A member of this object that is there.
  func present(_ name: String) throws(Fault) -> FormReader? {
    let member = try member(name)
    return json[name] == nil ? nil : member
  }

  /// Takes the number of a member that is there.
  func change(_ name: String, _ number: inout Double, _ range: ClosedRange<Double>) throws(Fault) {
    if let member = try present(name) { number = try member.number(range) }
  }

  func optionalNumber(_ range: ClosedRange<Double>) throws(Fault) -> Double? {
    json == .null ? nil : try number(range)
  }

  func number(_ range: ClosedRange<Double>) throws(Fault) -> Double {
    guard let number = json.number, range.contains(number) else {
      throw wrong("a number of \(plain(range.lowerBound)) to \(plain(range.upperBound)) is accepted")
    }
    return number
  }

  func bool() throws(Fault) -> Bool {
    guard let value = json.bool else { throw wrong("true or false is accepted") }
    return value
  }

  /// Seconds from one sign to the next; 0 for none.
  func interval() throws(Fault) -> Double {
    guard let seconds = json.number, seconds == 0 || (10...3_600).contains(seconds) else {
      throw wrong("0 for none, or seconds from 10 to 3600 are accepted")
    }
    return seconds
  }

  func place() throws(Fault) -> Position {
    guard let position = Position(json: json) else { throw wrong(Self.placeWords) }
    return position
  }

  func shape() throws(Fault) -> Shape {
    switch json["shape"]?.string {
    case "circle": return .circle(radius: try member("radius_m").number(AnchorLimits.radius))
    case "sector": return .sector(try sector())
    case "polygon":
      guard let points = json["points"]?.array, AnchorLimits.corners.contains(points.count) else {
        let corners = AnchorLimits.corners
        throw wrong("\"points\" with \(corners.lowerBound) to \(corners.upperBound) corners [lat, lon] are accepted")
      }
      var corners: [Position] = []
      for point in points {
        guard let pair = point.array, pair.count == 2, let latitude = pair[0].number, let longitude = pair[1].number,
          let corner = Position(latitude: latitude, longitude: longitude)
        else { throw FormReader("\(name).points", point).wrong("a corner [lat, lon] in degrees is accepted") }
        corners.append(corner)
      }
      return .polygon(corners)
    default: throw wrong("a \"shape\" of \"circle\", \"sector\" or \"polygon\" is accepted")
    }
  }

  func sectors() throws(Fault) -> [Sector] {
    guard let list = json.array, list.count <= AnchorLimits.excluded else {
      throw wrong("a list of at most \(AnchorLimits.excluded) sectors is accepted")
    }
    var sectors: [Sector] = []
    for sector in list { sectors.append(try FormReader(name, sector).sector()) }
    return sectors
  }

  private func sector() throws(Fault) -> Sector {
    var inner = 0.0
    try change("inner_m", &inner, 0...AnchorLimits.radius.upperBound)
    let sector = Sector(
      from: try member("from_deg").number(0...360), to: try member("to_deg").number(0...360), inner: inner,
      outer: try member("outer_m").number(AnchorLimits.radius))
    guard sector.inner < sector.outer else { throw wrong("an \"inner_m\" below \"outer_m\" is accepted") }
    return sector
  }

  func rode() throws(Fault) -> WatchSettingsForm.Rode {
    var rode = WatchSettingsForm.Rode(
      length: try member("length_m").number(1...1_000), depth: try member("depth_m").number(0...500))
    try change("bow_height_m", &rode.bowHeight, 0...20)
    try change("tide_m", &rode.tide, 0...20)
    if let chain = try present("chain") { rode.isChain = try chain.bool() }
    return rode
  }
}

/// "40" for 40.0, and "0.3".
private func plain(_ number: Double) -> String {
  number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
}
