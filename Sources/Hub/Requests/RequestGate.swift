public import Server
import Synchronization

/// Lets so many requests in at a time, and refuses others: those that cost the hub work as long as they last.
public final class RequestGate: Sendable {
  private let inside = Mutex<[String: Int]>([:])
  private let most: Int
  private let each: Int
  private let refusal: HTTPError

  /// - Parameters:
  ///   - each: the most of one caller.
  ///   - refusal: thrown at whoever finds it full.
  public init(_ most: Int, each: Int = .max, refusal: HTTPError) {
    (self.most, self.each, self.refusal) = (most, each, refusal)
  }

  /// A place inside, which is free again when this goes.
  public final class Place: Sendable {
    private let gate: RequestGate
    private let caller: String

    fileprivate init(_ gate: RequestGate, _ caller: String) { (self.gate, self.caller) = (gate, caller) }
    deinit {
      gate.inside.withLock { inside in
        let left = (inside[caller] ?? 1) - 1
        inside[caller] = left > 0 ? left : nil
      }
    }
  }

  /// - Parameter caller: such as the address of whoever sends the request.
  /// - Throws: the refusal while so many are inside.
  public func enter(for caller: String = "") throws(HTTPError) -> Place {
    let mayEnter = inside.withLock { inside in
      guard inside.values.reduce(0, +) < most, inside[caller] ?? 0 < each else { return false }
      inside[caller, default: 0] += 1
      return true
    }
    guard mayEnter else { throw refusal }
    return Place(self, caller)
  }
}
