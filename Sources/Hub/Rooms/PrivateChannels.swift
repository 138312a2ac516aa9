public import Store

/// Live channels with restricted listeners. A room lists its own in its plan.
public struct PrivateChannels: Sendable {
  /// The beginning of their names after "private-": the room's id, or one of the hub's.
  public let prefix: String
  /// The permitted listeners, in words for errors.
  public let meant: String
  let mayListen: @Sendable (_ principal: Principal, _ rest: Substring, Database) throws(StoreError) -> Bool

  /// - Parameter mayListen: returns true if somebody may listen to the channel with this name after the prefix.
  public init(
    _ prefix: String, meant: String, mayListen: @escaping @Sendable (_ principal: Principal, _ rest: Substring) -> Bool
  ) {
    self.prefix = prefix
    self.meant = meant
    self.mayListen = { principal, rest, _ throws(StoreError) in mayListen(principal, rest) }
  }

  /// The same where the store knows who may listen.
  public init(
    _ prefix: String, meant: String,
    asking mayListen: @escaping @Sendable (Principal, _ rest: Substring, Database) throws(StoreError) -> Bool
  ) {
    (self.prefix, self.meant, self.mayListen) = (prefix, meant, mayListen)
  }
}

/// The hub's own private channels.
public enum PrivateChannel {
  /// For all members.
  public static let members = "private-members"
  /// For one person, on all of the person's devices.
  public static func person(_ id: Int) -> String { "private-person-\(id)" }

  static let ofHub = [
    PrivateChannels("members", meant: "all members") { principal, rest in rest.isEmpty && principal.may(.listen) },
    PrivateChannels("person-", meant: "that person: private-person-ID") { principal, rest in
      principal.person.map { rest == "\($0)" } ?? false
    },
  ]
}

extension Hub {
  private static let privately = "private-"
  private var privateChannels: [PrivateChannels] {
    PrivateChannel.ofHub + rooms.flatMap { type(of: $0).plan.channels }
  }

  /// True if somebody may listen to a private channel.
  func mayListen(_ principal: Principal, to channel: String, in database: Database) throws(StoreError) -> Bool {
    guard channel.hasPrefix(Self.privately) else { return false }
    let name = channel.dropFirst(Self.privately.count)
    for channels in privateChannels where name.hasPrefix(channels.prefix) {
      if try channels.mayListen(principal, name.dropFirst(channels.prefix.count), database) { return true }
    }
    return false
  }

  /// The private channels in words.
  var privateChannelsInWords: String {
    privateChannels.map { "private-\($0.prefix) is for \($0.meant)" }.joined(separator: ", ") + "."
  }
}
