/// The hubs on the same database server that are not heard over the bus: they have another one, or none, or it carries
/// their messages elsewhere, or hangs.
package struct UnheardHubs: Sendable {
  /// Seconds for which a hub may be silent: one that has just started, or lost its connection for a moment, is no news.
  package static let seconds = 15.0

  /// The uptime since which each was not heard.
  private var since: [String: Double] = [:]
  /// Their machines.
  package private(set) var hosts: [String] = []

  package init() {}

  /// - Parameter silent: the machines of the hubs that run and are not heard now.
  /// - Returns: true if they are others than before.
  package mutating func note(_ silent: [String: String], now: Double) -> Bool {
    since = Dictionary(uniqueKeysWithValues: silent.keys.map { ($0, since[$0] ?? now) })
    let before = hosts
    hosts = silent.filter { now - (since[$0.key] ?? now) >= Self.seconds }.values.sorted()
    return hosts != before
  }
}
