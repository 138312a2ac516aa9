import Server

/// This room's errors.
extension ErrorCode {
  static let noSuchApp = Self(40480)
  static let tooManyApps = Self(40980)
  static let tooManySecrets = Self(40981)
  static let appIsOff = Self(40982)
  static let objectsRefused = Self(40080)
  static let parseUnauthorized = Self(40380)
  static let objectMissing = Self(40481)
  static let objectsFailed = Self(50080)

  /// All codes of the room.
  static let ofApps: [ErrorCode] = [
    .noSuchApp, .tooManyApps, .tooManySecrets, .appIsOff, .objectsRefused, .parseUnauthorized, .objectMissing,
    .objectsFailed,
  ]
}
