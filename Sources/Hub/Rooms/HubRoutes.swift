import Realtime
public import Server

extension Hub {
  /// All routes: the pages, the hub's own and those of the rooms that are on.
  /// - Parameter isDemo: true to serve the style guide too.
  public func router(isDemo: Bool = false) -> Router {
    var router = Router()
    WebShell.addRoutes(to: &router, of: self, isDemo: isDemo)
    addManifest(to: &router)
    addOperationRoutes(to: &router)
    addIdentityRoutes(to: &router)
    addRoomRoutes(to: &router)
    channels.addRoutes(to: &router)
    addChannelRoutes(to: &router)
    for room in rooms { room.addRoutes(to: &router) }
    return router
  }
}
