import Store

/// What the room keeps in memory of the store, by app.
extension Touch {
  static let apps = Touch("apps.app")
  static let objects = Touch("apps.objects")
  static let hooks = Touch("apps.hooks")
  /// Letters wait to be sent.
  static let letters = Touch("apps.letters")
}
