/// Ringing again until somebody acts.
public struct Repetition: Equatable, Sendable {
  /// Seconds from one ring to the next.
  public var every: Double
  /// The number of rings after the first one.
  public var limit: Int
  /// The recipients who are rung if nobody has acted after the last ring.
  public var then: [Recipient]

  public init(every: Double, limit: Int, then: [Recipient] = []) {
    self.every = every
    self.limit = limit
    self.then = then
  }

  /// The step to take when the time of a ring has come.
  enum Step: Equatable {
    /// Ring again; the value is the number of rings with this one, the first not counted.
    case ring(Int)
    /// Ring the recipients in `then`, and end the repetition.
    case handOver
    case end
  }

  /// - Parameter done: the number of rings so far, the first not counted.
  func step(done: Int) -> Step {
    if done < limit { return .ring(done + 1) }
    return then.isEmpty ? .end : .handOver
  }

  /// The time of the next step. After an outage one ring makes up for all that were missed.
  func next(after due: Double, now: Double) -> Double {
    // The clock may have been ahead when it was written.
    let due = min(due, now)
    return due + every > now ? due + every : now + every
  }
}
