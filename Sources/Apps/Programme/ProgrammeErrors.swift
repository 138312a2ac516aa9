import Server

/// This room's errors.
extension ErrorCode {
  static let noSuchEvent = Self(40403)
  static let noSuchCalendar = Self(40460)
  static let noEventAlbums = Self(40461)
  static let tooManyCalendarFiles = Self(40960)
  static let tooManyFavourites = Self(40961)
  static let tooManyOpenings = Self(40962)
  static let eventIsOver = Self(40963)
  static let unsupportedCalendar = Self(41560)
  static let feedTooLarge = Self(50360)

  /// All codes of the room.
  static let ofProgramme: [ErrorCode] = [
    .noSuchEvent, .noSuchCalendar, .noEventAlbums, .tooManyCalendarFiles, .tooManyFavourites, .tooManyOpenings,
    .eventIsOver, .unsupportedCalendar, .feedTooLarge,
  ]
}
