public import Analysis

/// One look at a process: what was found, and what it took.
public struct Look: Sendable {
  public var examination: Examination
  /// "copy-on-write" or "stopped".
  public let method: String
  /// Seconds that the process stood still, and that all of it took.
  public let stopSeconds: Double
  public let seconds: Double

  public init(_ examination: Examination, method: String, stopSeconds: Double, seconds: Double) {
    self.examination = examination
    self.method = method
    self.stopSeconds = stopSeconds
    self.seconds = seconds
  }
}
