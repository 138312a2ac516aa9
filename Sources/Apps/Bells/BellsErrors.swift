import Server

/// This room's errors.
extension ErrorCode {
  static let topicNotAllowed = Self(40310)
  static let noSuchNotification = Self(40410)
  static let noSuchTopic = Self(40411)
  static let noSuchBellDevice = Self(40412)
  static let notificationIsOver = Self(40912)
  static let tooManySubscriptions = Self(40910)
  static let tooManyTopics = Self(40911)

  /// All codes of the room.
  static let ofBells: [ErrorCode] = [
    .topicNotAllowed, .noSuchNotification, .noSuchTopic, .noSuchBellDevice, .tooManySubscriptions, .tooManyTopics,
    .notificationIsOver,
  ]
}
