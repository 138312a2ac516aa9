public import Analysis
import Graph

/// One look at a process: the results, and the cost.
public struct Look: Sendable {
  public var examination: Examination
  /// "copy-on-write" or "stopped".
  public let method: String
  /// The seconds for which the process was stopped, and the seconds that the look took.
  public let stopSeconds: Double
  public let seconds: Double
  /// The source as given by the user, for hints: a process' number, or a snapshot's name.
  public let source: String
  /// The time, in seconds since 1970; nil if unknown.
  public let takenAt: Double?
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
  /// The process, and its extent.
  var title: String { "\(examination.graph.processName) (process \(examination.graph.process))" }
  var extent: String {
    "\(counted(examination.graph.count, "block")), \(size(examination.graph.totalBytes))"
  }

  /// True for a look at a process, false for a snapshot.
  var isLive: Bool { source == "\(examination.graph.process)" }

  public func weighed() -> Look {
    var look = self
    look.examination.weigh()
    return look
  }
}
