import Realtime
public import Server

extension Hub {
  /// Everything that is served: the pages, the hub's own routes and those of its rooms that are on.
  /// - Parameter isDemo: whether the style guide is served too.
  public func router(isDemo: Bool = false) -> Router {
    var router = Router()
    WebShell.addRoutes(to: &router, of: self, isDemo: isDemo)
    addManifest(to: &router)
    addTouchIcon(to: &router)
    addOperationRoutes(to: &router)
    addIdentityRoutes(to: &router)
    addRoomRoutes(to: &router)
    channels.addRoutes(to: &router)
    addChannelRoutes(to: &router)
    for room in rooms { room.addRoutes(to: &router) }
    return router
  }
}
