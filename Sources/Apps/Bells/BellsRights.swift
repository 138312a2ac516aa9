import Hub

/// The rights of this room.
extension Right {
  /// To send notifications to everybody, and to read why each did or did not arrive.
  static let send = Right("bells.send", of: [.owner], "sends notifications to everybody")
  /// To have devices rung, and to choose what rings them.
  static let beRung = Right("bells.be-rung", of: Set(Role.ofPeople), "is rung")
}
