/// The way to the other hubs on the same database server: what is sent reaches each of them at most once, and in the
/// order of the calls.
public struct PeerLink: Sendable {
  /// The topic to which every hub listens.
  public static let all = "apps"

  /// This hub's name among them.
  let hub: String
  let send: @Sendable (_ message: [UInt8], _ topic: String) -> Void
  let listen: @Sendable (_ topic: String, _ heard: @escaping @Sendable () -> Void) -> Void
  let leave: @Sendable (_ topic: String) -> Void

  /// - Parameters:
  ///   - send: called while others wait: it must return at once.
  ///   - listen: begins to hear of a topic beside `all`, and calls `heard`, later than it returns, once nothing of it
  ///     is missed; called alike.
  ///   - leave: ends it; called alike.
  public init(
    hub: String, send: @escaping @Sendable (_ message: [UInt8], _ topic: String) -> Void,
    listen: @escaping @Sendable (_ topic: String, _ heard: @escaping @Sendable () -> Void) -> Void,
    leave: @escaping @Sendable (_ topic: String) -> Void
  ) {
    (self.hub, self.send, self.listen, self.leave) = (hub, send, listen, leave)
  }

  /// The topic of the events of an app, for hubs with connections of it.
  static func topic(of app: String) -> String { "app.\(app)" }
}
