public import Server
import Synchronization

/// Lets so many requests in at a time, and refuses others: those that cost the hub work as long as they last.
public final class RequestGate: Sendable {
  private let count = Mutex(0)
  private let most: Int
  private let refusal: HTTPError

  /// - Parameter refusal: thrown at whoever finds it full.
  public init(_ most: Int, refusal: HTTPError) { (self.most, self.refusal) = (most, refusal) }

  /// A place inside, which is free again when this goes.
  public final class Place: Sendable {
    private let gate: RequestGate

    fileprivate init(_ gate: RequestGate) { self.gate = gate }
    deinit { gate.count.withLock { $0 -= 1 } }
  }

  /// - Throws: the refusal while so many are inside.
  public func enter() throws(HTTPError) -> Place {
    let mayEnter = count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
    guard mayEnter else { throw refusal }
    return Place(self)
  }
}
