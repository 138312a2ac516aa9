import Observe

/// A number that a room tells of itself at /metrics, as `eightbells_ROOM_NAME`.
public struct Reading: Sendable {
  public enum Kind: Sendable {
    /// Goes up and down.
    case gauge
    /// Only grows; its name ends in `_total`.
    case counter
  }
  let kind: Kind
  let name: String
  let help: String
  let value: @Sendable () -> Double

  /// - Parameters:
  ///   - name: behind the room's id, with its unit: "oldest_seconds".
  ///   - value: asked on any thread, so it must neither wait nor belong to a loop; NaN when unknown.
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
