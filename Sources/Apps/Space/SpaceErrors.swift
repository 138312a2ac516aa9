import Server

/// This room's errors.
extension ErrorCode {
  static let notSetUp = Self(40402)
  static let noSuchPicture = Self(40404)
  static let noSuchTurn = Self(40445)
  static let noContact = Self(40446)
  static let noSuchSensorKind = Self(40447)
  static let notFollowed = Self(40448)
  static let turnedSince = Self(40945)
  static let notUndoable = Self(40946)
  static let tooManySensors = Self(40947)
  static let tooManyFollowed = Self(40948)
  static let unsupportedPicture = Self(41501)
  static let brokenPicture = Self(41502)
  static let noSuchEvent = Self(40403)
  static let noSuchCalendar = Self(40460)
  static let tooManyCalendarFiles = Self(40960)
  static let tooManyFavourites = Self(40961)
  static let tooManyOpenings = Self(40962)
  static let eventIsOver = Self(40963)
  static let unsupportedCalendar = Self(41560)
  static let feedTooLarge = Self(50360)

  /// All of these.
  static let ofSpace: [ErrorCode] = [
    .notSetUp, .noSuchPicture, .noSuchTurn, .noContact, .noSuchSensorKind, .notFollowed, .turnedSince, .notUndoable,
    .tooManySensors, .tooManyFollowed, .unsupportedPicture, .brokenPicture, .noSuchEvent, .noSuchCalendar,
    .tooManyCalendarFiles, .tooManyFavourites, .tooManyOpenings, .eventIsOver, .unsupportedCalendar, .feedTooLarge,
  ]
}
