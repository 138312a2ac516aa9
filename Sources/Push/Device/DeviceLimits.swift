/// The limits of this module.
public enum DeviceLimits {
  // MARK: Connection
  /// Seconds that the hub has to greet a device after its hello.
  public static let welcomeSeconds = 10.0
  /// Seconds until the hub must have answered a ping; a mobile network that wakes up takes several.
  public static let pongSeconds = 15.0
  /// Seconds between two pings at first: home routers keep an idle connection for 60 s at least.
  public static let firstPing = 30.0
  /// Seconds between two pings at least and at most. Beyond the latter nothing is saved, and a dead connection would
  /// stay unnoticed for longer.
  public static let pings = 10.0...900.0
  /// Answered pings after which an interval that was too long once is tried again: a cable that was pulled looks the
  /// same as a router that forgets.
  static let pongsToForget = 24
  /// Seconds before the first attempt to connect again, and the most; each lies between half of it and all of it by
  /// chance, so that the devices of a hub that was restarted do not come at the same moment.
  static let retry = 1.0...60.0
  /// Seconds of a connection after which the hub counts as reachable again.
  static let steadySeconds = 60.0
  /// Seconds by which the clocks of device and hub may differ before the hub's counts.
  static let clockSeconds = 30.0

  // MARK: Notifications
  /// Notifications that wait to be shown. The hub sends 64 that are not acknowledged; with their withdrawals, and
  /// requests of the device's own.
  static let waiting = 256
  /// Notifications whose showing is remembered. The hub keeps 1,000 pending ones for a device at most.
  public static let remembered = 2_048
  /// Responses that wait for the hub.
  public static let responses = 64
  /// Bytes of an identifier or a collapse id (Web Push allows 32 for the latter, APNs 64).
  static let identifierBytes = 128
  /// Bytes of each of the two files of the record.
  static let recordBytes = 1 << 20
  /// Bytes of a file from which on it is written anew into the other one.
  static let recordFullBytes = recordBytes * 3 / 4
  /// Bytes of the record at most when it is written anew: beyond them the oldest is forgotten, so that a file has room
  /// for what comes. All of the above takes 400 KB with identifiers as hubs make them, and three times that at worst.
  static let recordCopyBytes = recordFullBytes * 3 / 4

  // MARK: Requests of the device's own
  /// Bytes of a request's file.
  static let requestBytes = 64 << 10
  /// Bytes of the file with the device's place.
  static let positionBytes = 4096
  /// Bytes of a file that is copied into memory: of a track the newest two days.
  static let copiedBytes = 12 << 20
  /// Files of requests that are read or written at once, so that other work has its turn.
  static let requestsAtOnce = 64
}
