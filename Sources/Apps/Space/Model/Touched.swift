import Store

/// What the room keeps in memory of the store.
extension Touch {
  static let sign = Touch("space.sign")
  static let spaceSettings = Touch("space.settings")
  static let sensors = Touch("space.sensors")
  static let spacePictures = Touch("space.pictures")
  static let followed = Touch("space.followed")
  /// Somebody is to be asked who opens.
  static let question = Touch("space.question")
}
