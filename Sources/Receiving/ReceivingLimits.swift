/// The limits of uploads that are the same for all rooms, each with its reason.
public enum ReceivingLimits {
  /// Requests that add bytes to one room at the same time. More would wait for the same disk; each holds up to a
  /// quarter of a megabyte.
  public static let atOnce = 64
  /// Of them, those of one sender: a phone sends three, and slow ones must not take the places of others.
  public static let atOnceOfSender = 6
  /// Requests that wait for their turn; none of their bytes is read before.
  static let waiting = 4_096
  /// Of them, those of one sender.
  static let waitingOfSender = 50
  /// Bytes after which it is asked again if there is room, and if the sender may still send.
  public static let checkedBytes = 64 << 20
  /// Seconds in which a request lets go of an upload that another asks for: a sync of a slow disk.
  static let letGoSeconds = 20.0

  /// Seconds for which an upload that nobody continues is kept: the phone may be home only after the weekend.
  public static let keptSeconds = 7 * 86_400.0
  /// Seconds for which one is kept of which nothing has come: it costs a place and has nothing to lose.
  public static let begunSeconds = 3_600.0
  /// Seconds for which the outcome of a finished one is told, if the last answer was lost.
  public static let toldSeconds = 86_400.0
  /// Uploads that one change ends, and the seconds between two looks for expired ones.
  public static let endedAtOnce = 100
  public static let lookSeconds = 300.0

  /// Bytes that stay free on the disk: the hub's other rooms need some, and a full disk refuses every change.
  public static let diskReserve = 2 << 30

  /// Characters of a file's name that are kept.
  public static let name = 255
}
