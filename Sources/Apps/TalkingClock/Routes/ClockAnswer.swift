import CivilTime
import Delivery
import Hub
import Sound
import SpeakingClock
import Store
import Wire

/// A person's clock as GET /api/v1/clock answers it.
struct ClockAnswer: Sendable {
  let clock: PersonClock
  let voices: [RecordedVoice]
  let devices: [(device: PushDevice, state: ClockState, lead: Int?)]
  let zone: Zone
  let now: Double

  init(
    _ person: Int, isGerman: Bool, seesHouse: Bool, in database: Database, zone: Zone, now: Double
  ) throws(StoreError) {
    clock = try database.clock(ofPerson: person, isGerman: isGerman)
    voices = try database.voices(ofPerson: person)
    devices = try House.devices(of: person, seesHouse: seesHouse, in: database).map { device throws(StoreError) in
      let state = try database.clockState(ofDevice: device.id) ?? device.initialState
      return (device, state, device.kind == .agent ? try database.lastLead(ofDevice: device.id) : nil)
    }
    self.zone = clock.zone(ofDevice: nil, house: zone)
    self.now = now
  }

  var json: JSON {
    [
      "settings": clock.json, "muted_until": JSON(instant: clock.mutedUntil > now ? clock.mutedUntil : nil),
      "voices": .array(BuiltInVoice.allCases.map(\.json) + voices.map(\.json)),
      "devices": .array(devices.map { Self.json($0.device, $0.state, lead: $0.lead) }), "next": next,
    ]
  }

  private var next: JSON {
    guard let next = clock.next(after: Int(now), in: zone) else { return .null }
    return ["at": .string(timestamp(next.at, in: zone)), "parts": .array(next.parts.map { .string($0.name) })]
  }

  static func json(_ device: PushDevice, _ state: ClockState, lead: Int?) -> JSON {
    [
      "id": JSON(id: device.id), "name": .string(device.name), "kind": .string(device.kind.rawValue),
      "on": .bool(state.isOn), "volume": .int(state.volume),
      "last": state.last.map { last in
        [
          "at": JSON(instant: Double(last.at)), "what": .string(last.what.rawValue), "late_ms": JSON(last.lateness),
        ]
      } ?? .null, "lead_s": JSON(lead), "silent": .bool(state.isOn && state.silentSince != nil),
    ]
  }
}

extension BuiltInVoice {
  fileprivate var json: JSON {
    [
      "id": .string(rawValue), "name": .string(voice.name), "kind": "built-in", "language": JSON(language?.rawValue),
      "parts": .array(sortedParts.map { .string($0.name) }),
    ]
  }
}

extension RecordedVoice {
  var json: JSON {
    [
      "id": .string(id), "name": .string(name), "kind": "recorded", "language": .string(language.rawValue),
      "parts": .array(parts.map { .string($0.part.name) }), "created_at": JSON(instant: createdAt),
      "version": .string(version),
    ]
  }
}
