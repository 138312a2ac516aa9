import Hub

extension Right {
  /// To make apps, to see their keys, channels and events, and to end them.
  static let manageApps = Right("apps.manage", of: [.owner], "makes apps of one's own")
}

extension Principal {
  /// True for those who manage apps. A token that is limited to topics of notifications is none of them.
  var managesApps: Bool { topics == nil && may(.manageApps) }
}
