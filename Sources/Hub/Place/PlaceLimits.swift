/// The limits of what an owner says of the place.
public enum PlaceLimits {
  /// Characters of its name: it stands on badges and at the top of every page.
  public static let name = 100
  /// Characters of a postal address: some lines.
  public static let address = 500
  /// Characters of a zone's name; the longest that there are have 30.
  static let zone = 100
  /// Characters of a web address, as most browsers and servers take them.
  static let url = 2_000
}
