import Hub

extension Right {
  /// Drops and weighs the anchor, arms the watch, and answers its alarms.
  static let keepAnchorWatch = Right("anchor.watch", of: Set(Role.ofPeople), "keeps the anchor watch")
  /// To be woken by its alarms after those who have asked for it.
  static let beWoken = Right("anchor.be-woken", of: [.owner])
}
