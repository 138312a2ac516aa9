import Hub
import Server
import Store
import Wire

/// The views of notifications: owners register them, and pages show them in frames.
struct ViewRoutes: Sendable {
  let hub: Hub

  static let path = "/api/v1/bells/views"

  /// A document gets what it shows by messages, and loads nothing from anywhere. It has no origin, not even when it is
  /// opened by itself. Trusted types keep its script from making documents of text.
  private static let policy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    + "img-src data: blob:; media-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

  /// Stands before each document: no policy that browsers know keeps WebRTC from sending. Documents within this one
  /// would have it again; `ViewWish` refuses those in its markup, and the policy those that a script makes.
  private static let beginning = Array(
    """
    <!doctype html><script>for (const name of Object.getOwnPropertyNames(window)) { \
    if (/^(webkit|moz)?RTC/.test(name)) delete window[name]; }</script>

    """.utf8)

  func add(to router: inout Router) {
    let admit = hub.needs(.views)
    router.on(.get, Self.path, admit: admit, .task(list))
    router.on(.get, "\(Self.path)/{name}", .task(show))
    router.on(.put, "\(Self.path)/{name}", bodyLimit: BellsLimits.viewRequestBytes, admit: admit, .task(keep))
    router.on(.delete, "\(Self.path)/{name}", admit: admit, .task(remove))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .views)
    let views = Views(hub: hub)
    let list = try await hub.read { database throws(StoreError) in try views.list(database) }
    return Response(json: list).notStored()
  }

  private func show(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .enter)
    let (views, name) = (Views(hub: hub), request.parameters["name"] ?? "")
    let document = try await hub.read { database throws(StoreError) in try views.document(name, database) }
    guard let document = document.map({ Self.beginning + $0 }) else { throw HTTPError.noSuchView(name) }
    return Response(
      contentType: "text/html; charset=utf-8", body: .bytes(document), etag: Response.etag(of: document),
      fields: [
        .init("Content-Security-Policy", Self.policy), .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("X-DNS-Prefetch-Control", "off"),
      ])
  }

  private func keep(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .views)
    let json = try request.json()
    let wish = try FieldErrors.refused(help: ViewWish.help, ViewWish(request.parameters["name"] ?? "", json))
    let views = Views(hub: hub)
    return try await hub.commit(once: request, as: principal) { change in
      Response(json: try views.keep(wish, in: change)).asOf(commit: change.number)
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .views)
    let (views, name) = (Views(hub: hub), request.parameters["name"] ?? "")
    try await hub.commit(as: principal) { change in try views.remove(name, in: change) }
    return .nothing()
  }
}
