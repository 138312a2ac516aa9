import Server

extension Hub {
  /// Serves people, devices, links and tokens.
  func addIdentityRoutes(to router: inout Router) {
    SessionRoutes(hub: self).add(to: &router)
    PasskeyRoutes(hub: self).add(to: &router)
    LinkRoutes(hub: self).add(to: &router)
    DeviceRoutes(hub: self).add(to: &router)
    PeopleRoutes(hub: self).add(to: &router)
    HistoryRoutes(hub: self).add(to: &router)
    TokenRoutes(hub: self).add(to: &router)
  }
}
