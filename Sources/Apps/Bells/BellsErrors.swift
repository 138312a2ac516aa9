import Server

/// This room's errors.
extension ErrorCode {
  static let topicNotAllowed = Self(40310)
  static let noSuchNotification = Self(40410)
  static let noSuchTopic = Self(40411)
  static let noSuchBellDevice = Self(40412)
  static let noSuchAttachment = Self(40419)
  static let nothingToDrill = Self(40413)
  static let noSuchWebhook = Self(40416)
  static let noSuchHook = Self(40417)
  static let noSuchView = Self(40418)
  static let notificationIsOver = Self(40912)
  static let tooManySubscriptions = Self(40910)
  static let tooManyTopics = Self(40911)
  static let tooManyScheduled = Self(40913)
  static let tooManyAttachments = Self(40919)
  static let unsupportedAttachment = Self(41519)
  static let tooManyHooks = Self(40916)
  static let keyRevoked = Self(40914)
  static let viewTaken = Self(40918)
  static let noMailServer = Self(40917)
  static let mailNotSent = Self(50310)
  static let mediaNotFetched = Self(50311)

  /// All codes of the room.
  static let ofBells: [ErrorCode] = [
    .topicNotAllowed, .noSuchNotification, .noSuchTopic, .noSuchBellDevice, .tooManySubscriptions, .tooManyTopics,
    .notificationIsOver, .tooManyScheduled, .noSuchAttachment, .tooManyAttachments, .unsupportedAttachment,
    .noSuchView, .viewTaken, .noSuchWebhook, .noSuchHook, .tooManyHooks, .keyRevoked, .noMailServer, .mailNotSent,
    .mediaNotFetched, .nothingToDrill,
  ]
}
