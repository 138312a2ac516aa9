import CivilTime
import Delivery
import Hub
import Settings
import Store
import Terminal
import Wire

/// `eightbells clock devices`: which agents speak, and how punctual they are.
enum DevicesCommand {
  static let command = RoomCommand(
    onData: "clock devices", usage: "[--json]", options: [Verb.json],
    summary: "Lists the agents that speak the time, with their last announcement."
  ) { hub, arguments in
    let devices = try await hub.store.read { database throws(StoreError) in
      try database.pushDevices(of: .agent).map { device throws(StoreError) in
        (
          device, try database.clockState(ofDevice: device.id) ?? device.initialState,
          try database.lastLead(ofDevice: device.id)
        )
      }
    }
    if arguments.has("json") {
      let list = devices.map { device, state, lead in
        ClockAnswer.json(device, state, lead: lead).with(["person": JSON(id: device.person)])
      }
      print(JSON.array(list).text)
    } else if devices.isEmpty {
      print("There is no agent yet: eightbells device create makes one.")
    } else {
      for (device, state, lead) in devices { print(Layout.plain(line(device, state, lead, hub.place.zone))) }
    }
  }

  private static func line(_ device: PushDevice, _ state: ClockState, _ lead: Int?, _ zone: Zone) -> String {
    var words = "\(device.id)  \(device.name): \(state.isOn ? "on, volume \(state.volume)" : "off")"
    if let last = state.last {
      words += ", last \(timestamp(last.at, in: zone)) \(last.what.rawValue)"
      if let late = last.lateness { words += " (\(late) ms late)" }
    }
    if let lead { words += ", woken \(lead) s ahead" }
    if state.isOn, let since = state.silentSince { words += ", SILENT since \(timestamp(Int(since), in: zone))" }
    return words
  }
}
