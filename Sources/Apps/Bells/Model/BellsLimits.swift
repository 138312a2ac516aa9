import Delivery
import Notifications
import Server

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
  /// Reporters whose whereabouts are known, some 100 bytes of memory each, and the seconds for which these count: a
  /// phone that lies still tells its place rarely.
  static let reporters = 25_000
  static let whereaboutsLast = 3_600.0
  /// Notifications in one answer.
  static let page = 50
  /// Characters of a time zone's name, and of a secret or receipt: ours are shorter.
  static let zone = 64
  static let secret = 100
  /// Seconds within which delivery looks for what is due by itself (`DeliveryLimits`, with some to spare).
  static let soon = 15.0
  /// Waiting deliveries above which the doctor warns: ten devices whose queues are full.
  static let manyPending = 10_000
  /// Seconds over which the mail server has taken none until owners are told: one that has everybody try again later
  /// (greylisting) does so for minutes.
  static let mailSilence = 3_600.0
  /// Seconds for which a test rings: whoever pressed the button waits beside the device.
  static let testSeconds = 600.0
  /// Devices that a drill rings, and seconds for which it rings.
  static let drilled = 200
  static let drillSeconds = 600.0
  /// Seconds that a page may say it took for a silent notification: its clock may have slept.
  static let wokenSeconds = 86_400.0
  /// Seconds that an open page has for a silent notification.
  static let silentSeconds = NotificationLimits.silentSeconds
  /// Ids of notifications that are marked as seen at once.
  static let seenAtOnce = 200
  /// Seconds of the "last week" for which a topic's notifications are counted.
  static let week = 7 * 86_400.0
  /// Bytes of an attachment: a film, the largest kind there is.
  static let attachmentBytes = NotificationLimits.videoBytes
  /// Bytes of the attachments that one sender keeps, and of all: a small machine's disk has room for these.
  static let attachmentsOfOne = 500_000_000
  static let attachmentsInAll = 4_000_000_000
  /// Seconds for which a file waits for the notification that names it.
  static let attachmentWaits = 86_400.0
  /// Seconds for which it stays when the notification is over: as long as that is kept.
  static let attachmentOutlasts = DeliveryLimits.keptDays * 86_400
  /// Ids of revoked keys that the hub remembers: one a day for years.
  static let revokedKeys = 10_000
  /// Attachments removed at once, of those that are not needed any more.
  static let attachmentsRemoved = 20
  /// Events of the live channel that one change sends, one for each person concerned; with more, pages ask again by
  /// themselves.
  static let told = 200
  /// Bytes that a hook takes of whoever knows its address: GitHub's events have some 30 KB, but some hundred with many
  /// changed files or a long release; a longer one is refused.
  static let hookBytes = 1 << 20
  /// The rate of what one hook takes: thirty at once, such as a repository's whole history, then one in two seconds.
  static let hookRate = Rate(burst: 30, perSecond: 0.5)
  /// Seconds in which that is full again.
  static let hookRateSeconds = 60.0
  /// The rate of requests to hooks from one address, that of strangers' questions: behind one may be a whole house.
  static let hooksFromOne = Rate(burst: 200, perSecond: 10)
  /// Minutes after which a notification that was not seen is mailed, if the person says nothing else.
  static let mailMinutes = 10
  /// Confirmation mails of one person: three at once, then one in five minutes, so that nobody floods a stranger's
  /// mailbox; and the seconds in which that is full again.
  static let confirmations = Rate(burst: 3, perSecond: 1 / 300.0)
  static let confirmationSeconds = 900.0
  /// Seconds after which a device that was made and has not come yet is worth a warning of the doctor.
  static let silence = 86_400.0

  // MARK: Views of notifications

  /// Views of apps.
  static let views = 50
  /// Categories that one view is for.
  static let viewCategories = 20
  /// Bytes of a view's document: a picture or two within it, and a script.
  static let viewBytes = 256 << 10
  /// Bytes of the request with it: each byte of the document may become two.
  static let viewRequestBytes = 2 * viewBytes + (8 << 10)

  // MARK: ntfy's manner

  /// The rate of messages. A stranger's, to an open topic, are 60 at once and one a second: a script that reports. On
  /// ntfy's own server a visitor sends 60 at once, and one every five seconds.
  static let publishing = RouteRate(
    "publishing", strangers: Rate(burst: 60, perSecond: 1), known: Rate(burst: 2_000, perSecond: 100))
  /// The rate of what one open topic takes of all strangers together: many addresses are easily had, and must not drive
  /// out what members were sent, nor ring everybody all the time. And the seconds in which it is full again.
  static let strangersOfTopic = Rate(burst: 300, perSecond: 5)
  static let strangersOfTopicSeconds = 60.0
  /// Messages of strangers that wait for their time: what else may wait is for members.
  static let strangersScheduled = 1_000
  /// Messages that may wait to be told to subscribers: some seconds of the fastest sending. Past it the subscribers are
  /// sent away, come back and ask for what they lack.
  static let ntfyNews = 10_000
  /// Messages told in one go, with one look at who may listen.
  static let ntfyAtOnce = 100
  /// Messages that may come while a subscriber is sent the earlier ones.
  static let ntfyQueued = 1_000
  /// Earlier messages that are read at a time.
  static let ntfyPage = 50
  /// Subscribers of one address of strangers that are sent earlier messages at once, and the seconds after which the
  /// next ones try it again: a busy topic has tens of thousands, and what is asked for may be none of them.
  static let ntfyHistories = 4
  static let ntfyHistoryPause = 0.1
  /// Bytes that wait for a subscriber before more of the earlier messages are read: a quarter of what may wait.
  static let ntfyWaitingBytes = 64 << 10
  /// Seconds for which a message may be on its way from the store to subscribers: the longest wait for a commit, and
  /// some more.
  static let ntfyRecent = 30.0
}
