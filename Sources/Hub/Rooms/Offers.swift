import Synchronization

/// A value that one room provides for others, which do not know that room, but the offer's name and type.
public struct Offer<Value: Sendable>: Sendable {
  let name: String

  /// - Parameter name: unique among all offers.
  public init(_ name: String) { self.name = name }
}

/// The offers of the rooms that are on. A room makes its offers when it is opened and reads those of others when it
/// needs them: others may be opened later, or be switched off.
public final class Offers: Sendable {
  private let made = Mutex<[String: any Sendable]>([:])

  package init() {}

  public func make<Value: Sendable>(_ offer: Offer<Value>, _ value: Value) {
    made.withLock { $0[offer.name] = value }
  }

  /// Nil if no room that is on makes it.
  public subscript<Value: Sendable>(offer: Offer<Value>) -> Value? { made.withLock { $0[offer.name] as? Value } }
}
