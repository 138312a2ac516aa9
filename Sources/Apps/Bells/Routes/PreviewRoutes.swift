import Hub
import Lifecycle
import Server
import Wire

/// How a notification will look, before it is sent.
struct PreviewRoutes: Sendable {
  let hub: Hub

  static let path = "\(NotificationRoutes.path)/preview"

  func add(to router: inout Router) {
    router.on(.post, Self.path, admit: hub.needs(.enter), .task(preview))
  }

  private func preview(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .enter)
    let json = try request.json()
    let wish = try FieldErrors.refused(help: PreviewWish.help, PreviewWish(json))
    return Response(json: PushPreview(wish, now: hub.time.now, address: hub.address(request)).json).notStored()
  }
}
