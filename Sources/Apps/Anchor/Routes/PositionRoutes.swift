import AnchorWatch
import CivilTime
import Crypto
import Delivery
import Hub
import Lifecycle
import Positions
import Server
import Store
import Wire

/// Reports of agents and open pages: positions, and each of them a sign of life.
struct PositionRoutes: Sendable {
  let hub: Hub
  let watch: SecondWatch

  func add(to router: inout Router) {
    let admit: Admission = { request throws(HTTPError) in _ = try await reporter(request) }
    router.on(.post, "\(AnchorRoutes.path)/positions", bodyLimit: WatchLimits.reportBytes, admit: admit, .task(take))
  }

  /// An agent by its secret, or a person with an open page.
  private enum Reporter: Sendable {
    case device(PushDevice)
    case principal(Principal)
  }

  private func reporter(_ request: Request) async throws(HTTPError) -> Reporter {
    guard let secret = hub.deviceSecret(in: request) else {
      return .principal(try await hub.authorise(request, .keepAnchorWatch))
    }
    let digest = Digest.sha256(secret.utf8)
    let device = try await hub.read { database throws(StoreError) in try database.pushDevice(secretDigest: digest) }
    guard let device else { throw hub.unknownDeviceSecret(request) }
    return .device(device)
  }

  private func take(_ request: Request) async throws(HTTPError) -> Response {
    let reporter = try await reporter(request)
    let now = hub.time.now
    let (read, drill, order) = try Self.report(request, now: now)
    var report = read
    var principal = Principal.room(AnchorRoom.id)
    switch reporter {
    case .device(let device):
      (report.device, report.person) = (device.id, device.person)
      if report.name.isEmpty { report.name = device.name }
    case .principal(let somebody):
      (report.person, principal) = (somebody.person, somebody)
      if report.name.isEmpty { report.name = somebody.name }
      guard report.kind == .page, let device = somebody.device else { break }
      report.name = watch.name(ofPage: report.name, on: device)
    }
    let (told, person) = (report, report.person)
    if let order {
      try await hub.commit(as: principal) { [watch] change in
        try AnchorChange.ordered(order, by: person, watch, in: change)
      }
    }
    let (response, source, before) = try await hub.commit(as: principal) { [watch] change in
      let (source, before) = try watch.take(told, in: change)
      if let drill, let device = told.device {
        _ = try change.database.answerDrill(drill, device: device, now: change.now)
      }
      // Later members of reports, which agents send to hubs that take them.
      let members = try AgentPush(change.database).members + [JSON.Member("takes", ["tells", "keeps"])]
      return (Response(json: .object(members)).notStored().asOf(commit: change.number), source, before)
    }
    if let person {
      try await RungPlaces(hub: hub).moved(
        told.fixes, reporter: RungPlaces.reporter(source: source), person: person, before: before, now: now)
    }
    return response
  }

  // MARK: Reading

  private static func report(_ request: Request, now: Double) throws(HTTPError) -> (
    Report, drill: Int?, order: BoatOrder?
  ) {
    var check = try FieldCheck(
      request,
      known: [
        "source", "kind", "interval_s", "battery", "charging", "state", "agrees", "tells", "keeps", "fixes", "events",
        "drill", "anchor",
      ],
      nullIsNothing: true)
    let kind = check.choice("kind", among: [Source.Kind.agent, .page], isNeeded: true)
    var report = Report(kind: kind ?? .agent, name: check.line("source", longest: WatchLimits.name) ?? "")
    report.interval = check.number("interval_s", in: WatchLimits.interval, isNeeded: false)
    report.battery = check.number("battery", in: 0...1, isNeeded: false)
    func flag(_ name: String) -> Bool? { check.has(name) && check[name] != .null ? check.flag(name) : nil }
    report.isCharging = flag("charging")
    report.state = check.line("state", longest: WatchLimits.name)
    report.at = request.head.fields["date"].flatMap { HTTPDate.seconds($0, now: Int(now)) }.map { Double($0) }
    (report.agrees, report.keeps) = (flag("agrees"), flag("keeps"))
    let tells = check.list("tells", of: "instruments", atMost: WatchLimits.instruments)
    report.tells = tells?.compactMap(\.string).filter(["depth", "wind"].contains)
    let drill = check.id("drill")
    let order = order(&check, now: now)
    let fixes = check.list("fixes", of: "fixes", atMost: WatchLimits.fixes) ?? []
    for (index, row) in fixes.enumerated() {
      guard let fix = fix(row) else {
        check.fail(
          "fixes[\(index)]",
          "\(row.text.prefix(80)); [seconds since 1970, latitude, longitude, metres of error or null, HDOP or null, "
            + "heading or null] is accepted, at any place but exactly 0, 0.")
        continue
      }
      report.fixes.append(fix)
    }
    for (index, one) in (check.list("events", of: "events", atMost: WatchLimits.events) ?? []).enumerated() {
      let at = one["at"]?.number ?? one["at"]?.string.flatMap(parseTimestamp).map(Double.init)
      guard let at, let kind = one["kind"]?.string, kinds.contains(kind) else {
        check.fail("events[\(index)]", "\(one.text.prefix(80)); at, a kind of event, and distance_m are accepted.")
        continue
      }
      report.events.append(TrackEvent(at: at, kind: kind, distance: one["distance_m"]?.number ?? 0, told: at))
    }
    try check.finish(
      help: "Example: {\"source\": \"gpsd\", \"kind\": \"agent\", \"interval_s\": 60, "
        + "\"fixes\": [[1795200000, 54.1, 10.2, 4, null]]}")
    return (report, drill, order)
  }

  /// The events that are told: those of the rules, and that a witness on board objects.
  private static let kinds = Set(WatchKind.allCases.map(\.name.description) + ["witness objects"])

  /// The order given on the boat.
  private static func order(_ check: inout FieldCheck, now: Double) -> BoatOrder? {
    guard check.has("anchor"), let json = check["anchor"], json != .null else { return nil }
    let ages = 0...WatchLimits.keptDays * 86_400
    guard let version = json["version"]?.int, let age = json["age_s"]?.number, ages.contains(age),
      let isArmed = json["armed"]?.bool, let settings = json["settings"]
    else {
      check.fail(
        "anchor",
        "\(json.text.prefix(80)); version, age_s (up to \(WatchLimits.keptDays) days), armed, and settings or null are "
          + "accepted.")
      return nil
    }
    var order = BoatOrder(version: version, at: now - age, isArmed: isArmed)
    if let age = json["dropped_age_s"]?.number, ages.contains(age) { order.droppedAt = now - age }
    guard settings != .null else { return order }
    do throws(WatchSettingsForm.Fault) {
      order.form = try WatchSettingsForm(settings)
    } catch {
      check.fail("anchor.settings", error.message)
    }
    return order
  }

  private static func fix(_ row: JSON) -> Fix? {
    guard let values = row.array, (3...6).contains(values.count), let time = values[0].number,
      (1...1e11).contains(time),
      let latitude = values[1].number, let longitude = values[2].number,
      let position = Position(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = Fix(time: time, position: position)
    for (index, part) in [(3, \Fix.accuracy), (4, \Fix.hdop), (5, \Fix.heading)] where values.count > index {
      if values[index] == .null { continue }
      guard let number = values[index].number, (0...1e6).contains(number) else { return nil }
      fix[keyPath: part] = number
    }
    return fix
  }
}
