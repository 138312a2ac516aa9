import Hub

extension Right {
  /// Drops and weighs the anchor, arms the watch, and answers its alarms.
  static let keepAnchorWatch = Right("anchor.watch", of: Set(Role.ofPeople), "keeps the anchor watch")
}
