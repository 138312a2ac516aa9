import Store

/// What the room keeps in memory of the store, by app.
extension Touch {
  static let apps = Touch("apps.app")
  static let objects = Touch("apps.objects")
  static let hooks = Touch("apps.hooks")
  /// Sessions of users have ended.
  static let sessions = Touch("apps.sessions")
  /// Webhooks wait to be told of changes.
  static let calls = Touch("apps.calls")
  /// Letters wait to be sent.
  static let letters = Touch("apps.letters")
}
