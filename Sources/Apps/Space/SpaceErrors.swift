import Server

/// This room's errors.
extension ErrorCode {
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

  /// All codes of the room.
  static let ofSpace: [ErrorCode] = [
    .noSuchPicture, .noSuchTurn, .noContact, .noSuchSensorKind, .notFollowed, .turnedSince, .notUndoable,
    .tooManySensors, .tooManyFollowed, .unsupportedPicture, .brokenPicture,
  ]
}
