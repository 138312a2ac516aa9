import Hub
import Positions
import Server
import Wire

/// The reports of phones' own apps, each in its app's manner: OwnTracks (HTTP), Overland and the Traccar client.
struct ReportingRoutes: Sendable {
  let hub: Hub
  let phones: Phones

  private static let rate = RouteRate("phones", strangers: PhoneLimits.fromOne, known: PhoneLimits.fromOne)

  static func path(_ app: Phone.App) -> String { "/api/v1/anchor/\(app.rawValue)" }

  func add(to router: inout Router) {
    let admit: Admission = { request throws(HTTPError) in _ = try phone(request) }
    router.on(
      .post, Self.path(.owntracks), bodyLimit: PositionLimits.reportBytes, admit: admit, rate: Self.rate,
      .task(ownTracks))
    router.on(
      .post, Self.path(.overland), bodyLimit: PositionLimits.reportBytes, admit: admit, rate: Self.rate,
      .task(overland))
    // Newer clients have their secret in the body alone.
    let admitTraccar: Admission = { request throws(HTTPError) in
      if Self.isJSON(request), request.query["id"] == nil { return }
      _ = try phone(request)
    }
    router.on(
      .post, Self.path(.traccar), bodyLimit: PhoneLimits.traccarBytes, admit: admitTraccar, rate: Self.rate,
      .task(traccar))
    router.on(.get, Self.path(.traccar), admit: admit, rate: Self.rate, .task(traccar))
  }

  private static func isJSON(_ request: Request) -> Bool {
    request.head.fields["content-type"]?.lowercased().hasPrefix("application/json") == true
  }

  /// The phone whose secret is in the header or in the query.
  private func phone(_ request: Request, secret other: String? = nil) throws(HTTPError) -> Phone {
    let query = request.query
    guard let secret = hub.deviceSecret(in: request) ?? query["token"] ?? query["id"] ?? other else {
      throw HTTPError(
        .noToken, "The secret of a phone is needed.",
        help: "Add the phone on the page of the anchor watch; its code configures the app.",
        fields: [Response.Field("WWW-Authenticate", "Basic realm=\"phone\"")])
    }
    guard let phone = phones.phone(secret: secret) else { throw hub.unknownDeviceSecret(request) }
    return phone
  }

  private static func read(
    _ help: String, _ work: () throws(PhoneReport.Fault) -> PhoneReport
  ) throws(HTTPError) -> PhoneReport {
    do throws(PhoneReport.Fault) {
      return try work()
    } catch {
      throw HTTPError(.invalidField, error.message, help: help)
    }
  }

  private func ownTracks(_ request: Request) async throws(HTTPError) -> Response {
    let phone = try phone(request)
    // The app tells by an empty message that a friend was removed.
    guard !request.body.isEmpty else { return Response(json: []).notStored() }
    let report = try Self.read("OwnTracks is set up by the code on the page of the anchor watch.") {
      () throws(PhoneReport.Fault) in try OwnTracksReport.read(request.body)
    }
    let asked = try await phones.take(report, of: phone)
    return Response(json: .array(asked.map { [$0.command] } ?? [])).notStored()
  }

  private func overland(_ request: Request) async throws(HTTPError) -> Response {
    let phone = try phone(request)
    let report = try Self.read("Overland is set up by the link on the page of the anchor watch.") {
      () throws(PhoneReport.Fault) in try OverlandReport.read(request.body)
    }
    _ = try await phones.take(report, of: phone)
    return Response(json: OverlandReport.answer).notStored()
  }

  private func traccar(_ request: Request) async throws(HTTPError) -> Response {
    let isJSON = Self.isJSON(request)
    let device = isJSON ? try request.json()["device_id"].flatMap { $0.string } : request.form["id"]
    let phone = try phone(request, secret: device)
    let report = try Self.read("The Traccar client is set up by the code on the page of the anchor watch.") {
      () throws(PhoneReport.Fault) in
      if isJSON { return try TraccarReport.read(json: request.body) }
      let values = request.body.isEmpty ? request.query : request.query.merging(request.form) { first, _ in first }
      return try TraccarReport.read(values.map { (name: $0.key, value: $0.value) })
    }
    _ = try await phones.take(report, of: phone)
    return Response(json: [:]).notStored()
  }
}
