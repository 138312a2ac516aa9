import Hub

/// The rights of this room.
extension Right {
  /// To send notifications to everybody, and to read why each did or did not arrive.
  static let send = Right("bells.send", of: [.owner], "sends notifications to everybody")
  /// To have notifications posted to other programs, and to let other programs make some.
  static let hooks = Right("bells.hooks", of: [.owner], "connects other programs by webhooks")
  /// To register apps' own views of notifications.
  static let views = Right("bells.views", of: [.owner], "registers apps' views of notifications")
}

extension Principal {
  /// True for those who send to everybody, and see and change what all have sent. A token that is limited to topics is
  /// none of them, whatever its role.
  var sendsToAll: Bool { topics == nil && may(.send) }
}
