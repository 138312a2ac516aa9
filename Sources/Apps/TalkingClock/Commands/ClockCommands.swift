enum ClockCommands {
  static let all =
    [ScheduleCommand.command, RunCommand.command, SayCommand.command, DevicesCommand.command] + VoiceCommands.all
}
