public import Store

/// Live channels with restricted listeners. A room lists its own in its plan.
public struct PrivateChannels: Sendable {
  /// The name, or the beginning of several.
  private let name: String
  private let isOne: Bool
  /// The permitted listeners, in words for errors.
  private let meant: String
  private let mayListen: @Sendable (_ principal: Principal, _ id: Substring, Database) throws(StoreError) -> Bool

  /// One channel.
  public init(_ channel: Channel, meant: String, mayListen: @escaping @Sendable (Principal) -> Bool) {
    (name, isOne, self.meant) = (channel.name, true, meant)
    self.mayListen = { principal, _, _ throws(StoreError) in mayListen(principal) }
  }

  /// The channels `channel.of(id)`.
  /// - Parameter mayListen: is told the id, which a client may have made up.
  public init(
    of channel: Channel, meant: String,
    mayListen: @escaping @Sendable (Principal, _ id: Substring, Database) throws(StoreError) -> Bool
  ) {
    (name, isOne, self.meant, self.mayListen) = (channel.of("").name, false, meant, mayListen)
  }

  /// True if these are channels of this name to which somebody may listen.
  func allow(_ principal: Principal, _ channel: String, in database: Database) throws(StoreError) -> Bool {
    guard isOne ? channel == name : channel.hasPrefix(name) else { return false }
    return try mayListen(principal, channel.dropFirst(name.count), database)
  }

  var words: String { "\(name) is for \(meant)" }

  static let ofHub = [
    PrivateChannels(.members, meant: "all members") { $0.may(.listen) },
    PrivateChannels(of: .persons, meant: "that person: private-person-ID") { principal, id, _ in
      principal.person.map { id == "\($0)" } ?? false
    },
  ]
}

extension Hub {
  private var privateChannels: [PrivateChannels] {
    PrivateChannels.ofHub + rooms.flatMap { type(of: $0).plan.channels }
  }

  /// True if somebody may listen to a private channel.
  func mayListen(_ principal: Principal, to channel: String, in database: Database) throws(StoreError) -> Bool {
    for channels in privateChannels where try channels.allow(principal, channel, in: database) { return true }
    return false
  }

  /// The private channels in words.
  var privateChannelsInWords: String { privateChannels.map(\.words).joined(separator: ", ") + "." }
}
