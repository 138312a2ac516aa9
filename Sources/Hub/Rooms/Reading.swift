import Observe

/// A room's metric at /metrics, as `eightbells_ROOM_NAME`.
public struct Reading: Sendable {
  public enum Kind: Sendable {
    /// Can go up and down.
    case gauge
    /// Can only grow; its name ends in `_total`.
    case counter
  }
  let kind: Kind
  let name: String
  let help: String
  let value: @Sendable () -> Double

  /// - Parameters:
  ///   - name: the part after the room's id, with its unit: "oldest_seconds".
  ///   - value: called on any thread, so it must neither block nor need a loop; returns NaN when unknown.
  public init(_ name: String, _ kind: Kind = .gauge, help: String, value: @escaping @Sendable () -> Double) {
    (self.kind, self.name, self.help, self.value) = (kind, name, help, value)
  }

  func add(to metrics: Metrics, of room: String) {
    let name = "eightbells_\(room)_\(name)"
    switch kind {
    case .gauge: metrics.gauge(name, help: help, reading: value)
    case .counter: metrics.counter(name, help: help, reading: value)
    }
  }
}
