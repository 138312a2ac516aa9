import Crypto
import Delivery
import Hub
import Server
import Store
import Wire

/// The reports of agents on the announcements they have made.
struct ReportRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    let admit: Admission = { request throws(HTTPError) in _ = try await hub.clockDevice(request) }
    router.on(.post, "\(ClockRoutes.path)/reports", admit: admit, .task(report))
  }

  private func report(_ request: Request) async throws(HTTPError) -> Response {
    let device = try await hub.clockDevice(request)
    let reports = try Self.reports(request)
    return try await hub.commit(as: .room(TalkingClockRoom.id)) { change in
      let database = change.database
      guard let device = try database.pushDevice(device.id) else { throw HTTPError.noDeviceAnyMore }
      var state = try database.clockState(ofDevice: device.id) ?? device.initialState
      let earliest = Int(change.now - ClockLimits.keptDays * 86_400)
      var (taken, isBack) = (0, false)
      for one in reports where one.at > earliest && one.at <= Int(change.now) + ClockLimits.ahead {
        guard try database.note(one, ofDevice: device.id) else { continue }
        taken += 1
        if one.at >= state.last?.at ?? 0 { state.last = one }
        guard one.what.isAlive, one.at > state.heardAt ?? 0 else { continue }
        state.heardAt = one.at
        // An earlier announcement is no news: it was silent since.
        if let since = state.silentSince, Double(one.at) > since { isBack = true }
      }
      let owner = try House(database).owner(of: device)
      if isBack, state.isOn {
        state.silentSince = nil
        let bell = try SilenceBell(device, in: database)
        try change.ring("clock.back", bell.back().json)
      }
      if taken > 0 {
        try database.save(state, ofDevice: device.id)
        change.tellPage(of: owner)
      }
      return Response(json: ["taken": .int(taken)]).notStored()
    }
  }

  private static func reports(_ request: Request) throws(HTTPError) -> [Announced] {
    var check = try FieldCheck(request, known: ["announcements"])
    let list =
      check.list("announcements", of: "announcements", atMost: ClockLimits.reported, isNeeded: true) ?? []
    var reports: [Announced] = []
    for (index, one) in list.enumerated() {
      var entry = FieldCheck(one, known: ["at", "what", "late_ms", "by"], nullIsNothing: true)
      let at = entry.int("at", in: 1...Int(Int32.max) * 4, isNeeded: true)
      let what = entry.choice("what", among: Announced.What.allCases, isNeeded: true)
      let limit = Double(ClockLimits.lateness)
      let late = entry.number("late_ms", in: -1e15...1e15, isNeeded: false).map { min(max($0, -limit), limit) }
      let cause = entry.choice("by", among: Announced.Cause.allCases) ?? .own
      for error in entry.errors { check.fail("announcements[\(index)].\(error.field)", error.reason.text) }
      if let at, let what {
        reports.append(Announced(at: at, what: what, lateness: late.map { Int($0.rounded()) }, cause: cause))
      }
    }
    try check.finish(
      help:
        "Example: {\"announcements\": [{\"at\": 1795200300, \"what\": \"spoke\", \"late_ms\": 4, \"by\": \"push\"}]}")
    return reports
  }
}

extension Hub {
  /// The agent that calls, by its secret.
  /// - Throws: 401 for anybody else.
  func clockDevice(_ request: Request) async throws(HTTPError) -> PushDevice {
    guard let secret = deviceSecret(in: request) else { throw Hub.deviceSecretMissing }
    let digest = Digest.sha256(secret.utf8)
    let device = try await read { database throws(StoreError) in try database.pushDevice(secretDigest: digest) }
    guard let device else { throw unknownDeviceSecret(request) }
    return device
  }
}

extension HTTPError {
  static let noDeviceAnyMore = HTTPError(
    .unknownToken, "The device was removed just now.", help: "eightbells device create makes another one.")
}
