/// The known limits of systems that lend time.
public enum LeaseLimits {
  /// Leases that were ever lent in a row by a system that counts them, and the seconds of the shortest.
  public static let leases = 64
  public static let shortest = 600.0
  /// Seconds before the end at which a program has to stop when nobody warns it.
  public static let stop = 5.0
  /// Seconds between two checks, at most: an endless lease may turn into a countdown meanwhile.
  public static let check = 54.0
  /// Seconds without a check after which the device says that the watch is silent.
  public static let silence = 180.0
}
