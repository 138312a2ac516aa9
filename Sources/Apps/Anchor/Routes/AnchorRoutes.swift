import AnchorWatch
import Delivery
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The watch over HTTP: the anchor, the settings, the alarm.
struct AnchorRoutes: Sendable {
  let hub: Hub
  let watch: SecondWatch

  static let path = "/api/v1/anchor"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(tell))
    let admit = hub.needs(.keepAnchorWatch)
    func on(_ method: Method, _ path: String, _ work: @escaping @Sendable (Request) async throws(HTTPError) -> Response)
    {
      router.on(method, Self.path + path, admit: admit, .task(work))
    }
    on(.post, "/drop", drop)
    on(.patch, "", change)
    on(.post, "/arm", arm)
    on(.post, "/acknowledge", acknowledge)
    on(.post, "/extend", extend)
    on(.post, "/weigh", weigh)
  }

  private func tell(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .listen)
    let (now, number) = (hub.time.now, hub.commits.number)
    let lastLooked = principal.person == nil ? watch.lastLook : watch.looked()
    let answer = try await hub.read { database throws(StoreError) in
      try AnchorAnswer(database, watch, now: now).json(lastLooked: lastLooked)
    }
    return Response(json: answer).notStored().asOf(commit: number)
  }

  /// Makes a change, unless the request is a repeated one, and answers with the watch as it is then.
  /// - Parameters:
  ///   - more: what the answer says besides.
  private func change(
    _ request: Request, more: @escaping @Sendable (Database) throws(StoreError) -> [JSON.Member] = { _ in [] },
    _ work: @escaping @Sendable (Change) throws -> Void
  ) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keepAnchorWatch)
    let made = try await hub.commit(ifNew: request, as: principal) { change in
      try work(change)
      return (try more(change.database), change.number)
    }
    let (now, number) = (hub.time.now, made?.1 ?? hub.commits.number)
    let told = try await hub.read { database throws(StoreError) in
      let answer = try AnchorAnswer(database, watch, now: now).json(lastLooked: watch.lastLook)
      let besides = if let made { made.0 } else { try more(database) }
      return (answer.members ?? []) + besides
    }
    return Response(json: .object(told), fields: made == nil ? [.replayed] : []).notStored().asOf(commit: number)
  }

  // MARK: The anchor

  private func drop(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(
      request, known: ["lat", "lon", "bearing_deg", "distance_m", "settings", "arm"], nullIsNothing: true,
      mayBeEmpty: true)
    let latitude = check.number("lat", in: -90...90, isNeeded: check.has("lon"))
    let longitude = check.number("lon", in: -180...180, isNeeded: check.has("lat"))
    let bearing = check.number("bearing_deg", in: 0...360, isNeeded: check.has("distance_m"))
    let distance = check.number("distance_m", in: 0...1_000, isNeeded: check.has("bearing_deg"))
    let arms = check.has("arm") ? check.flag("arm") ?? false : false
    var place: Position?
    if let latitude, let longitude {
      place = Position(latitude: latitude, longitude: longitude)
      if place == nil { check.fail("lat", "0 and lon 0; any other place is accepted.") }
      if bearing != nil { check.fail("bearing_deg", "not accepted beside lat and lon: it is seen from the boat.") }
    }
    try check.finish(
      help:
        "Examples: {}, where the boat is; {\"lat\": 54.1, \"lon\": 10.2}; {\"bearing_deg\": 350, \"distance_m\": 25}.")
    let (told, settings) = (place, check["settings"] == .null ? nil : check["settings"])
    let more = { @Sendable (database: Database) throws(StoreError) in arms ? try warnings(database) : [] }
    return try await change(request, more: more) { [watch] change in
      try AnchorChange.drop(
        at: told, bearing: bearing, distance: distance, settings: settings, arms: arms, watch, in: change)
    }
  }

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let json = try request.json()
    return try await change(request) { [watch] change in try AnchorChange.change(json, watch, in: change) }
  }

  private func weigh(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["sure"], mayBeEmpty: true)
    let isSure = check.has("sure") ? check.flag("sure") : false
    try check.finish(help: "Send {\"sure\": true}.")
    guard isSure == true else {
      throw HTTPError(
        .weighingNotMeant, "Weighing ends the watch, and nobody is woken any more.", help: "Send {\"sure\": true}.")
    }
    return try await change(request) { [watch] change in try AnchorChange.weigh(watch, in: change) }
  }

  // MARK: The watch

  /// Who would not wake, and what does not watch.
  @Sendable private func warnings(_ database: Database) throws(StoreError) -> [JSON.Member] {
    let now = hub.time.now
    let drill = try database.lastDrill(of: AnchorRoom.id, since: now - WatchLimits.drillHours * 3_600)
    var histories: [Int: [Charge]] = [:]
    for source in try database.anchorSources() { histories[source.id] = try database.charges(of: source.id) }
    let answer = try AnchorAnswer(database, watch, now: now)
    let warnings = answer.warnings(drill: drill, morning: watch.morning(now: now), histories: histories)
    return [JSON.Member("warnings", .array(warnings))]
  }

  private func arm(_ request: Request) async throws(HTTPError) -> Response {
    try await change(request, more: warnings) { [watch] change in try AnchorChange.arm(watch, in: change) }
  }

  private func acknowledge(_ request: Request) async throws(HTTPError) -> Response {
    try await change(request) { [watch] change in try AnchorChange.acknowledge(watch, in: change) }
  }

  private func extend(_ request: Request) async throws(HTTPError) -> Response {
    try await change(request) { [watch] change in try AnchorChange.extend(watch, in: change) }
  }
}
