import Hub

/// What one may do in this room.
extension Right {
  /// Turns the sign.
  static let turn = Right("space.turn", of: [.owner, .keykeeper], "turns the sign")
  /// Reports the contact on the door, and sensors.
  static let report = Right("space.report", of: [.owner, .keykeeper, .sensor], "reports the door and the sensors")
  /// Follows other spaces for oneself.
  static let follow = Right("space.follow", of: Set(Role.ofPeople), "follows other spaces")
}
