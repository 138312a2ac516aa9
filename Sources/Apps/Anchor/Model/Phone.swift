import AnchorWatch
import Hub
import Positions
import Wire

/// A phone that reports by an app of its own, with a secret of its own.
struct Phone: Equatable, Sendable {
  enum App: String, CaseIterable, Sendable {
    case owntracks, overland, traccar
  }

  var id = 0
  var name: String
  var app: App
  /// The person whose it is: who is rung at places.
  var person: Int
  /// True if it lies on the boat and tells where she is; false for one in somebody's pocket.
  var isAboard = true
  /// Seconds since 1970.
  var createdAt: Double
  /// The hub's time of its last report; nil before the first.
  var last: Double?
  var battery: Double?
  var isCharging: Bool?
  /// The mode that it told, and that it was asked for.
  var mode: PhoneMode?
  var asked = PhoneMode.Asked()

  /// Seconds that its app promises until the next report.
  var interval: Double {
    switch app {
    case .owntracks: mode == .significant ? PhoneLimits.significant : PhoneLimits.moving
    case .overland: PhoneLimits.overland
    case .traccar: PhoneLimits.traccar
    }
  }

  mutating func note(_ report: PhoneReport, now: Double) {
    last = now
    battery = report.battery ?? battery
    isCharging = report.isCharging ?? isCharging
    if let isSparing = report.isSparing { mode = isSparing ? .significant : .move }
  }

  /// - Parameters:
  ///   - person: the name of whose it is.
  ///   - wanted: the mode that would suit now.
  func json(person: String?, wanted: PhoneMode?) -> JSON {
    [
      "id": JSON(id: id), "name": .string(name), "app": .string(app.rawValue), "person": JSON(person),
      "aboard": .bool(isAboard), "last": JSON(instant: last), "battery": JSON(battery), "charging": JSON(isCharging),
      "mode": JSON(mode?.rawValue), "wanted": JSON(wanted?.rawValue),
      "obeys": JSON(asked.times == 0 ? nil : asked.times < PhoneLimits.asks),
    ]
  }
}

extension Phone.App {
  var kind: Source.Kind {
    switch self {
    case .owntracks: .owntracks
    case .overland: .overland
    case .traccar: .traccar
    }
  }
}

extension Report {
  init(_ phone: Phone, _ report: PhoneReport) {
    self.init(kind: phone.app.kind, name: phone.name)
    (person, interval) = (phone.person, phone.interval)
    (battery, isCharging, fixes) = (report.battery, report.isCharging, report.fixes)
  }
}

extension SecondWatch {
  /// The state of the watch, as far as the modes of phones depend on it.
  var situation: PhoneMode.Situation {
    let watch = watch
    let isAlarmed = watch.standing != .holding && watch.standing != .waiting || watch.isBlind(now: now)
    return PhoneMode.Situation(
      isArmed: watch.settings != nil, isAlarmed: isAlarmed, share: watch.watch?.share ?? 0)
  }
}

/// A phone's mode of reporting: when it has moved far, or all the time. The names are those of OwnTracks.
enum PhoneMode: String, Sendable {
  case significant, move

  /// The state of the watch, as far as modes depend on it.
  struct Situation: Sendable {
    var isArmed = false
    /// True in the warning zone and beyond, without a position, or without the boat's own receiver.
    var isAlarmed = false
    /// The share of the way to the zone's edge.
    var share = 0.0
  }

  /// The mode that suits: all the time with a charger, or near the edge whatever the battery says; else seldom.
  /// - Returns: nil if the phone does not tell whether it has a charger.
  static func wanted(in situation: Situation, isCharging: Bool?) -> PhoneMode? {
    guard situation.isArmed else { return .significant }
    if situation.isAlarmed || situation.share >= PhoneLimits.nearEdge { return .move }
    return isCharging.map { $0 ? .move : .significant }
  }

  /// The mode a phone was asked for, and the number of requests it has not followed.
  struct Asked: Equatable, Sendable {
    var mode: PhoneMode?
    var at = 0.0
    var times = 0

    /// True if it is to be asked now.
    mutating func ask(for wanted: PhoneMode?, now mode: PhoneMode?, at time: Double) -> Bool {
      guard let wanted else { return false }
      guard mode != wanted else {
        if self.mode == wanted { times = 0 }
        return false
      }
      if self.mode != wanted { (self.mode, at, times) = (wanted, -.infinity, 0) }
      // One that tells no mode may have done it.
      if mode == nil, times > 0 { return false }
      guard time - at >= (times < PhoneLimits.asks ? PhoneLimits.askAgain : PhoneLimits.askSeldom) else { return false }
      (at, times) = (time, times + 1)
      return true
    }
  }

  /// The command by which OwnTracks changes its mode, where its settings allow it.
  var command: JSON {
    var configuration: [JSON.Member] = [
      .init("_type", "configuration"), .init("monitoring", .int(self == .move ? 2 : 1)),
    ]
    if self == .move { configuration += Self.moveMembers }
    return ["_type": "cmd", "action": "setConfiguration", "configuration": .object(configuration)]
  }

  /// The interval of reports in move mode: iOS has the first two, Android the last.
  static let moveMembers: [JSON.Member] = [
    .init("locatorInterval", .int(PhoneLimits.moveSeconds)), .init("locatorDisplacement", .int(PhoneLimits.moveMetres)),
    .init("moveModeLocatorInterval", .int(PhoneLimits.moveSeconds)),
  ]
}
