import Delivery
import Hub
import Server
import Store
import Wire

/// "Test the whole way tonight": rings every device that would be rung, and shows which answered.
struct DrillRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    let path = "\(AnchorRoutes.path)/drill"
    router.on(.get, path, .task { request throws(HTTPError) in try await tell(request) })
    router.on(
      .post, path, admit: hub.needs(.keepAnchorWatch),
      .task { request throws(HTTPError) in try await begin(request) })
  }

  private func begin(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keepAnchorWatch)
    return try await hub.commit(once: request, as: principal) { change in
      let database = change.database
      let drill = try database.nextDrill()
      let anchorage = try database.anchorage()
      let armedBy = anchorage?.isArmed == true ? anchorage?.person : change.principal.person ?? anchorage?.person
      var devices = try Crew(database, armedBy: armedBy).devices(database)
      // The boat's own agent answers by itself: it has heard, and can sound.
      for id in try database.anchorSources().filter({ $0.kind == .agent }).compactMap(\.device) {
        if !devices.contains(where: { $0.id == id }), let agent = try database.pushDevice(id) { devices.append(agent) }
      }
      for device in devices {
        let person = try device.person.flatMap { id throws(StoreError) in try database.personName(id) }
        try database.add(
          DrilledDevice(drill: drill, device: device.id, name: device.name, person: person, at: change.now))
        try change.ring("anchor.drill", AnchorBell.drill(drill, device: device.id).json)
      }
      try AgentPush.send(drill: drill, in: change)
      try change.audit("anchor.drilled")
      change.publish("anchor", on: "private-\(AnchorRoom.id)", [:])
      return Response(status: 202, json: ["id": JSON(id: drill), "devices": .int(devices.count)])
        .asOf(commit: change.number)
    }
  }

  private func tell(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .listen)
    let devices = try await hub.stored { () throws(StoreError) in
      try await hub.store.read { database throws(StoreError) in try Self.devices(database) }
    }
    return Response(
      json: [
        "id": JSON(id: devices.first?.drill), "at": JSON(instant: devices.first?.at),
        "devices": .array(devices.map(\.json)),
      ]
    ).notStored()
  }

  /// The last drill's devices: those that have not answered may have rung nevertheless, which the notification's trace
  /// knows.
  static func devices(_ database: Database) throws(StoreError) -> [DrilledDevice] {
    var devices = try database.lastDrill()
    guard let drill = devices.first else { return [] }
    let sent = try database.notifications(of: "room \(AnchorRoom.id)", limit: 2 * WatchLimits.drilled)
    for (index, device) in devices.enumerated() where device.rangAt == nil {
      let collapseID = "\(AnchorBell.drill)\(drill.drill).\(device.device)"
      guard let notification = sent.first(where: { $0.collapseID == collapseID }),
        let trace = try database.trace(notification.id)
      else { continue }
      let shown = trace.devices.filter { $0.device == device.device }.flatMap(\.events)
        .first { [.delivered, .shown, .acted].contains($0.what) }
      devices[index].rangAt = shown?.at
    }
    return devices
  }
}
