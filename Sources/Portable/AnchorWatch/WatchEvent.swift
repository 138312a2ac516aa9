/// A thing that the watch has to say.
public enum WatchKind: UInt8, Equatable, Sendable, CaseIterable {
  case gap, positionLost, positionBack, warning, alarm, clear, creep, windShift, depth

  /// As it is written in JSON.
  public var name: StaticString {
    switch self {
    case .gap: "gap"
    case .positionLost: "position lost"
    case .positionBack: "position back"
    case .warning: "warning"
    case .alarm: "alarm"
    case .clear: "clear"
    case .creep: "creep"
    case .windShift: "wind shift"
    case .depth: "depth"
    }
  }
}

public struct WatchEvent: Equatable, Sendable {
  /// Seconds since 1970.
  public var at: Double
  public var kind: WatchKind
  /// Metres from the anchor, as last known.
  public var distance: Double

  public init(at: Double, kind: WatchKind, distance: Double) {
    (self.at, self.kind, self.distance) = (at, kind, distance)
  }
}

public enum WatchState: UInt8, Equatable, Sendable, CaseIterable {
  /// No position yet; all well; near the edge; outside; no position any more.
  case waiting, holding, warning, alarm, lost

  public var name: StaticString {
    switch self {
    case .waiting: "waiting"
    case .holding: "holding"
    case .warning: "warning"
    case .alarm: "alarm"
    case .lost: "lost"
    }
  }
}
