public import Server
public import Settings
public import Store

/// The description of a room: everything that the hub and its commands compose from their list of rooms, except for its
/// pages, which describe themselves (`Web/room.js`).
public struct RoomPlan: Sendable {
  /// The room's id, with which its tables, addresses, commands and tasks begin: lower-case letters and digits.
  public let id: String
  /// Its name in English, for `--help`.
  public let name: String
  /// Its purpose in one English sentence, for `--help`.
  public let summary: String
  public var migrations: [Migration]
  /// The owner's settings for it, read by `hub.options`.
  public var options: [Setting]
  /// Its error codes, in addition to the hub's.
  public var errors: [ErrorCode]
  /// Its rights.
  public var rights: [Right]
  public var channels: [PrivateChannels]
  /// Its belongings of devices, which end with a lost device.
  public var belongings: [DeviceBelonging]
  /// The topics that it rings.
  public var topics: [BellTopic]
  /// The word for those it makes while it runs that have a number for a name, as "Calendar 2".
  public var numbered: Bell.Words?
  /// The right to ring its drill; nil for owners alone.
  public var drill: Right?
  /// The name of its drill. Only a room without topics needs one, which says itself whom it would wake (`Room.woken`).
  public var drillName: Bell.Words?
  /// Its own views of what it rings.
  public var views: [BellView]
  /// True if its page shows documents of the hub in frames.
  public var showsFrames: Bool
  public var commands: [RoomCommand]
  /// The first words of its commands: its id, or others if the commands are about things people know by other names.
  public var commandWords: [String]
  /// The actions of its audit that everybody who belongs here may read in the history; the others are for owners.
  public var history: [String]
  /// The parts that a backup does not contain, as an English sentence; nil if it contains all.
  public var backupNote: String?

  public init(
    id: String, name: String, summary: String, migrations: [Migration] = [], options: [Setting] = [],
    errors: [ErrorCode] = [], rights: [Right] = [], channels: [PrivateChannels] = [],
    belongings: [DeviceBelonging] = [], topics: [BellTopic] = [], numbered: Bell.Words? = nil,
    drill: Right? = nil, drillName: Bell.Words? = nil, views: [BellView] = [], showsFrames: Bool = false,
    commands: [RoomCommand] = [], commandWords: [String]? = nil, history: [String] = [], backupNote: String? = nil
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
    self.topics = topics
    self.numbered = numbered
    self.drill = drill
    self.drillName = drillName
    self.views = views
    self.showsFrames = showsFrames
    self.commands = commands
    self.commandWords = commandWords ?? [id]
    self.history = history
    self.backupNote = backupNote
  }
}
