/// The limits of what requests may say, each with its reason.
public enum RequestLimits {
  /// Characters of a name: of a person, a token, a device, a room's things. Longer ones fit on no line of a page.
  public static let name = 100
  /// Days one question may span: five years and their leap days.
  public static let days = 5 * 366
}
