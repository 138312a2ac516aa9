import CivilTime
import Delivery
import Hub
import Lifecycle
import Server
import Sound
import Store
import Wire

/// One's own clock: its settings, its devices, what they have said.
struct ClockRoutes: Sendable {
  let hub: Hub
  let watch: ClockWatch

  static let path = "/api/v1/clock"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(clock))
    let admit = hub.needsPerson()
    router.on(.patch, Self.path, admit: admit, .task(change))
    router.on(.put, "\(Self.path)/devices/{id}", admit: admit, .task(changeDevice))
    router.on(.post, "\(Self.path)/speak", admit: admit, .task(speak))
    router.on(.get, "\(Self.path)/history", .task(history))
  }

  private func clock(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let (zone, now, number, isGerman) = (hub.place.zone, hub.time.now, hub.commits.number, request.isGerman)
    let answer = try await hub.read { database throws(StoreError) in
      try ClockAnswer(
        person, isGerman: isGerman, seesHouse: principal.may(.manage), in: database, zone: zone, now: now
      ).json
    }
    return Response(json: answer).notStored().asOf(commit: number)
  }

  // MARK: Settings

  private static let help = "Example: {\"settings\": {\"every\": 30}, \"muted_until\": null}"

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let body = try Body(request, now: hub.time.now)
    let (zone, isGerman) = (hub.place.zone, request.isGerman)
    return try await hub.commit(as: principal) { [watch] change in
      let database = change.database
      var clock = try database.clock(ofPerson: person, isGerman: isGerman)
      if let settings = body.settings {
        let before = clock
        do {
          try clock.apply(settings)
        } catch let errors as FieldErrors {
          throw errors.refusal(help: Self.help)
        }
        try Self.demandVoice(of: clock, since: before, person, in: database)
      }
      if let mutedUntil = body.mutedUntil { clock.mutedUntil = mutedUntil }
      clock.changedAt = change.now
      try database.save(clock, ofPerson: person)
      if body.settings != nil { try change.audit("clock.changed") }
      try change.tellSettings(clock, to: try database.statesFollowing(person))
      change.tellPage(of: person)
      watch.wake(in: change)
      let answer = try ClockAnswer(
        person, isGerman: isGerman, seesHouse: principal.may(.manage), in: database, zone: zone, now: change.now)
      return Response(json: answer.json).notStored().asOf(commit: change.number)
    }
  }

  /// A wished change, of which nothing is applied before all of it was read.
  private struct Body: Sendable {
    let settings: JSON?
    /// 0 to end the mute; nil to leave it.
    let mutedUntil: Double?

    init(_ request: Request, now: Double) throws(HTTPError) {
      var check = try FieldCheck(request, known: ["settings", "muted_until"])
      settings = check["settings"]
      if let settings, settings.members == nil { check.fail("settings", "\(settings.kind); an object is accepted.") }
      var until: Double?
      switch check["muted_until"] {
      case nil: break
      case .null?: until = 0
      case let value?:
        until = value.string.flatMap(parseTimestamp).map(Double.init)
        if until == nil || until ?? 0 > now + ClockLimits.longestMute {
          check.fail(
            "muted_until",
            "\(value.text.prefix(80)); null or a time within a month is accepted: 2026-11-23T07:00:00+01:00.")
        }
      }
      mutedUntil = until
      if check.errors.isEmpty, settings == nil, mutedUntil == nil {
        check.fail("settings", "missing; settings, muted_until or both are accepted.")
      }
      try check.finish(help: ClockRoutes.help)
    }
  }

  /// - Throws: 404 for a voice that is not the person's, 409 for one that cannot say all that the settings ask for. A
  ///   word that the voice in use lacked before, as one that was removed, stands in no change's way.
  private static func demandVoice(
    of clock: PersonClock, since before: PersonClock, _ person: Int, in database: Database
  ) throws {
    guard BuiltInVoice(rawValue: clock.voice) == nil else { return }
    guard let voice = try database.voice(clock.voice), voice.person == person else {
      throw HTTPError.noSuchVoice(clock.voice)
    }
    let known = before.voice == clock.voice ? voice.lacking(for: before.settings) : []
    let lacking = voice.lacking(for: clock.settings).filter { !known.contains($0) }
    guard !lacking.isEmpty else { return }
    throw HTTPError(
      .voiceLacksParts,
      "The voice \"\(voice.name)\" lacks \(lacking.count) part\(lacking.count == 1 ? "" : "s"): "
        + "\(lacking.prefix(20).joined(separator: ", ")).",
      help: "Record what is missing, or leave the setting as it was, or choose another language or voice, or 12 hours "
        + "with an interval of 15, 30 or 60 min.")
  }

  // MARK: Devices

  private func changeDevice(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let (id, isGerman) = (request.id ?? 0, request.isGerman)
    var check = try FieldCheck(request, known: ["on", "volume"])
    let isOn = check.has("on") ? check.flag("on") : nil
    let volume = check.has("volume") ? check.int("volume", in: ClockLimits.volumes, isNeeded: true) : nil
    if check.errors.isEmpty, isOn == nil, volume == nil {
      check.fail("on", "missing; on, volume or both are accepted.")
    }
    try check.finish(help: "Example: {\"on\": true, \"volume\": 80}")
    return try await hub.commit(as: principal) { [watch] change in
      let database = change.database
      let device = try Self.device(id, of: principal, person, in: database)
      var state = try database.clockState(ofDevice: id) ?? device.initialState
      if let isOn, isOn != state.isOn {
        (state.isOn, state.watchedFrom, state.silentSince) = (isOn, change.now, nil)
        try change.audit(isOn ? "clock.device-on" : "clock.device-off", about: device.name)
      }
      if let volume { state.volume = volume }
      let owner = try House(database).owner(of: device)
      if device.kind == .agent {
        let clock = try database.clock(ofPerson: owner, isGerman: isGerman)
        // It stays in the language in which it begins to speak.
        if let owner, state.isOn, clock.changedAt == 0 { try database.save(clock, ofPerson: owner) }
        try change.tellSettings(clock, to: [id: state])
      }
      try database.save(state, ofDevice: id)
      change.tellPage(of: owner)
      watch.wake(in: change)
      let lead = try database.lastLead(ofDevice: id)
      return Response(json: ClockAnswer.json(device, state, lead: lead)).notStored().asOf(commit: change.number)
    }
  }

  /// - Throws: 404 for one that the person does not see.
  private static func device(
    _ id: Int, of principal: Principal, _ person: Int, in database: Database
  ) throws -> PushDevice {
    guard let device = try database.pushDevice(id), device.kind == .agent || device.kind == .browser,
      device.person == person || (device.person == nil && principal.may(.manage))
    else {
      throw HTTPError(
        .noSuchClockDevice, "You have no device \(id) that speaks.", help: "GET /api/v1/clock lists those there are.")
    }
    return device
  }

  private func speak(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var check = try FieldCheck(request, known: ["device"], nullIsNothing: true, mayBeEmpty: true)
    let (named, isGerman) = (check.id("device"), request.isGerman)
    try check.finish(help: "Example: {\"device\": \"7\"}; without one all agents speak that are on.")
    return try await hub.commit(once: request, as: principal) { change in
      let database = change.database
      var states = try database.statesFollowing(person).filter(\.value.isOn)
      var owner: Int? = person
      if let named {
        let device = try Self.device(named, of: principal, person, in: database)
        guard device.kind == .agent else {
          throw HTTPError(
            .noSuchClockDevice, "\"\(device.name)\" is no agent.", help: "An open page speaks by itself.")
        }
        states = [named: try database.clockState(ofDevice: named) ?? device.initialState]
        owner = try House(database).owner(of: device)
      }
      try change.speakNow(try database.clock(ofPerson: owner, isGerman: isGerman), on: states)
      return Response(status: 202, json: ["devices": .int(states.count)]).asOf(commit: change.number)
    }
  }

  // MARK: History

  private func history(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let zone = hub.place.zone
    let day = try request.day("day") ?? zone.wall(at: Int(hub.time.now)).date
    let named = request.query["device"]
    let from = zone.start(of: day)
    let before = zone.start(of: day.adding(1))
    let found = try await hub.read { database throws(StoreError) -> [(device: Int, announced: Announced)]? in
      let seen = try House.devices(of: person, seesHouse: principal.may(.manage), in: database).map(\.id)
      let asked = named.map { name in seen.filter { String($0) == name } } ?? seen
      if named != nil, asked.isEmpty { return nil }
      return try database.announced(byDevices: asked, from: from, before: before, limit: ClockLimits.answered)
    }
    guard let found else {
      throw HTTPError(
        .noSuchClockDevice, "You have no device \"\(named?.prefix(40) ?? "")\" that speaks.",
        help: "GET /api/v1/clock lists those there are.")
    }
    return Response(json: ["announcements": .array(found.map { $0.announced.json(device: $0.device) })]).notStored()
  }
}

extension Database {
  /// The agents that follow a person's clock and were switched on once, with their states.
  func statesFollowing(_ person: Int) throws(StoreError) -> [Int: ClockState] {
    try clockStates(of: House(self).agents(following: person, in: self))
  }
}
