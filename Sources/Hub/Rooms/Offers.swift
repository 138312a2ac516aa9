import Synchronization

/// What one room has for the others, which do not know it: they know the name and the type of what is offered.
public struct Offer<Value: Sendable>: Sendable {
  let name: String

  /// - Parameter name: no other offer has it.
  public init(_ name: String) { self.name = name }
}

/// What the rooms that are on offer each other. A room makes its offers when it is opened, and asks for those of others
/// when it needs them: it may be opened before they are, and they may be switched off.
public final class Offers: Sendable {
  private let made = Mutex<[String: any Sendable]>([:])

  package init() {}

  public func make<Value: Sendable>(_ offer: Offer<Value>, _ value: Value) {
    made.withLock { $0[offer.name] = value }
  }

  /// Nil where no room that is on makes it.
  public subscript<Value: Sendable>(offer: Offer<Value>) -> Value? { made.withLock { $0[offer.name] as? Value } }
}
