import Hub

/// The rights of this room.
extension Right {
  /// To turn the sign.
  static let turn = Right("space.turn", of: [.owner, .keykeeper], "turns the sign")
  /// To report the contact on the door, and sensors.
  static let report = Right("space.report", of: [.owner, .keykeeper, .sensor], "reports the door and the sensors")
  /// To follow other spaces for oneself.
  static let follow = Right("space.follow", of: Set(Role.ofPeople), "follows other spaces")
}
