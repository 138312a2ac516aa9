/// The limits of the room, each with its reason; those of delivery are in `DeliveryLimits`.
enum BellsLimits {
  /// Recipients named in one notification. Whoever addresses more uses a topic.
  static let recipients = 100
  /// Seconds for which a notification is worth delivering if its sender says nothing: four weeks, as push services
  /// keep theirs.
  static let lifetime = 28.0 * 86_400
  /// The longest such time, and the furthest time for which one can be scheduled: a year and a bit.
  static let furthest = 400.0 * 86_400
  /// Bytes of an Idempotency-Key, as the hub has it.
  static let idempotencyKey = 255
  /// Topics of a hub: people choose among them on one page.
  static let topics = 200
  /// Agents, which are made by commands.
  static let agents = 5_000
  /// Notifications in one answer.
  static let page = 50
  /// Notifications that are looked through for those of one sender.
  static let searched = 2_000
  /// Characters of a time zone's name, and of a secret or receipt: ours are shorter.
  static let zone = 64
  static let secret = 100
  /// Seconds within which delivery looks for what is due by itself (`DeliveryLimits`, with some to spare).
  static let soon = 15.0
  /// Waiting deliveries above which the doctor warns: ten devices whose queues are full.
  static let manyPending = 10_000
  /// Seconds for which a test rings: whoever pressed the button waits beside the device.
  static let testSeconds = 600.0
  /// Ids of notifications that are marked as seen at once.
  static let seenAtOnce = 200
  /// Seconds of "last week", for what a topic would have sent.
  static let week = 7 * 86_400.0
  /// Events of the live channel that one change sends, one for each person concerned; with more, pages ask again by
  /// themselves.
  static let told = 200
  /// Seconds after which a device that was made and has not come yet is worth a warning of the doctor.
  static let silence = 86_400.0
}
