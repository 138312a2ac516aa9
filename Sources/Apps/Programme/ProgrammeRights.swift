import Hub

/// What one may do in this room.
extension Right {
  /// Says that somebody who opens is wanted for an event.
  static let wantOpener = Right(
    "programme.want-opener", of: Set(Role.ofPeople), "asks for somebody who opens for an event")
  /// Opens for an event.
  static let openFor = Right("programme.open-for", of: [.owner, .keykeeper], "opens for events")
}
