import Server
import Wire

/// The events that Parse's libraries count for analyses. They are taken, so that an app which sends them works, and not
/// kept, as with a Parse Server that has no adapter for them.
struct EventRoutes: Sendable {
  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/events/{name}") { _ throws(HTTPError) in ParseAnswer(json: [:]) }
  }
}
