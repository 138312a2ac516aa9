public import Lifecycle

/// The time by which hubs on one database server do what is planned: each looks for it, so the clock that is ahead of
/// the others would decide for all. It is this machine's, but never ahead of the server's; one that is behind makes its
/// own hub late, and another does it. Where the records are in a file, it is this machine's.
public struct SharedTime: TimeSource {
  private let hub: Hub

  public init(_ hub: Hub) { self.hub = hub }

  public var now: Double { hub.time.now + min(0, hub.cluster?.leases.serverAhead ?? 0) }
  public var uptime: Double { hub.time.uptime }
}
