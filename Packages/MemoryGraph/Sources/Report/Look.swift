public import Analysis
import Graph

/// One look at a process: what was found, and what it took.
public struct Look: Sendable {
  public var examination: Examination
  /// "copy-on-write" or "stopped".
  public let method: String
  /// Seconds that the process stood still, and that all of it took.
  public let stopSeconds: Double
  public let seconds: Double
  /// How it was asked for, for hints: a process's number, or a snapshot's name.
  public let source: String
  /// When, in seconds since 1970; nil when that is not known.
  public let takenAt: Double?
  /// How many looks the verdict rests on.
  public let looks: Int

  public init(
    _ examination: Examination, method: String, stopSeconds: Double, seconds: Double, source: String? = nil,
    takenAt: Double? = nil, looks: Int = 1
  ) {
    self.examination = examination
    self.method = method
    self.stopSeconds = stopSeconds
    self.seconds = seconds
    self.source = source ?? "\(examination.graph.process)"
    self.takenAt = takenAt
    self.looks = looks
  }
}

extension Look {
  /// Whether a process was looked at just now, and no snapshot.
  var isLive: Bool { source == "\(examination.graph.process)" }

  /// The same with what each block keeps alive.
  public func weighed() -> Look {
    var examination = examination
    examination.weigh()
    return Look(
      examination, method: method, stopSeconds: stopSeconds, seconds: seconds, source: source, takenAt: takenAt,
      looks: looks)
  }
}
