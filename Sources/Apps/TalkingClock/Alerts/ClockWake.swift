import Hub
import Sound
import SpeakingClock
import Store
import Wire

/// The silent pushes to agents: the settings of their clock, and the next announcement.
struct ClockWake {
  let clock: PersonClock
  /// The voice's id and version, read once.
  private let voice: JSON

  init(_ clock: PersonClock, in database: Database) throws(StoreError) {
    self.clock = clock
    let version = BuiltInVoice(rawValue: clock.voice) == nil ? try database.voice(clock.voice)?.version : nil
    voice = ["id": .string(clock.voice), "version": .string(version ?? "built-in")]
  }

  /// The occasion of a push.
  enum Occasion {
    case announcement(Announcement)
    case now
    case settings
  }

  /// The user info of the push.
  func content(_ occasion: Occasion, for state: ClockState) -> JSON {
    var members: [JSON.Member] = [.init("version", 1)]
    switch occasion {
    case .announcement(let one):
      members.append(.init("at", .int(one.at)))
      members.append(.init("parts", .array(one.parts.map { .string($0.name) })))
    case .now: members.append(.init("now", true))
    case .settings: break
    }
    members += [
      .init("settings", clock.json), .init("voice", voice), .init("volume", .int(state.volume)),
      .init("on", .bool(state.isOn)), .init("muted_until", .int(Int(clock.mutedUntil.rounded(.up)))),
    ]
    return ["clock": .object(members)]
  }
}

extension Change {
  /// Tells devices what has changed for them, in as few pushes as their volumes allow.
  func tellSettings(_ clock: PersonClock, to states: [Int: ClockState]) throws {
    try push(.settings, clock, to: states, "clock.settings", lifetime: ClockLimits.settingsLifetime)
  }

  func speakNow(_ clock: PersonClock, on states: [Int: ClockState]) throws {
    try push(.now, clock, to: states, "clock.now", lifetime: ClockLimits.speakLifetime)
  }

  private func push(
    _ occasion: ClockWake.Occasion, _ clock: PersonClock, to states: [Int: ClockState], _ topic: String,
    lifetime: Double
  ) throws {
    guard !states.isEmpty else { return }
    let wake = try ClockWake(clock, in: database)
    var groups = WakeGroups()
    for (device, state) in states.sorted(by: { $0.key < $1.key }) {
      groups.add(device, wake.content(occasion, for: state))
    }
    try groups.ring(topic, lifetime: lifetime, in: self)
  }
}

/// Devices that get the very same push, which is then sent once to all of them.
struct WakeGroups {
  private var devices: [String: (content: JSON, devices: [Int])] = [:]

  mutating func add(_ device: Int, _ content: JSON) {
    devices[content.text, default: (content, [])].devices.append(device)
  }

  /// - Parameter topic: also the collapse id, so that a device that is away gets the newest alone.
  func ring(_ topic: String, lifetime: Double, in change: Change) throws {
    for (_, group) in devices.sorted(by: { $0.key < $1.key }) {
      let bell = SilentBell(
        to: .array(group.devices.map { ["device": JSON(id: $0)] }), userInfo: group.content, collapseID: topic,
        lifetime: lifetime)
      try change.ring(topic, bell.json)
    }
  }
}
