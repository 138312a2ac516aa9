import Hub

enum ClockCommands {
  static let all = [ScheduleCommand.command, DevicesCommand.command] + VoiceCommands.all
}
