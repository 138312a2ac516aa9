import Hub

/// What one may do in this room.
extension Right {
  /// Turns the sign.
  static let turn = Right("space.turn", of: [.owner, .keykeeper])
  /// Reports the contact on the door, and sensors.
  static let report = Right("space.report", of: [.owner, .keykeeper, .sensor])
  /// Follows other spaces for oneself.
  static let follow = Right("space.follow", of: Set(Role.ofPeople))
  /// Says that somebody who opens is wanted for an event.
  static let wantOpener = Right("programme.want-opener", of: Set(Role.ofPeople))
  /// Opens for an event.
  static let openFor = Right("programme.open-for", of: [.owner, .keykeeper])
}
