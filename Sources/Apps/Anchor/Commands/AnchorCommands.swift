import Hub

enum AnchorCommands {
  static let all: [RoomCommand] = WatchCommands.all + [ReplayCommand.command, LeasesCommand.command]
}
