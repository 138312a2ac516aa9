import Hub

/// The rights of this room.
extension Right {
  /// To request an opener for an event.
  static let wantOpener = Right(
    "programme.want-opener", of: Set(Role.ofPeople), "asks for somebody who opens for an event")
  /// To be an opener of an event.
  static let openFor = Right(
    "programme.open-for", of: [.owner, .keykeeper], isPersonal: true, "opens for events")
}
