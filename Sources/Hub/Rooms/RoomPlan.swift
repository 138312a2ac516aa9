public import Server
public import Store

/// Says what a room is: all that the hub and its commands compose from their list of rooms, but for its pages, which
/// say of themselves what they are (`Web/room.js`).
public struct RoomPlan: Sendable {
  /// Its tables, addresses and tasks begin with it: lowercase letters and digits.
  public let id: String
  /// Its name in English, for `--help`.
  public let name: String
  public var migrations: [Migration]
  /// Its errors, beside those of the hub.
  public var errors: [ErrorCode]
  /// What one may do in it, and who may.
  public var rights: [Right]
  public var channels: [PrivateChannels]

  public init(
    id: String, name: String, migrations: [Migration] = [], errors: [ErrorCode] = [], rights: [Right] = [],
    channels: [PrivateChannels] = []
  ) {
    self.id = id
    self.name = name
    self.migrations = migrations
    self.errors = errors
    self.rights = rights
    self.channels = channels
  }
}
