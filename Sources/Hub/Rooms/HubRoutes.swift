import Realtime
public import Server

extension Hub {
  /// Everything that is served: the pages, the hub's own routes and those of its rooms that are on.
  /// - Parameters:
  ///   - isDemo: whether the style guide is served too.
  ///   - limitsRates: whether a caller who asks too often is told to wait.
  public func router(isDemo: Bool = false, limitsRates: Bool = true) -> Router {
    let rates = limitsRates ? RequestRates(time: time) { [self] request in await callerName(request) } : nil
    var router = Router(rates: rates)
    WebShell.addRoutes(to: &router, of: self, isDemo: isDemo)
    addManifest(to: &router)
    addTouchIcon(to: &router)
    addOperationRoutes(to: &router)
    addIdentityRoutes(to: &router)
    addRoomRoutes(to: &router)
    channels.addRoutes(to: &router)
    addChannelRoutes(to: &router)
    addPlaceRoute(to: &router)
    SettingsView(hub: self).add(to: &router)
    for room in rooms { room.addRoutes(to: &router) }
    return router
  }
}
