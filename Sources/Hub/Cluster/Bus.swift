/// Carries short messages to the other hubs on the same database server, each at most once: whoever misses one reads
/// the same from the server a moment later.
public protocol Bus: Sendable {
  /// True while messages arrive.
  var isUp: Bool { get }
  /// Begins to listen.
  /// - Parameters:
  ///   - key: what only the hubs of one database know.
  ///   - take: called for each message of another hub.
  ///   - changed: called when messages arrive, or do so no more.
  func begin(
    key: [UInt8], _ take: @escaping @Sendable ([UInt8]) -> Void, changed: @escaping @Sendable (_ isUp: Bool) -> Void)
  func send(_ message: [UInt8])
  /// Sends to those who listen to a topic: letters, digits and points. Messages arrive in the order of the calls, as
  /// far as they do.
  func send(_ message: [UInt8], to topic: String)
  /// Listens to a topic as well, or, without somebody who takes its messages, no more.
  func listen(to topic: String, _ take: (@Sendable ([UInt8]) -> Void)?)
  /// Calls back once what was asked before holds: from then on no message of a topic is missed. Also if there is no
  /// connection. Never called before this returns.
  func whenTaken(_ work: @escaping @Sendable () -> Void)
  func end()
}

/// A bus that cannot be, with the reason in words.
public struct BusError: Error, Equatable, Sendable {
  public let message: String
}

/// Without a bus hubs look at the server from time to time.
public struct NoBus: Bus {
  public init() {}
  public var isUp: Bool { false }
  public func begin(
    key: [UInt8], _ take: @escaping @Sendable ([UInt8]) -> Void, changed: @escaping @Sendable (Bool) -> Void
  ) {}
  public func send(_ message: [UInt8]) {}
  public func send(_ message: [UInt8], to topic: String) {}
  public func listen(to topic: String, _ take: (@Sendable ([UInt8]) -> Void)?) {}
  public func whenTaken(_ work: @escaping @Sendable () -> Void) {}
  public func end() {}
}
