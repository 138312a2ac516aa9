import Hub
import Lifecycle
import Server
import Store
import Wire

/// The pages behind links: the player, the same for each, with a manifest and a service worker of its own, so that each
/// link is an app of its own.
enum PlayerPages {
  private static let path = "/sent/{sent}"
  private static let player = "/portfolio/player"
  /// The link is a secret: no search engine lists it. All pages of the hub keep their addresses from other sites.
  private static let discreet = [Response.Field("X-Robots-Tag", "noindex")]

  static func add(to router: inout Router, of hub: Hub) {
    WebShell.addPage("\(path)/", showing: "\(player)/index.html", of: hub, to: &router, with: discreet) { _ in nil }
    WebShell.addPage(
      "\(path)/worker.js", showing: "\(player)/worker.js", of: hub, to: &router, with: discreet
    ) { _ in nil }
    router.on(
      .get, path, rate: .questions,
      .immediate { request in
        var response = Response.moved(to: "/sent/\(name(request))/")
        response.fields += discreet
        return response
      })
    router.on(
      .get, "\(path)/app.webmanifest", rate: .questions,
      .task { request throws(HTTPError) in try await manifest(name(request), hub) })
  }

  private static func name(_ request: Request) -> String {
    (request.parameters["sent"] ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  /// The manifest has the title, unless there is a PIN.
  private static func manifest(_ link: String, _ hub: Hub) async throws(HTTPError) -> Response {
    let now = hub.time.now
    let title = try await hub.look { database throws(StoreError) -> String? in
      guard let sent = try database.sent(link), sent.isOpen(at: now), sent.pin.isEmpty else { return nil }
      return sent.title
    }
    let scope = "/sent/\(link)/"
    let json: JSON = [
      "name": .string(title ?? "Portfolio"), "start_url": .string(scope), "scope": .string(scope), "id": .string(scope),
      "display": "standalone", "background_color": "#0d0e10", "theme_color": "#0d0e10",
      "icons": [
        ["src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"],
        ["src": "/apple-touch-icon.png", "sizes": "180x180", "type": "image/png"],
      ],
    ]
    return Response(
      contentType: "application/manifest+json", body: .bytes(Array(json.text.utf8)), cacheControl: "private, no-cache",
      fields: discreet)
  }
}
