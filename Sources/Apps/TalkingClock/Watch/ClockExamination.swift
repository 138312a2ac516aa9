import CivilTime
import Delivery
import Hub
import Store

/// The doctor's look at the agents that speak.
struct ClockExamination {
  let hub: Hub

  func findings() async -> [Finding] {
    let states = try? await hub.store.read { database throws(StoreError) in
      let states = try database.clockStates()
      return try database.pushDevices(of: .agent).compactMap { device -> (name: String, state: ClockState)? in
        states[device.id].map { (device.name, $0) }
      }.filter { $0.state.isOn }
    }
    guard let states, !states.isEmpty else { return [] }
    let silent = states.filter { $0.state.silentSince != nil }
    guard !silent.isEmpty else {
      return [.ok("talking clock", states.count == 1 ? "1 agent speaks" : "\(states.count) agents speak")]
    }
    return silent.map { name, state in
      let since = state.heardAt.map { "has said nothing since \(timestamp($0, in: hub.place.zone))" }
      return .warning(
        "talking clock", "\(name) \(since ?? "has said nothing yet")",
        remedy: "Look if it is on, has a network and a loudspeaker: `eightbells-agent` says what is wrong there; "
          + "switch it off on the clock's page if it is to keep still")
    }
  }
}
