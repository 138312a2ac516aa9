import Hub

/// Names that are no topics right behind the first slash, since the hub has other things there, or will have. The
/// topics of such names are at `/t/NAME`, as all are.
enum NtfyNames {
  static let reserved: Set<String> = [
    "space", "programme", "bells", "clock", "anchor", "album", "albums", "app", "apps", "parse", "portfolio", "player",
    "gateway", "docs", "settings", "people", "me", "join", "api", "3", "health", "metrics",
    // Further addresses of the hub, and of ntfy's own interface.
    "t", "v1", "events", "pages", "healthz", "styleguide", "missing", "offline", "history", "search",
    "screen", "sent",
  ]

  static func reserved(of hub: Hub) -> Set<String> { reserved.union(hub.roomList.plans.map(\.id)) }
}
