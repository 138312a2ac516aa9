/// The limits of requests.
public enum RequestLimits {
  /// Characters of a name: of a person, a token, a device, a room's things. Longer ones do not fit on a page's line.
  public static let name = 100
  /// Unknown fields of which an answer tells: each is a sentence, and a body of 64 KB has room for nine thousand.
  static let unknownFields = 20
  /// Days one question may span: five years and their leap days.
  public static let days = 5 * 366
}
