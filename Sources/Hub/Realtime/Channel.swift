import Realtime
public import Wire

/// A live channel of the hub. A room declares its own once, for whoever publishes on it and for its plan, which says
/// who may listen.
public struct Channel: Hashable, Sendable {
  /// The name to which clients subscribe.
  public let name: String

  /// A channel to which everybody may listen.
  public init(_ name: String) { self.name = name }

  /// One for those whom a room's plan lets listen: "private-NAME".
  public static func `private`(_ name: String) -> Channel { Channel("private-\(name)") }

  /// One of several whose names begin alike: "NAME-ID".
  public func of(_ id: String) -> Channel { Channel("\(name)-\(id)") }

  /// For all members.
  public static let members = Channel.private("members")
  static let persons = Channel.private("person")
  /// For one person, on all of the person's devices.
  public static func person(_ id: Int) -> Channel { persons.of("\(id)") }
}

extension Hub {
  /// Sends a live event that reports no change of the store: whoever misses it learns the same by asking.
  /// - Parameter data: called once, and only if there is a listener.
  public func publish(
    _ event: String, on channel: Channel, _ data: @escaping @Sendable @autoclosure () -> JSON
  ) {
    guard let cluster else { return channels.publish(event, on: channel.name, data()) }
    let data = data()
    channels.publish(event, on: channel.name, data)
    cluster.passAtOnce(PassedEvent(event: event, channel: channel.name, data: data))
  }
}
