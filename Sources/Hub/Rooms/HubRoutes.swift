import Realtime
public import Server

extension Hub {
  /// All routes: the pages, the hub's own and those of the rooms that are on.
  /// - Parameters:
  ///   - isDemo: true to serve the style guide too.
  ///   - limitsRates: true to limit how often a caller may send requests.
  public func router(isDemo: Bool = false, limitsRates: Bool = true) -> Router {
    let rates = RequestRates(time: time, isLimiting: limitsRates) { [self] request in await callerName(request) }
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
