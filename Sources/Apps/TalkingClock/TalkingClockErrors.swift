import Server

/// This room's errors.
extension ErrorCode {
  static let noSuchClockDevice = Self(40470)
  static let noSuchVoice = Self(40471)
  static let noSuchPart = Self(40472)
  static let tooManyVoices = Self(40970)
  static let voiceLacksParts = Self(40971)
  static let voiceTooLong = Self(40972)
  static let unsupportedRecording = Self(41570)

  /// All codes of the room.
  static let ofClock: [ErrorCode] = [
    .noSuchClockDevice, .noSuchVoice, .noSuchPart, .tooManyVoices, .voiceLacksParts, .voiceTooLong,
    .unsupportedRecording,
  ]
}
