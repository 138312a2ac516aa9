/// The limits of this room, each with its reason.
enum AppsLimits {
  /// Apps of a hub. All of them are in memory, a kilobyte each.
  static let apps = 2_000
  /// Seconds for which an old secret counts after another was made, so that servers can be changed one by one.
  static let oldSecretSeconds = 86_400.0
  /// Secrets that count at a time: each request may be compared with all of them.
  static let secrets = 4
  /// Unknown keys that are remembered, so that asking for them again does not ask the store.
  static let unknownKeys = 1_000

  /// Bytes of randomness in a key, which is no secret, and in a secret.
  static let keyBytes = 10
  static let secretBytes = 20
  /// The numbers of apps. They are drawn from so many that the number of a removed app does not come again.
  static let ids = 100_000_000...9_999_999_999

  // MARK: Options

  /// Events that a channel keeps for those who come back, and for how many seconds.
  static let historyCount = 0...1_000
  static let historySeconds = 0...3_600
  /// Connections, and messages of a day; 0 sets no limit.
  static let connections = 0...1_000_000
  static let messages = 0...1_000_000_000
  static let webhooks = 5
  /// Bytes of a webhook's address.
  static let address = 2_000

  // MARK: Usage

  /// Seconds between two moments at which counts are written: as much is lost by a power failure.
  static let writeSeconds = 60.0
  /// Days for which the hours of an app are kept.
  static let usageDays = 35
  /// Rows that are removed in one transaction.
  static let removedPerCommit = 2_000

  // MARK: The page

  /// Seconds for which somebody watches after they have said so. The page says it again in time.
  static let watchSeconds = 60.0
  /// Apps whose events are watched at a time.
  static let watched = 20
  /// Seconds in which events are collected before they are shown together, and the most of them; what is beyond is
  /// counted.
  static let consoleSeconds = 0.25
  static let consoleEntries = 100
  /// Bytes of an event's data that are shown.
  static let consoleData = 2_000
  /// Channels in a list, those of them whose members are shown, and members of each.
  static let channels = 500
  static let presenceShown = 50
  static let members = 100
}
