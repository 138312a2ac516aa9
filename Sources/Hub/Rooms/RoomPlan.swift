public import Server
public import Settings
public import Store

/// Says what a room is: all that the hub and its commands compose from their list of rooms, but for its pages, which
/// say of themselves what they are (`Web/room.js`).
public struct RoomPlan: Sendable {
  /// Its tables, addresses, commands and tasks begin with it: lowercase letters and digits.
  public let id: String
  /// Its name in English, for `--help`.
  public let name: String
  /// What it is for, in one sentence in English, for `--help`.
  public let summary: String
  public var migrations: [Migration]
  /// What the owner can set, beside the hub's own settings: read by `hub.options`.
  public var options: [Setting]
  /// Its errors, beside those of the hub.
  public var errors: [ErrorCode]
  /// What one may do in it, and who may.
  public var rights: [Right]
  public var channels: [PrivateChannels]
  /// What of it ends with a device that is lost.
  public var belongings: [DeviceBelonging]
  public var commands: [RoomCommand]
  /// What a backup does not hold of it: a sentence in English; nil if it holds all.
  public var backupNote: String?

  public init(
    id: String, name: String, summary: String, migrations: [Migration] = [], options: [Setting] = [],
    errors: [ErrorCode] = [], rights: [Right] = [], channels: [PrivateChannels] = [],
    belongings: [DeviceBelonging] = [], commands: [RoomCommand] = [], backupNote: String? = nil
  ) {
    self.id = id
    self.name = name
    self.summary = summary
    self.migrations = migrations
    self.options = options
    self.errors = errors
    self.rights = rights
    self.channels = channels
    self.belongings = belongings
    self.commands = commands
    self.backupNote = backupNote
  }
}
